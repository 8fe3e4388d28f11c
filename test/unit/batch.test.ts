import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import {
  factsOf,
  flaws,
  group,
  orphans,
  pairTools,
  type Batch,
} from "../../src/core/batch.ts";
import { addUsage } from "../../src/core/batchUsage.ts";
import type {
  BatchStatus,
  Body,
  Message,
  MessageState,
  StopReason,
  Usage,
} from "../../src/core/message.ts";
import { applyWrites } from "../../src/core/recordApply.ts";
import { loadThread } from "../../src/core/dispatch/load.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import { SnowflakeGenerator, snowflakeTime } from "../../src/core/snowflake.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import { MemoryTables } from "../fakes/memoryTables.ts";
import { agent, at, body, timeAt, user } from "../fakes/recordBuilder.ts";
import { randomFrom, scenario } from "../fakes/recordScenario.ts";

/** Rows of one batch: a state makes a user message, a body a record. */
function batchRows(...parts: readonly (MessageState | Body)[]): Message[] {
  return parts.map((part, n) => ({
    id: `r${n}`,
    thread: "t",
    arrived: at(n),
    rank: null,
    position: at(10 + n),
    batch: at(10),
    sequence: n,
    batchType: "user_request",
    parentBatch: null,
    retryOf: null,
    sender: typeof part === "string" ? user : agent,
    state: typeof part === "string" ? part : null,
    marks: {},
    body: typeof part === "string" ? { kind: "user", blocks: [] } : part,
  }));
}

function rowsAfter(seed: number, length: number): readonly Message[] {
  const tables = new MemoryTables();
  for (const { writes } of scenario(seed, length))
    tables.attempt(() => applyWrites(tables, writes));
  return [...tables.messages.values()].map(({ message }) => message);
}

const life = fc.record({ seed: fc.integer(), length: fc.nat(80) });

describe("group", () => {
  it("I12: finds batches named after their first position, numbered without holes", () => {
    fc.assert(
      fc.property(life, ({ seed, length }) => {
        for (const batch of group(rowsAfter(seed, length)))
          assert.deepEqual(flaws(batch), []);
      }),
    );
  });

  it("puts every placed row in exactly one batch, whatever order they come in", () => {
    fc.assert(
      fc.property(life, ({ seed, length }) => {
        const random = randomFrom(seed);
        const rows = rowsAfter(seed, length);
        const shuffled = rows
          .map((row) => ({ row, key: random() }))
          .sort((a, b) => a.key - b.key)
          .map(({ row }) => row);
        const batches = group(rows);
        assert.deepEqual(group(shuffled), batches);
        const placed = rows.filter(({ batch }) => batch !== null);
        assert.deepEqual(
          new Set(batches.flatMap((batch) => batch.rows)),
          new Set(placed),
        );
        assert.equal(
          batches.reduce((sum, { counts }) => sum + counts.rows, 0),
          placed.length,
        );
      }),
    );
  });

  it("is ended exactly when each start has its end and nothing is on its way", () => {
    fc.assert(
      fc.property(life, ({ seed, length }) => {
        for (const { rows, ended, balanced, status } of group(
          rowsAfter(seed, length),
        )) {
          const count = (kind: string): number =>
            rows.filter((row) => row.body.kind === kind).length;
          const onItsWay = rows.some(
            ({ state }) => state === "claimed" || state === "sent",
          );
          assert.equal(
            ended,
            count("turnStart") === count("turnEnd") && !onItsWay,
          );
          assert.equal(
            !ended,
            status === "processing" || status === "collecting",
          );
          if (balanced) assert.equal(count("toolCall"), count("toolResult"));
        }
      }),
    );
  });

  const stops: Readonly<Record<StopReason, BatchStatus>> = {
    end_turn: "completed",
    max_tokens: "completed",
    max_turn_requests: "completed",
    refusal: "completed",
    cancelled: "cancelled",
    error: "failed",
    stuck: "failed",
    interrupted: "interrupted",
  };
  const statuses: readonly (readonly [
    BatchStatus,
    readonly (MessageState | Body)[],
  ])[] = [
    ["collecting", ["claimed"]],
    ["collecting", ["delivered", body.start(), body.end(), "claimed"]],
    ["processing", ["sent", body.start()]],
    ["processing", ["sent"]],
    [
      "processing",
      [
        "delivered",
        body.start(),
        body.end("max_tokens"),
        "sent",
        body.start(),
        body.agent("x"),
      ],
    ],
    ["cancelled", ["discarded"]],
    ["completed", ["delivered", body.agent("imported")]],
    ["completed", ["delivered", body.agent("imported"), body.end()]],
    ["completed", [body.notice("hello")]],
    ["failed", ["seenAborted"]],
    ["interrupted", ["uncertain"]],
    [
      "completed",
      [
        "delivered",
        body.start(),
        body.end("error"),
        "delivered",
        body.start(),
        body.end(),
      ],
    ],
    ...Object.entries(stops).map(
      ([stop, status]) =>
        [
          status,
          ["delivered", body.start(), body.end(stop as StopReason)],
        ] as const,
    ),
  ];
  statuses.forEach(([status, parts], n) =>
    it(`tells ${status} from its rows (${n})`, () => {
      assert.equal(group(batchRows(...parts))[0]?.status, status);
    }),
  );

  it("counts and times what happened", () => {
    const usage: Usage = {
      inputTokens: 3,
      cost: { amount: 1, currency: "USD" },
    };
    const [batch] = group(
      batchRows(
        "delivered",
        body.start(),
        { kind: "thought", text: "hm" },
        body.call("c"),
        body.result("c"),
        body.agent("done"),
        { kind: "turnEnd", stop: "max_tokens", usage },
        "delivered",
        body.start(),
        { kind: "turnEnd", stop: "end_turn", usage },
      ),
    );
    assert.ok(batch);
    assert.deepEqual(factsOf(batch), {
      id: at(10),
      thread: "t",
      type: "user_request",
      parent: null,
      retry: false,
      status: "completed",
      ended: true,
      balanced: true,
      counts: {
        rows: 10,
        messages: 2,
        turns: 2,
        texts: 1,
        thoughts: 1,
        tools: 1,
        permissions: 0,
      },
      times: {
        firstArrived: timeAt(0),
        claimed: timeAt(10),
        started: timeAt(11),
        firstOutput: timeAt(12),
        ended: timeAt(19),
        running: 6000,
      },
      usage: { inputTokens: 6, cost: { amount: 2, currency: "USD" } },
      course: batch.course,
    });
    assert.equal(snowflakeTime(batch.id), batch.times.claimed);
  });

  it("names rows that break the rules", () => {
    const [first, second] = batchRows("delivered", body.agent("x"));
    assert.ok(first && second);
    const broken = (rows: readonly Message[]): number =>
      group(rows).flatMap(flaws).length;
    assert.equal(broken([first, second]), 0);
    assert.equal(broken([second]), 2);
    assert.equal(broken([first, { ...second, sequence: 2 }]), 1);
  });
});

describe("orphans", () => {
  it("are the batches that are neither ended nor running, and none is left once a thread was recovered", async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ seed, length }) => {
        const store = new MemoryStore();
        for (const { writes, durability } of scenario(seed, length))
          await store.commit(writes, durability);
        for (const { id } of await store.threads()) {
          const batches = async (): Promise<readonly Batch[]> =>
            group((await store.page(id, { limit: 9999 })).messages);
          const before = await batches();
          const open = before.filter(({ rows }) => !isOver(rows));
          assert.deepEqual(orphans(before, null), open);
          for (const { id: running } of open)
            assert.deepEqual(
              orphans(before, running),
              open.filter((batch) => batch.id !== running),
            );
          assert.deepEqual(group(await store.unsettled(id)), open);
          const mint = new SnowflakeGenerator(
            () => timeAt(9999),
            await store.greatest(),
          );
          await loadThread(store, id, 0, 1, {
            ...{ settings: defaultDispatchSettings, now: timeAt(9999) },
            ...{ lastSign: 0, seen: false },
            mint: () => mint.next(),
            uuid: randomUUID,
          });
          assert.deepEqual(orphans(await batches(), null), []);
        }
      }),
    );
  });

  function isOver(rows: readonly Message[]): boolean {
    const count = (kind: string): number =>
      rows.filter(({ body: { kind: one } }) => one === kind).length;
    return (
      count("turnStart") === count("turnEnd") &&
      rows.every(({ state }) => state !== "claimed" && state !== "sent")
    );
  }
});

describe("tool calls and results", () => {
  const halves = fc.array(
    fc.tuple(fc.constantFrom("call", "result"), fc.constantFrom("a", "b", "c")),
    { maxLength: 12 },
  );

  it("pair by id, each half once, a result never before its call", () => {
    fc.assert(
      fc.property(halves, (list) => {
        const rows = batchRows(
          ...list.map(([half, id]) =>
            half === "call" ? body.call(id) : body.result(id),
          ),
        );
        const pairs = pairTools(rows);
        const used = pairs.flatMap(({ call, result }) =>
          [call, result].filter((row) => row !== null),
        );
        assert.deepEqual(new Set(used), new Set(rows));
        assert.equal(used.length, rows.length);
        for (const { toolCallId, call, result } of pairs) {
          if (call !== null) assert.equal(call.body.toolCallId, toolCallId);
          if (result !== null) assert.equal(result.body.toolCallId, toolCallId);
          if (call !== null && result !== null)
            assert.ok((call.sequence ?? 0) < (result.sequence ?? 0));
        }
        for (const id of ["a", "b", "c"]) {
          const open = pairs.filter(
            (pair) => pair.toolCallId === id && pair.result === null,
          );
          const stray = pairs.filter(
            (pair) => pair.toolCallId === id && pair.call === null,
          );
          const lastStray = stray.at(-1)?.result?.sequence ?? -1;
          for (const { call } of open)
            assert.ok((call?.sequence ?? 0) > lastStray);
        }
      }),
    );
  });

  it("leave the batch unbalanced while a call is open", () => {
    const balanced = (...parts: readonly Body[]): boolean | undefined =>
      group(batchRows("delivered", ...parts))[0]?.balanced;
    assert.equal(balanced(body.call("a")), false);
    assert.equal(balanced(body.call("a"), body.end(), body.result("a")), true);
    assert.equal(balanced(body.call("a"), body.result("b")), false);
  });
});

describe("usage", () => {
  it("adds up, and keeps currencies apart", () => {
    assert.deepEqual(addUsage({}, {}), {});
    assert.deepEqual(addUsage({ inputTokens: 1 }, { outputTokens: 2 }), {
      inputTokens: 1,
      outputTokens: 2,
    });
    const dollar = { amount: 1, currency: "USD" };
    const euro = { amount: 1, currency: "EUR" };
    assert.deepEqual(addUsage({ cost: dollar }, { cost: euro }), {
      cost: dollar,
    });
    assert.deepEqual(addUsage({}, { cost: euro }), { cost: euro });
  });
});
