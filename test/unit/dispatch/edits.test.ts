import assert from "node:assert/strict";
import type { Reply } from "../../../src/core/dispatch/events.ts";
import type { Block } from "../../../src/core/message.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

async function waiting(...queued: readonly string[]): Promise<World> {
  const world = await World.create();
  await world.say("running");
  for (const text of queued) await world.say(text);
  return world;
}

const text = (value: string) => [{ type: "text", text: value }] as const;
/** Saves a text as two messages, cut at an offset. */
const split = (
  { engine, thread }: World,
  id: string,
  words: string,
  offset: number,
  holder = "view",
): Promise<Reply> =>
  engine.saveEdit(thread, id, holder, text(words), [0, 1], {
    offset,
    newId: "second",
  });
const reason = (reply: Reply): string => (reply.ok ? "ok" : reply.reason);

describe("the queue is the user's", () => {
  it("I13: an edit keeps the place", async () => {
    const world = await waiting("a", "b", "c");
    await world.engine.beginEdit(world.thread, "b", "view");
    await world.engine.saveEdit(world.thread, "b", "view", text("B"));
    assert.deepEqual(world.queue(), ["a", "b", "c"]);
    await world.endTurn();
    assert.equal(world.agents.prompts.at(-1), "a + B + c");
  });

  it("I20: an edit and a split keep what hangs on the message", async () => {
    const log: Block = {
      type: "resource",
      uri: "attachment:///log.txt",
      text: "all of the log",
    };
    const picture: Block = {
      type: "image",
      mimeType: "image/png",
      blob: "hash",
      bytes: 4,
    };
    const world = await waiting();
    const { engine, thread } = world;
    await world.say("ab", { blocks: [...text("ab"), log, picture] });
    const blocks = (): readonly Block[] => {
      const [item] = engine.snapshot(thread)?.queue.items ?? [];
      return item?.message.body.kind === "user" ? item.message.body.blocks : [];
    };
    const save = (words: string, kept: readonly number[]): Promise<Reply> =>
      engine.saveEdit(
        thread,
        "ab",
        "view",
        words === "" ? [] : text(words),
        kept,
      );
    await save("one two", [0, 1]);
    assert.deepEqual(blocks(), [...text("one two"), log, picture]);
    await split(world, "ab", "one two", 3);
    assert.deepEqual(blocks(), [...text("one"), log, picture]);
    await save("one", [0]);
    assert.deepEqual(blocks(), [...text("one"), log]);
    await save("", [0, 7]);
    assert.deepEqual(blocks(), [log]);
    assert.equal(reason(await save("", [])), "nothingToDo");
  });

  it("I21: an item being edited, and what follows it, stay behind when a batch is claimed", async () => {
    const world = await waiting("a", "b", "c");
    await world.engine.beginEdit(world.thread, "b", "view");
    await world.endTurn();
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.queue()],
      ["a", ["b", "c"]],
    );
    await world.endTurn();
    assert.equal(world.agents.prompts.length, 2);
    await world.engine.saveEdit(world.thread, "b", "view", text("B"));
    await settled();
    assert.equal(world.agents.prompts.at(-1), "B + c");
  });

  const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    Escape: (world) => world.engine.cancelEdit("view", world.thread, "a"),
    "a vanished view": (world) => world.engine.cancelEdit("view"),
    "five minutes": (world) => world.clock.advance(5 * 60_000),
    "its removal": (world) => world.engine.remove(world.thread, ["a"]),
  };
  for (const [how, end] of Object.entries(ends))
    it(`I21: the lease ends with ${how}`, async () => {
      const world = await waiting("a", "b");
      await world.engine.beginEdit(world.thread, "a", "view");
      await world.endTurn();
      assert.equal(world.agents.prompts.length, 1);
      await end(world);
      await settled();
      assert.equal(
        world.agents.prompts.at(-1),
        how === "its removal" ? "b" : "a + b",
      );
    });

  it("I21: another view can neither edit, split, mark nor send what is being edited", async () => {
    const world = await waiting("a", "b");
    const { engine, thread } = world;
    await engine.beginEdit(thread, "a", "view");
    const replies = await Promise.all([
      engine.beginEdit(thread, "a", "other"),
      engine.saveEdit(thread, "a", "other", text("x")),
      split(world, "a", "ab", 1, "other"),
      engine.setSeparate(thread, "a", true),
      engine.merge(thread, "b", "a"),
      engine.sendNow(thread, "a"),
    ]);
    assert.deepEqual(replies.map(reason), Array(6).fill("beingEdited"));
    assert.equal(world.status, "busy");
  });

  it("I21: two views can edit two items at once, and both stay behind", async () => {
    const world = await waiting("a", "b", "c");
    await world.engine.beginEdit(world.thread, "c", "view");
    await world.engine.beginEdit(world.thread, "b", "other");
    await world.endTurn();
    assert.deepEqual(world.queue(), ["b", "c"]);
    await world.engine.cancelEdit("other");
    await world.endTurn();
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.queue()],
      ["b", ["c"]],
    );
  });

  it("I21: what was claimed can no longer be changed", async () => {
    const world = await waiting("a");
    const { engine, thread } = world;
    const replies = await Promise.all([
      engine.beginEdit(thread, "running", "view"),
      engine.saveEdit(thread, "running", "view", text("x")),
      engine.remove(thread, ["running"]),
      engine.reorder(thread, "running", null),
      engine.sendNow(thread, "running"),
      engine.setSeparate(thread, "running", true),
      engine.saveEdit(thread, "running", "view", text("xy"), [], {
        offset: 1,
        newId: "n",
      }),
      engine.merge(thread, "running", "a"),
      engine.merge(thread, "a", "running"),
    ]);
    assert.deepEqual(replies.map(reason), Array(9).fill("notQueued"));
    assert.deepEqual(world.queue(), ["a"]);
  });

  it("I13: reordered messages go in the new order, which survives a restart", async () => {
    const world = await waiting("a", "b", "c", "d");
    await world.engine.reorder(world.thread, "d", "a");
    await world.engine.reorder(world.thread, "a", null);
    assert.deepEqual(world.queue(), ["d", "b", "c", "a"]);
    const next = await world.crash();
    assert.deepEqual(next.queue(), ["d", "b", "c", "a"]);
    await next.engine.resume(next.thread);
    await settled();
    assert.equal(next.agents.prompts.at(-1), "d + b + c + a");
  });

  it("I14: a copy of a retry is not split: its original is superseded whole or not at all", async () => {
    const world = await World.create();
    await world.say("one two");
    world.agents.turn.say("half");
    world.agents.process.die();
    await settled();
    const { batch } = await world.message("one two");
    await world.engine.hold(world.thread);
    await world.engine.retry(world.thread, batch ?? "");
    const [copy = ""] = world.queue();
    assert.equal(
      reason(await split(world, copy, "one two", 3)),
      "notSplittable",
    );
    assert.deepEqual(world.queue(), [copy]);
  });

  it("I21: a split is one step: it holds when the turn has ended meanwhile", async () => {
    const world = await waiting("onetwo");
    await world.engine.beginEdit(world.thread, "onetwo", "view");
    await world.endTurn();
    assert.equal(world.agents.prompts.length, 1);
    assert.equal(reason(await split(world, "onetwo", "one two!", 4)), "ok");
    await settled();
    assert.equal(world.agents.prompts.at(-1), "one  + two!");
  });

  it("a split that leaves nothing on one side changes nothing, and the edit goes on", async () => {
    const world = await waiting("onetwo");
    await world.engine.beginEdit(world.thread, "onetwo", "view");
    assert.equal(
      reason(await split(world, "onetwo", "new  ", 3)),
      "nothingToDo",
    );
    await world.endTurn();
    assert.deepEqual(world.queue(), ["onetwo"]);
    await world.engine.cancelEdit("view");
    await settled();
    assert.equal(world.agents.prompts.at(-1), "onetwo");
  });

  it("a split makes a new message beside it; both survive a restart in place", async () => {
    const world = await waiting("a", "onetwo", "z");
    await split(world, "onetwo", "onetwo", 3);
    assert.deepEqual(world.queue(), ["a", "onetwo", "second", "z"]);
    const next = await world.crash();
    await next.engine.resume(next.thread);
    await settled();
    assert.equal(next.agents.prompts.at(-1), "a + one + two + z");
  });

  it("a merge keeps the first id and remembers both; neither can be sent twice", async () => {
    const world = await waiting("a", "b", "c");
    await world.engine.merge(world.thread, "a", "b");
    assert.deepEqual(world.queue(), ["a", "c"]);
    assert.deepEqual((await world.message("a")).marks.merged, ["b"]);
    assert.deepEqual(await world.say("b"), { ok: true, note: "duplicate" });
    assert.equal(
      reason(await world.engine.restore(world.thread, ["b"])),
      "nothingToDo",
    );
    await world.endTurn();
    assert.equal(world.agents.prompts.at(-1), "ab + c");
    assert.deepEqual(await world.say("b"), { ok: true, note: "duplicate" });
  });

  it("messages of different senders do not merge", async () => {
    const world = await waiting("a");
    await world.say("p", {
      sender: { kind: "agent", id: "p", name: "P" },
      mentions: [world.thread],
    });
    assert.equal(
      reason(await world.engine.merge(world.thread, "a", "p")),
      "notMergeable",
    );
  });

  it("a removed message comes back to its place", async () => {
    const world = await waiting("a", "b", "c");
    await world.engine.remove(world.thread, ["b"]);
    assert.deepEqual(world.queue(), ["a", "c"]);
    await world.engine.restore(world.thread, ["b"]);
    assert.deepEqual(world.queue(), ["a", "b", "c"]);
  });

  it("a hold keeps everything until resumed, also across turns and restarts", async () => {
    const world = await waiting("a");
    await world.engine.hold(world.thread);
    await world.endTurn();
    await world.say("b");
    assert.equal(world.agents.prompts.length, 1);
    const next = await world.crash({ settings: { restoreQueue: "resume" } });
    assert.deepEqual(
      [next.snapshot.queue.held, next.queue()],
      ["user", ["a", "b"]],
    );
    await next.engine.resume(next.thread);
    await settled();
    assert.equal(next.agents.prompts.at(-1), "a + b");
  });

  it("the user's own hold outlasts another agent and a retry", async () => {
    const world = await World.create();
    const { engine, thread } = world;
    await world.say("one");
    world.agents.turn.say("begun");
    world.agents.turn.fail("refused");
    await settled();
    await engine.hold(thread);
    await engine.setAgent(thread, "b");
    await world.say("two");
    await engine.retry(thread, (await world.message("one")).batch ?? "");
    await settled();
    assert.equal(world.queue().length, 2);
    assert.equal(world.snapshot.queue.held, "user");
    await engine.resume(thread);
    await settled();
    assert.equal(world.agents.prompts.length, 2);
  });

  it("a hold that stands for nothing any more does not catch the next message", async () => {
    const world = await World.create({ agent: { startFailures: ["timeout"] } });
    await world.say("a");
    assert.equal(world.snapshot.queue.held, "startFailed");
    await world.engine.remove(world.thread, ["a"]);
    assert.equal(world.snapshot.queue.held, null);
    await world.say("b");
    assert.deepEqual(world.agents.prompts, ["b"]);
  });

  it("empty messages are refused, and so are edits that would empty one", async () => {
    const world = await waiting("a");
    assert.equal(reason(await world.say("e", { blocks: [] })), "nothingToDo");
    assert.equal(
      reason(
        await world.engine.saveEdit(world.thread, "a", "view", text("  ")),
      ),
      "nothingToDo",
    );
  });

  it("I48: each queued message shows its own state", async () => {
    const world = await waiting("a", "/go", "c");
    await world.engine.setSeparate(world.thread, "c", true);
    await world.engine.beginEdit(world.thread, "c", "view");
    assert.deepEqual(
      world.snapshot.queue.items.map(({ message, alone, command, editing }) => [
        message.id,
        message.state,
        alone,
        command,
        editing,
      ]),
      [
        ["a", "queued", false, false, null],
        ["/go", "queued", true, true, null],
        ["c", "queued", true, false, "view"],
      ],
    );
    assert.equal(world.snapshot.queue.next, 1);
  });

  it("the turns to come are planned as they would be claimed: what is edited, and what follows, comes after", async () => {
    const world = await waiting("a", "b", "c", "d");
    const plan = () => world.snapshot.queue.plan.map((ids) => ids.join(""));
    assert.deepEqual(plan(), ["abcd"]);
    await world.engine.beginEdit(world.thread, "c", "view");
    assert.deepEqual([plan(), world.snapshot.queue.next], [["ab", "cd"], 2]);
    await world.engine.beginEdit(world.thread, "a", "view");
    assert.deepEqual([plan(), world.snapshot.queue.next], [["abcd"], 0]);
    await world.engine.cancelEdit("view");
    await world.engine.sendNow(world.thread, "d");
    assert.deepEqual(plan(), ["d", "abc"]);
  });
});
