import assert from "node:assert/strict";
import type { Message, Snowflake } from "../../../src/core/message.ts";
import type { Store } from "../../../src/core/ports.ts";
import type { Write } from "../../../src/core/writes.ts";
import { saidBefore } from "../../../src/host/saidBefore.ts";
import { atRest } from "../../../src/host/projector.ts";
import { Transcript } from "../../../src/host/transcript.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { agent, at, threadOf, user } from "../../fakes/recordBuilder.ts";

const thread = "t";

/** A thread of so many ended batches, each with so many thoughts. */
async function filled(
  batches: number,
  thoughts: number,
): Promise<{
  store: MemoryStore;
  ids: readonly Snowflake[];
  next: () => Snowflake;
}> {
  const store = new MemoryStore();
  let n = 0;
  const next = (): Snowflake => at(n++);
  await commit(store, [{ kind: "thread", thread: threadOf(thread) }]);
  const ids: Snowflake[] = [];
  for (let b = 0; b < batches; b++) {
    const batch = next();
    ids.push(batch);
    await commit(store, batchOf(`m${b}`, batch, thoughts, next));
  }
  return { store, ids, next };
}

function batchOf(
  id: string,
  batch: Snowflake,
  thoughts: number,
  next: () => Snowflake,
): readonly Write[] {
  const append = (name: string, body: Message["body"]): Write => ({
    kind: "append",
    record: {
      id: `${id}-${name}`,
      thread,
      position: next(),
      batch,
      sender: agent,
      marks: {},
      body,
    },
  });
  return [
    {
      kind: "accept",
      message: {
        id,
        thread,
        arrived: batch,
        rank: 1,
        sender: user,
        blocks: [{ type: "text", text: id }],
        marks: {},
      },
    },
    {
      kind: "claim",
      batch,
      batchType: "user_request",
      parentBatch: null,
      messages: [{ id, position: batch }],
    },
    { kind: "state", ids: [id], to: "sent" },
    ...Array.from({ length: thoughts }, (_, k) =>
      append(`${k}`, { kind: "thought", text: `${k}` }),
    ),
    append("end", { kind: "turnEnd", stop: "end_turn" }),
    { kind: "state", ids: [id], to: "delivered" },
  ];
}

async function commit(store: Store, writes: readonly Write[]): Promise<void> {
  const answer = await store.commit(writes, "full");
  assert.deepEqual(answer, { ok: true });
}

function row(
  id: string,
  batch: Snowflake,
  position: Snowflake | null,
  body: Message["body"],
): Message {
  const place = {
    batch: position === null ? null : batch,
    sequence: null,
    batchType: null,
  };
  return {
    ...{
      id,
      thread,
      arrived: batch,
      rank: null,
      position,
      parentBatch: null,
      retryOf: null,
    },
    ...place,
    ...{ sender: agent, state: null, marks: {}, body },
  };
}

/** A store whose pages come when they are let through. */
function gated(store: MemoryStore): { store: Store; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const slow: Store = new Proxy<Store>(store, {
    get: (target, name) =>
      name === "page"
        ? async (...args: Parameters<Store["page"]>) => {
            const page = await target.page(...args);
            await promise;
            return page;
          }
        : (Reflect.get(target, name) as () => unknown).bind(target),
  });
  return { store: slow, open: () => resolve(undefined) };
}

const ids = (transcript: Transcript): readonly string[] =>
  transcript.project(atRest).messages.map(({ id }) => id);

describe("the window over a thread", () => {
  it("I46: begins where the user was, however far back, and at the end when that is gone", async () => {
    const { store, ids } = await filled(200, 1);
    const begun = async (batch?: Snowflake): Promise<Transcript> => {
      const transcript = new Transcript(store, thread);
      await transcript.resume(batch);
      return transcript;
    };
    const [far = "", near = ""] = [ids[7], ids[190]];
    const there = await begun(far);
    assert.ok(there.project(atRest).batches.some(({ id }) => id === far));
    assert.equal(there.more().after, true);
    for (const batch of [undefined, near, at(1_000_000)])
      assert.deepEqual((await begun(batch)).more(), {
        before: true,
        after: false,
      });
  });

  it("reaches the beginning in pages, each batch whole and once", async () => {
    const { store } = await filled(90, 10);
    const transcript = new Transcript(store, thread);
    await transcript.latest();
    const seen = new Set(ids(transcript));
    while (transcript.more().before) {
      await transcript.move("before");
      for (const id of ids(transcript)) seen.add(id);
    }
    assert.equal(seen.size, 90 * 11);
    while (transcript.more().after) await transcript.move("after");
    assert.equal(ids(transcript).at(-1), "m89-9");
    assert.equal(new Set(ids(transcript)).size, ids(transcript).length);
  });

  it("is not led astray by a late word of an old batch, and shows it where it belongs", async () => {
    const { store, ids: batches, next } = await filled(30, 8);
    const record = {
      id: "late",
      thread,
      position: next(),
      batch: batches[0] ?? "",
      sender: agent,
    };
    await commit(store, [
      {
        kind: "append",
        record: {
          ...record,
          marks: { late: true },
          body: { kind: "agent", text: "at last" },
        },
      },
    ]);
    const transcript = new Transcript(store, thread);
    await transcript.latest();
    assert.ok(!ids(transcript).includes("late"));
    while (transcript.more().before) await transcript.move("before");
    const shown = transcript.project(atRest);
    assert.deepEqual(
      shown.batches.map(({ id }) => id),
      batches,
    );
    assert.equal(
      shown.messages.find(({ id }) => id === "late")?.batch,
      batches[0],
    );
  });

  it("stays a window while it follows a thread", async () => {
    const { store } = await filled(1, 1);
    const transcript = new Transcript(store, thread);
    await transcript.latest();
    for (let b = 100; b < 400; b++)
      for (let k = 0; k < 10; k++)
        transcript.apply({
          kind: "message",
          message: row(`r${b}-${k}`, at(b * 100), at(b * 100 + k), {
            kind: "thought",
            text: "",
          }),
        });
    assert.ok(ids(transcript).length <= 1_210);
    assert.equal(ids(transcript).at(-1), "r399-9");
    assert.equal(transcript.more().before, true);
  });

  it("I46: misses nothing of what happens while it reads", async () => {
    const { store, next } = await filled(1, 1);
    const { store: slow, open } = gated(store);
    const transcript = new Transcript(slow, thread);
    const reading = transcript.latest();
    const batch = next();
    const words = row("answer", batch, next(), {
      kind: "agent",
      text: "Hello ",
    });
    transcript.apply({ kind: "message", message: words });
    transcript.apply({ kind: "text", id: "answer", offset: 6, text: "wide " });
    transcript.apply({ kind: "text", id: "answer", offset: 11, text: "world" });
    open();
    await reading;
    const shown = transcript.project(atRest).messages.at(-1);
    assert.deepEqual(
      shown?.body.kind === "agent" && shown.body.text,
      "Hello wide world",
    );
  });

  it("I46: does not show what went back to the queue while it reads", async () => {
    const { store, next } = await filled(1, 1);
    const batch = next();
    await commit(store, [
      {
        kind: "accept",
        message: {
          id: "back",
          thread,
          arrived: batch,
          rank: 1,
          sender: user,
          blocks: [],
          marks: {},
        },
      },
      {
        kind: "claim",
        batch,
        batchType: "user_request",
        parentBatch: null,
        messages: [{ id: "back", position: batch }],
      },
    ]);
    const { store: slow, open } = gated(store);
    const transcript = new Transcript(slow, thread);
    const reading = transcript.latest();
    transcript.apply({
      kind: "message",
      message: row("back", batch, null, { kind: "user", blocks: [] }),
    });
    open();
    await reading;
    assert.ok(!ids(transcript).includes("back"));
  });

  it("tells how long a thought took, once something came after it", async () => {
    const { store, ids } = await filled(1, 2);
    const transcript = new Transcript(store, thread);
    await transcript.latest();
    const durations = (open: ReadonlySet<string>): readonly unknown[] =>
      transcript
        .projectOne(ids[0] ?? "", { ...atRest, open })
        .messages.flatMap(({ body }) =>
          body.kind === "thought" ? [body.durationMs !== undefined] : [],
        );
    assert.deepEqual(durations(new Set()), [true, true]);
    assert.deepEqual(durations(new Set(["m0-1"])), [true, false]);
  });

  it("finds what the user said before, newest first, however far back", async () => {
    const { store, ids } = await filled(40, 20);
    const first = await saidBefore(store, thread, ids[39] ?? "");
    assert.ok(first.kind === "said" && first.before !== null);
    assert.equal(first.texts[0], "m38");
    const rest = await saidBefore(store, thread, first.before);
    assert.ok(rest.kind === "said");
    assert.equal(rest.before, null);
    assert.deepEqual(
      [...first.texts, ...rest.texts],
      Array.from({ length: 39 }, (_, i) => `m${38 - i}`),
    );
  });
});
