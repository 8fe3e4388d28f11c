import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { flaws, group } from "../../src/core/batch.ts";
import type { Message } from "../../src/core/message.ts";
import type { AgentUpdate } from "../../src/core/agentPort.ts";
import type { History } from "../../src/core/recordPort.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import { importRebuilt } from "../../src/core/transferImport.ts";
import { allMessages } from "../../src/core/transferLines.ts";
import { threadMarkdown } from "../../src/core/transferMarkdown.ts";
import { rebuild } from "../../src/core/transferRebuild.ts";
import type { Rebuilt } from "../../src/core/transferRebuild.ts";
import { KnownSecrets } from "../../src/util/redact.ts";
import { exportLines, importLines } from "../../src/history/transferFile.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import {
  agent,
  at,
  body,
  threadOf,
  user,
  write,
} from "../fakes/recordBuilder.ts";
import { dump } from "../fakes/recordDump.ts";
import { scenario } from "../fakes/recordScenario.ts";
import { runs } from "../fakes/runs.ts";

async function after(seed: number, length: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const { writes } of scenario(seed, length))
    await store.commit(writes, "full");
  return store;
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function linesOf(store: History, id: string): Promise<readonly string[]> {
  const thread = await store.thread(id);
  assert.ok(thread);
  return collect(exportLines(store, thread));
}

async function rowsOf(store: History, id: string): Promise<readonly Message[]> {
  return (await collect(allMessages(store, id))).flat();
}

/** A line as a tool would write it that knows no positions and no batches. */
function withoutPlaces(line: string): string {
  return JSON.stringify(JSON.parse(line), (key, value: unknown) =>
    ["position", "batch", "sequence", "batchType", "parentBatch"].includes(key)
      ? undefined
      : value,
  );
}

/** The ids of what was said in each turn, without what came late. */
function turnsOf(rows: readonly Message[]): readonly string[] {
  return group(rows)
    .map((batch) =>
      batch.rows
        .filter(({ body: { kind }, marks }) => {
          return (
            marks.late !== true && kind !== "turnStart" && kind !== "turnEnd"
          );
        })
        .map(({ id }) => id)
        .join(" "),
    )
    .filter((ids) => ids !== "");
}

function pairsOf(rows: readonly Message[]): readonly unknown[] {
  return group(rows).flatMap(({ tools }) =>
    tools.map(({ call, result }) => [call?.id, result?.id]),
  );
}

describe("export and import", () => {
  it("a thread comes back as it was, and again adds nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(60), async (seed, length) => {
        const from = await after(seed, length + 1);
        const to = new MemoryStore();
        for (const { id } of await from.threads()) {
          const lines = await linesOf(from, id);
          const rows = await rowsOf(from, id);
          assert.deepEqual(await importLines(to, lines), {
            ok: true,
            thread: id,
            added: rows.length,
          });
          assert.deepEqual(await rowsOf(to, id), rows);
          assert.deepEqual(await linesOf(to, id), held(lines, rows));
          const before = await dump(to);
          assert.deepEqual(await importLines(to, lines), {
            ok: true,
            thread: id,
            added: 0,
          });
          assert.deepEqual(await dump(to), before);
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it("a thread whose records lost their places gets its turns and pairs back, and again adds nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(60), async (seed, length) => {
        const from = await after(seed, length + 1);
        const to = new MemoryStore();
        for (const { id } of await from.threads()) {
          const rows = await rowsOf(from, id);
          if (!rows.some(({ batch }) => batch !== null)) continue;
          const lines = (await linesOf(from, id)).map(withoutPlaces);
          const answer = await importLines(to, lines);
          assert.ok(answer.ok, JSON.stringify(answer));
          const rebuilt = await rowsOf(to, id);
          for (const batch of group(rebuilt))
            assert.deepEqual(flaws(batch), []);
          assert.deepEqual(turnsOf(rebuilt), turnsOf(rows));
          assert.deepEqual(pairsOf(rebuilt), pairsOf(rows));
          assert.deepEqual(
            (await to.queue(id)).map((row) => row.id),
            (await from.queue(id)).map((row) => row.id),
          );
          const before = await dump(to);
          const again = await importLines(to, lines);
          assert.ok(again.ok && again.added === 0);
          assert.deepEqual(await dump(to), before);
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it("a file of roles and texts becomes a thread of its own, and what is added to it later comes too", async () => {
    const lines = [
      { role: "user", text: "Fix the parser" },
      { kind: "thought", text: "Hm" },
      body.call("c1"),
      body.result("c1"),
      { role: "assistant", content: "Done." },
      { kind: "user", text: "Thanks" },
      { kind: "agent", text: "Welcome." },
    ].map((line) => JSON.stringify(line));
    const store = new MemoryStore();
    const read = (count: number): ReturnType<typeof importLines> =>
      importLines(store, lines.slice(0, count), () => "/here", "codex");
    const first = await read(5);
    assert.ok(first.ok && first.added === 6, JSON.stringify(first));
    const { thread } = first;
    const made = await store.thread(thread);
    assert.deepEqual(
      [made?.title, made?.folder, made?.agent],
      ["Fix the parser", "/here", "codex"],
    );
    const whole = await read(7);
    assert.ok(whole.ok && whole.thread === thread && whole.added === 3);
    const again = await read(7);
    assert.ok(again.ok && again.added === 0);
    const batches = group(await rowsOf(store, thread));
    assert.deepEqual(
      batches.map(({ rows, balanced, status }) => [
        ...[rows.map((row) => row.body.kind).join(" "), balanced, status],
      ]),
      [
        [
          "user thought toolCall toolResult agent turnEnd",
          ...[true, "completed"],
        ],
        ["user agent turnEnd", true, "completed"],
      ],
    );
    const broken = await importLines(store, [...lines, '{"role":"x"}']);
    assert.ok(!broken.ok && broken.reason === "broken");
    assert.match(broken.detail, /^Line 8 /);
  });

  it("a secret that is known leaves with no export, and the rest comes back", async () => {
    const from = new MemoryStore();
    const said = 'use "v4lue-1" for the rest';
    const accept = write.accept("m", 1);
    assert.ok(accept.kind === "accept");
    const message = {
      ...accept.message,
      blocks: [{ type: "text", text: said } as const],
    };
    await from.commit([write.thread("t"), { kind: "accept", message }], "full");
    const known = new KnownSecrets();
    known.add("v4lue-1");
    const lines = (await linesOf(from, "t")).map(known.hide);
    assert.doesNotMatch(lines.join(""), /v4lue/);
    const to = new MemoryStore();
    assert.ok((await importLines(to, lines)).ok);
    const [row] = await rowsOf(to, "t");
    assert.ok(row?.body.kind === "user");
    assert.deepEqual(row.body.blocks, [
      { type: "text", text: 'use "[redacted]" for the rest' },
    ]);
  });

  it("a thread of another machine works in a folder of this workspace", async () => {
    const from = new MemoryStore();
    const elsewhere = { folder: "/home/other/project" };
    await from.commit([write.thread("t", elsewhere)], "full");
    const lines = await linesOf(from, "t");
    const to = new MemoryStore();
    const asked: string[] = [];
    const here = (folder: string): string => {
      asked.push(folder);
      return "/work/project";
    };
    assert.ok((await importLines(to, lines, here)).ok);
    assert.deepEqual(asked, [elsewhere.folder]);
    assert.equal((await to.thread("t"))?.folder, "/work/project");
    await to.commit([write.thread("t", { folder: "/work/chosen" })], "full");
    assert.ok((await importLines(to, lines, here)).ok);
    assert.equal((await to.thread("t"))?.folder, "/work/chosen");
  });

  it("a thread that came with a queue waits for its user", async () => {
    const from = new MemoryStore();
    await from.commit([write.thread("t"), write.accept("m", 1)], "full");
    const to = new MemoryStore();
    await importLines(to, await linesOf(from, "t"));
    assert.equal((await to.thread("t"))?.held, "restored");
  });

  it("a deleted thread is brought back by importing it again", async () => {
    const store = await after(1, 30);
    const lines = await linesOf(store, "t0");
    const was = await dump(store);
    await store.commit([{ kind: "deleteThread", thread: "t0", at: 1 }], "full");
    assert.deepEqual(await importLines(store, lines), {
      ok: true,
      thread: "t0",
      added: 0,
    });
    assert.deepEqual((await dump(store)).messages, was.messages);
  });

  it("what retention cut away comes back from an export", async () => {
    const store = new MemoryStore();
    await store.commit(
      [
        write.thread("t"),
        ...[1, 11].flatMap((n) => [
          write.accept(`m${n}`, n),
          write.claim(at(n + 1), [[`m${n}`, n + 1]]),
          write.state("sent", `m${n}`),
          write.state("delivered", `m${n}`),
        ]),
      ],
      "full",
    );
    const lines = await linesOf(store, "t");
    const rows = await rowsOf(store, "t");
    await store.retain({ maxBytes: 0 });
    assert.equal((await rowsOf(store, "t")).length, 0);
    await importLines(store, lines);
    assert.deepEqual(await rowsOf(store, "t"), rows);
  });

  it("anything else is refused before a row is written", async () => {
    const lines = await linesOf(await after(1, 20), "t0");
    const other = await linesOf(await after(1, 1), "t0");
    const cases: readonly (readonly [string, readonly string[], string])[] = [
      ["nothing", [], "broken"],
      ["not JSON", ["hello"], "broken"],
      ["other JSON", ["{}"], "broken"],
      ["no head", lines.slice(1), "broken"],
      ["no end", lines.slice(0, -1), "broken"],
      ["a line less", [...lines.slice(0, 3), ...lines.slice(4)], "broken"],
      [
        "a newer form",
        lines.map((line) => line.replace('"turnline":1', '"turnline":2')),
        "newer",
      ],
      [
        "another thread's rows",
        [
          ...other.slice(0, 1).map((line) => line.replaceAll("t0", "t1")),
          ...lines.slice(1),
        ],
        "broken",
      ],
    ];
    for (const [name, given, reason] of cases) {
      const store = new MemoryStore();
      const answer = await importLines(store, given);
      assert.ok(!answer.ok && answer.reason === reason, name);
      assert.deepEqual(await store.threads(), [], name);
    }
    const store = new MemoryStore();
    store.failNext(1, "full");
    const answer = await importLines(store, lines);
    assert.ok(!answer.ok && answer.reason === "notStored");
    assert.ok((await importLines(store, lines)).ok);
  });
});

/** The first line of an import's own export: held where it came with a queue. */
function held(lines: readonly string[], rows: readonly Message[]): string[] {
  return lines.map((line, n) =>
    n === 0 && rows.some(({ state }) => state === "queued")
      ? line.replace('"held":null', '"held":"restored"')
      : line,
  );
}

const said = (text: string): AgentUpdate => ({ kind: "userText", text });
const text = (words: string): AgentUpdate => ({ kind: "text", text: words });
const tool = (
  toolCallId: string,
  status: "in_progress" | "completed",
): AgentUpdate => ({ kind: "tool", toolCallId, status, title: "Run" });

function rebuilt(updates: readonly AgentUpdate[], from = 0): Rebuilt {
  const ids = new SnowflakeGenerator(() => 1_700_000_000_000 + from);
  return rebuild(
    { source: "codex:s1", thread: "t", user, agent, updates },
    {
      mint: () => ids.next(),
      sha256: (data) => createHash("sha256").update(data).digest("hex"),
    },
  );
}

describe("rebuilding batches from a flat history", () => {
  it("begins a batch with whatever the user said, and pairs tools by id", () => {
    const { batches, title } = rebuilt([
      { kind: "commands", commands: [] },
      said("one"),
      said("more of one"),
      { kind: "thought", text: "hm" },
      text("an"),
      text("swer"),
      tool("c1", "in_progress"),
      tool("c1", "completed"),
      text("done"),
      { kind: "title", title: "A talk" },
      said("two"),
    ]);
    assert.equal(title, "A talk");
    assert.deepEqual(
      batches.map((rows) =>
        rows.map((row) => `${row.sequence} ${row.body.kind}`),
      ),
      [
        [
          "0 user",
          "1 thought",
          "2 agent",
          "3 toolCall",
          "4 toolResult",
          "5 agent",
          "6 turnEnd",
        ],
        ["0 user", "1 turnEnd"],
      ],
    );
    const [first] = group(batches.flat());
    assert.equal(first?.balanced, true);
    assert.equal(first.status, "completed");
    assert.deepEqual(first.rows[0]?.body, {
      kind: "user",
      blocks: [
        { type: "text", text: "one" },
        { type: "text", text: "more of one" },
      ],
    });
    assert.deepEqual(first.rows[2]?.body, body.agent("answer"));
  });

  it("keeps what was said before the user spoke, and open calls open", () => {
    const { batches } = rebuilt([
      text("Welcome"),
      said("go"),
      tool("c", "in_progress"),
    ]);
    const [first, second] = group(batches.flat());
    assert.equal(first?.type, "system_trigger");
    assert.deepEqual(
      first.rows.map(({ body: { kind } }) => kind),
      ["notice", "agent", "turnEnd"],
    );
    assert.equal(second?.balanced, false);
    assert.deepEqual(rebuilt([{ kind: "mode", modeId: "x" }]).batches, []);
  });

  it("gives images their hash and their bytes once", () => {
    const data = new Uint8Array([1, 2]);
    const { batches, blobs } = rebuilt([
      said("draw"),
      { kind: "block", block: { type: "image", mimeType: "image/png", data } },
    ]);
    const hash = createHash("sha256").update(data).digest("hex");
    assert.deepEqual(blobs, [
      { kind: "blob", hash, mimeType: "image/png", data },
    ]);
    assert.equal(batches[0]?.length, 3);
  });

  const update = fc.oneof(
    fc.constantFrom("a", "b").map(said),
    fc.constantFrom("x", "y").map(text),
    fc
      .tuple(
        fc.constantFrom("c1", "c2", "c3"),
        fc.constantFrom("in_progress" as const, "completed" as const),
      )
      .map(([id, status]) => tool(id, status)),
    fc.constant<AgentUpdate>({ kind: "plan", entries: [] }),
  );

  it("I12: any flat history becomes sound batches, imported once however often", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(update, { maxLength: 40 }), async (updates) => {
        const first = rebuilt(updates);
        for (const batch of group(first.batches.flat()))
          assert.deepEqual(flaws(batch), []);
        const positions = first.batches.flat().map(({ position }) => position);
        assert.equal(new Set(positions).size, positions.length);
        const store = new MemoryStore();
        const thread = threadOf("t");
        assert.deepEqual(await importRebuilt(store, thread, first), {
          ok: true,
          thread: "t",
          added: first.batches.flat().length,
        });
        assert.deepEqual(
          await rowsOf(store, "t"),
          first.batches.flat().sort(byPosition),
        );
        const again = await importRebuilt(store, thread, rebuilt(updates, 9e9));
        assert.deepEqual(again, { ok: true, thread: "t", added: 0 });
        const longer = [...updates, said("and then"), text("this")];
        const grown = await importRebuilt(store, thread, rebuilt(longer, 9e9));
        const last = updates.at(-1)?.kind === "userText" ? 0 : 3;
        assert.ok(grown.ok && grown.added === last);
      }),
    );
  });

  it("goes on where an import was cut off, and leaves no half batch behind", async () => {
    // Batches larger than one commit takes, so that its size does not fall on an edge.
    const updates = [1, 2, 3].flatMap((turn) => [
      said(`question ${turn}`),
      ...Array.from({ length: 90 }, (_, n) => [
        { kind: "thought", text: `${turn}.${n}` } as const,
        text(`${turn}.${n}`),
      ]).flat(),
    ]);
    const whole = rebuilt(updates, 9e9);
    const store = new MemoryStore();
    const commit = store.commit.bind(store);
    let commits = 0;
    store.commit = (...given) => {
      commits += 1;
      if (commits === 3) store.failNext();
      return commit(...given);
    };
    const thread = threadOf("t");
    assert.equal((await importRebuilt(store, thread, whole)).ok, false);
    assert.ok((await rowsOf(store, "t")).length > 0);
    assert.equal((await importRebuilt(store, thread, whole)).ok, true);
    assert.deepEqual(
      await rowsOf(store, "t"),
      whole.batches.flat().sort(byPosition),
    );
  });
});

function byPosition(a: Message, b: Message): number {
  return (a.position ?? "") < (b.position ?? "") ? -1 : 1;
}

describe("a thread as Markdown", () => {
  it("reads like the conversation it was", async () => {
    const store = new MemoryStore();
    await store.commit(
      [
        write.thread("t", { title: "Fix\nit" }),
        write.accept("m", 1, { text: "Please fix ```this```" }),
        write.claim(at(2), [["m", 2]]),
        write.append("s", 3, at(2), body.start()),
        write.state("sent", "m"),
        write.append("h", 4, at(2), { kind: "thought", text: "a\nb" }),
        write.append("c", 5, at(2), body.call("c1")),
        write.append("r", 6, at(2), body.result("c1", "out ``` put\n")),
        write.append("p", 7, at(2), {
          kind: "plan",
          entries: [{ content: "step", priority: "low", status: "completed" }],
        }),
        write.append("a", 8, at(2), body.agent("Done.")),
        write.append("e", 9, at(2), body.end("cancelled")),
        write.state("delivered", "m"),
        write.accept("q", 10, { text: "next" }),
      ],
      "full",
    );
    const rows = await rowsOf(store, "t");
    const markdown = threadMarkdown(
      threadOf("t", { title: "Fix\nit" }),
      rows,
      (ms) => new Date(ms).toISOString(),
    );
    assert.equal(
      markdown,
      `# Fix it

## user · 2023-11-14T22:13:22.000Z

Please fix \`\`\`this\`\`\`

## Built-in · 2023-11-14T22:13:24.000Z

> a
> b

**Run c1** (completed)

\`\`\`\`
out \`\`\` put
\`\`\`\`

- [x] step

Done.

*This turn is cancelled.*

## Not sent yet

next
`,
    );
  });
});
