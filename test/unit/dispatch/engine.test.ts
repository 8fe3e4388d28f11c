import assert from "node:assert/strict";
import type { Message } from "../../../src/core/message.ts";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { snowflake } from "../../../src/core/snowflake.ts";
import { settled } from "../../fakes/clock.ts";
import { alice, World } from "../../fakes/world.ts";

const never = (): Promise<void> => new Promise(() => undefined);

describe("the engine and its threads", () => {
  const endings: readonly (readonly [
    title: string,
    end: (world: World) => Promise<unknown>,
    starts: number,
  ])[] = [
    ["deactivation", (world) => world.engine.dispose(), 1],
    ["deletion", (world) => world.engine.closeThread(world.thread), 1],
    ["a reset", (world) => world.engine.reset(world.thread), 2],
  ];
  for (const [title, end, starts] of endings)
    it(`I35: ${title} does not wait for an agent that never answers`, async () => {
      const world = await World.create();
      world.agents.startGate = never;
      await world.say("one");
      assert.equal(world.status, "starting");
      let over = false;
      void end(world).then(() => {
        over = true;
      });
      await settled();
      assert.ok(over);
      assert.equal(world.agents.acts.length, starts);
    });

  it("I7: a reader that takes over knows what was written while its threads were quiet", async () => {
    const writer = await World.create();
    const { store, thread } = writer;
    await writer.say("one");
    await writer.endTurn();
    const reader = await writer.crash();
    await writer.engine.hold(thread);
    await writer.say("left in the queue");
    await writer.engine.rename(thread, "Named meanwhile");
    await writer.engine.dispose();
    const gone = await writer.newThread().catch(() => undefined);
    assert.equal(gone, undefined);
    store.commits.length = 0;
    assert.deepEqual(await reader.engine.takeOver(), { ok: true });
    assert.deepEqual(reader.queue(), ["left in the queue"]);
    assert.equal(reader.snapshot.thread.title, "Named meanwhile");
    await reader.say("two");
    assert.deepEqual(reader.queue(), ["left in the queue", "two"]);
  });

  it("I7: what is asked before the takeover has reached a thread is done on what is stored", async () => {
    const writer = await World.create();
    const reader = await writer.crash();
    await writer.engine.hold(writer.thread);
    await writer.say("one");
    await writer.engine.dispose();
    await reader.say("two");
    assert.deepEqual(reader.queue(), ["one", "two"]);
  });

  it("I7: a thread that was deleted elsewhere is let go of", async () => {
    const writer = await World.create();
    const reader = await writer.crash();
    await writer.engine.dispose();
    const { store, thread } = writer;
    await store.commit([{ kind: "deleteThread", thread, at: 1 }], "full");
    await reader.engine.takeOver();
    assert.deepEqual(reader.engine.threads(), []);
  });

  it("opening a thread costs the same, however long its newest batch is", async () => {
    const world = await World.create();
    await world.say("one");
    await world.endTurn();
    world.store.batch = () => Promise.reject(new Error("read whole"));
    const next = await world.crash();
    assert.equal(next.snapshot.thread.id, world.thread);
  });

  it("reads at the start only threads with something on their way, and the others when they are used", async () => {
    const before = await World.create();
    const waiting = await before.newThread();
    await before.engine.hold(waiting);
    await before.submit("waits", {}, waiting);
    await before.say("one");
    await before.endTurn();
    await before.engine.dispose();
    const read: string[] = [];
    const queue = before.store.queue.bind(before.store);
    before.store.queue = (thread) => {
      read.push(thread);
      return queue(thread);
    };
    const world = await before.crash();
    assert.deepEqual(read, [waiting]);
    assert.deepEqual(
      world.engine.threads().map(({ id }) => id),
      [waiting, world.thread],
    );
    assert.equal(world.snapshot.thread.title, "one");
    assert.deepEqual([world.queue(), world.status], [[], "none"]);
    world.engine.configure({ ...defaultDispatchSettings, mode: "per-lane" });
    await world.engine.cancelEdit("view");
    await world.engine.takeOver();
    await settled();
    assert.ok(!read.includes(world.thread));
    const page = await world.engine.page(world.thread, { limit: 9 });
    assert.equal(page?.page.messages[0]?.id, "one");
    assert.deepEqual(read.at(-1), world.thread);
    await world.say("two");
    assert.equal(world.agents.acts.at(-1), "prompt two");
  });

  it("I7: a thread that nobody has used yet is deleted, made again and written to like any other", async () => {
    const before = await World.create();
    await before.say("one");
    await before.endTurn();
    await before.engine.dispose();
    const next = await before.crash();
    const again = { id: next.thread, folder: "/other", agent: "b" };
    const made = await next.engine.createThread(again);
    assert.ok("id" in made && made.folder === "/work", "it is there already");
    const third = await before.crash();
    await third.engine.closeThread(third.thread);
    assert.deepEqual(third.engine.threads(), []);
    assert.equal((await third.say("two")).ok, false);
    const last = await before.crash();
    assert.deepEqual(await last.say("one"), { ok: true, note: "duplicate" });
    await last.say("two");
    assert.equal(last.agents.acts.at(-1), "prompt two");
  });

  it("I21: an edit outlasts a thread's being read anew", async () => {
    const world = await World.create();
    await world.engine.hold(world.thread);
    await world.say("one");
    const next = await world.crash();
    await next.engine.beginEdit(next.thread, "one", "view");
    await next.engine.takeOver();
    await next.engine.resume(next.thread);
    await settled();
    assert.deepEqual(next.queue(), ["one"]);
    await next.engine.cancelEdit("view");
    await settled();
    assert.deepEqual(next.queue(), []);
  });

  it("I15: a running turn is not disturbed when threads are brought from elsewhere", async () => {
    const world = await World.create();
    await world.say("one");
    await world.engine.takeOver();
    await world.engine.openThread(world.thread);
    await settled();
    assert.equal(world.status, "busy");
    await world.endTurn();
    assert.deepEqual(await world.states("one"), ["delivered"]);
    assert.equal(world.agents.processes.length, 1);
  });

  it("I9: what is imported from a clock that is ahead is followed, not refused", async () => {
    const world = await World.create();
    const at = snowflake(world.clock.now() + 3_600_000, 0);
    await world.store.commit(
      [
        { kind: "thread", thread: { ...world.snapshot.thread, id: "in" } },
        {
          kind: "import",
          messages: [{ ...imported, position: at, batch: at }],
        },
      ],
      "full",
    );
    assert.deepEqual(await world.engine.openThread("in"), { ok: true });
    assert.deepEqual(await world.submit("new", {}, "in"), { ok: true });
    await settled();
    assert.equal(world.agents.prompts.at(-1), "new");
  });

  it("what is imported into an open thread is there", async () => {
    const world = await World.create();
    const queued = { state: "queued", rank: 1, sequence: null } as const;
    await world.store.commit(
      [
        {
          kind: "import",
          messages: [
            { ...imported, ...queued, thread: world.thread, batchType: null },
          ],
        },
      ],
      "full",
    );
    await world.engine.openThread(world.thread);
    assert.deepEqual(world.queue(), ["imported"]);
  });

  it("a deletion that is undone before all has ended opens the thread", async () => {
    const world = await World.create();
    await world.say("one");
    let end: () => void = () => undefined;
    world.agents.endGate = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const closed = world.engine.closeThread(world.thread);
    await settled();
    const opened = world.engine.openThread(world.thread);
    await settled();
    end();
    await closed;
    assert.deepEqual(await opened, { ok: true });
    assert.equal(world.snapshot.thread.id, world.thread);
  });

  it("a thread is made once, however often it is asked for", async () => {
    const world = await World.create();
    const asked = { id: "new", folder: "/work", agent: "a" };
    const both = [1, 2].map(async () => {
      await world.engine.createThread(asked);
      return world.submit("one", {}, "new");
    });
    await Promise.all(both);
    await settled();
    assert.equal(world.agents.processes.length, 1);
    await world.engine.rename("new", "Named");
    const again = await world.engine.createThread(asked);
    assert.equal("title" in again && again.title, "Named");
    await world.engine.dispose();
    assert.deepEqual(world.agents.alive, []);
  });

  const refused: readonly (readonly [
    title: string,
    ask: (world: World) => Promise<unknown>,
  ])[] = [
    [
      "a new thread",
      ({ engine }) => engine.createThread({ folder: "/work", agent: "a" }),
    ],
    ["opening one", ({ engine, thread }) => engine.openThread(thread)],
    ["taking over", ({ engine }) => engine.takeOver()],
  ];
  for (const [title, ask] of refused)
    it(`I35: after the end ${title} is refused`, async () => {
      const world = await World.create();
      await world.engine.dispose();
      const answer = await ask(world);
      assert.ok(isRefusal(answer));
      assert.equal(answer.reason, "closing");
    });
});

function isRefusal(answer: unknown): answer is { readonly reason: string } {
  return typeof answer === "object" && answer !== null && "reason" in answer;
}

const imported: Message = {
  ...{ id: "imported", thread: "in", sender: alice, marks: {} },
  ...{ arrived: snowflake(1, 0), position: null, rank: null, batch: null },
  ...{ sequence: 0, batchType: "user_request" },
  ...{ parentBatch: null, retryOf: null, state: "delivered" },
  body: { kind: "user", blocks: [{ type: "text", text: "imported" }] },
};
