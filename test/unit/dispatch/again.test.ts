import assert from "node:assert/strict";
import type { Message } from "../../../src/core/message.ts";
import { settled } from "../../fakes/clock.ts";
import { alice, World } from "../../fakes/world.ts";

/** A world whose turn with these messages was aborted by the agent's death, and whose batch that was. */
async function aborted(
  ...texts: readonly string[]
): Promise<{ readonly world: World; readonly batch: string }> {
  const world = await World.create();
  await world.engine.hold(world.thread);
  for (const text of texts) await world.say(text);
  await world.engine.resume(world.thread);
  await settled();
  world.agents.turn.say("half");
  await settled();
  world.agents.process.die();
  await settled();
  const { batch } = await world.message(texts[0] ?? "");
  return { world, batch: batch ?? "" };
}

async function copies(world: World): Promise<readonly Message[]> {
  const { messages } = await world.store.page(world.thread, { limit: 100 });
  return messages.filter(({ retryOf }) => retryOf !== null);
}

describe("retry, continue and discard", () => {
  it("I14: a retry sends copies as a batch of their own; the originals are superseded when they are sent", async () => {
    const { world, batch } = await aborted("a", "b");
    await world.engine.hold(world.thread);
    await world.say("later");
    let go: () => void = () => undefined;
    world.agents.startGate = () =>
      new Promise((resolve) => {
        go = resolve;
      });
    await world.engine.retry(world.thread, batch);
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(await world.states("a", "b"), [
      "seenAborted",
      "seenAborted",
    ]);
    go();
    await settled();
    assert.deepEqual(await world.states("a", "b"), [
      "superseded",
      "superseded",
    ]);
    assert.equal(world.agents.prompts.at(-1), "a + b");
    const made = await copies(world);
    assert.deepEqual(
      made.map(({ retryOf, parentBatch }) => [retryOf, parentBatch]),
      [
        ["a", batch],
        ["b", batch],
      ],
    );
    assert.equal(new Set(made.map((copy) => copy.batch)).size, 1);
    await world.endTurn();
    assert.equal(world.agents.prompts.at(-1), "later");
  });

  it("I14: a copy that is removed before it was sent leaves its original as it was, to be retried again", async () => {
    const { world, batch } = await aborted("a");
    world.agents.options.startFailures = ["timeout"];
    await world.engine.retry(world.thread, batch);
    await settled();
    const [copy = ""] = world.queue();
    await world.engine.remove(world.thread, [copy]);
    assert.deepEqual(await world.states("a"), ["seenAborted"]);
    await world.engine.retry(world.thread, batch);
    await settled();
    assert.deepEqual(await world.states("a"), ["superseded"]);
  });

  it("I14: a queued copy and its original survive a restart together", async () => {
    const { world, batch } = await aborted("a");
    world.agents.options.startFailures = ["timeout"];
    await world.engine.retry(world.thread, batch);
    await settled();
    const next = await world.crash();
    await next.engine.resume(next.thread);
    await settled();
    assert.deepEqual(await next.states("a"), ["superseded"]);
  });

  it("I14: a removed copy that is restored after a restart still supersedes its original", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("begun");
    world.agents.turn.fail("refused");
    await settled();
    await world.say("busy");
    const { batch } = await world.message("one");
    await world.engine.retry(world.thread, batch ?? "");
    const [copy = ""] = world.queue();
    await world.engine.remove(world.thread, [copy]);
    await world.endTurn();
    const next = await world.crash();
    await next.engine.restore(next.thread, [copy]);
    await settled();
    assert.deepEqual(await next.states("one", copy), ["superseded", "sent"]);
  });

  it("I14: a claimed copy and its original survive a restart", async () => {
    const { world, batch } = await aborted("a");
    world.agents.startGate = () => new Promise(() => undefined);
    await world.engine.retry(world.thread, batch);
    await settled();
    assert.equal(world.snapshot.turn?.phase, "claimed");
    world.agents.startGate = () => Promise.resolve();
    const next = await world.crash();
    await next.engine.resume(next.thread);
    await settled();
    assert.deepEqual(await next.states("a"), ["superseded"]);
    await next.endTurn();
    assert.equal((await next.engine.retry(next.thread, batch)).ok, false);
  });

  it("I14: of two copies of one message, only one waits to be sent", async () => {
    const { world, batch } = await aborted("a");
    await world.engine.hold(world.thread);
    await world.engine.retry(world.thread, batch);
    const [first = ""] = world.queue();
    await world.engine.remove(world.thread, [first]);
    await world.engine.retry(world.thread, batch);
    const [second = ""] = world.queue();
    assert.deepEqual(await world.engine.restore(world.thread, [first]), {
      ok: false,
      reason: "nothingToDo",
      detail: "It is being sent again already.",
    });
    await world.engine.remove(world.thread, [second]);
    await world.engine.restore(world.thread, [second, first]);
    assert.deepEqual(world.queue(), [second]);
    await world.engine.resume(world.thread);
    await settled();
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, ["a", "a"]);
    assert.deepEqual(await world.states("a", first, second), [
      "superseded",
      "discarded",
      "delivered",
    ]);
  });

  it("I14: a message that was taken back waits beside no copy of it", async () => {
    const { world, batch } = await aborted("a");
    await world.engine.hold(world.thread);
    await world.engine.retry(world.thread, batch);
    const [copy = ""] = world.queue();
    await world.engine.remove(world.thread, [copy]);
    await world.engine.discard(world.thread, batch);
    await world.engine.restore(world.thread, ["a"]);
    assert.equal((await world.engine.restore(world.thread, [copy])).ok, false);
    assert.deepEqual(world.queue(), ["a"]);
  });

  it("I12: nothing leaves the batch that is being continued", async () => {
    const { world, batch } = await aborted("a", "b");
    await world.engine.discard(world.thread, batch);
    await world.engine.continue(world.thread, batch, go("go on"));
    await world.clock.advance(20_000);
    assert.equal(world.snapshot.turn?.batch, batch);
    const reply = await world.engine.restore(world.thread, ["a"]);
    assert.equal(reply.ok ? "" : reply.reason, "running");
    await world.endTurn();
    const rows = await world.store.batch(world.thread, batch);
    assert.deepEqual(
      rows.map(({ id, body }) => (body.kind === "user" ? id : body.kind)),
      [
        ...["a", "b", "turnStart", "agent", "turnEnd"],
        ...["go on", "turnStart", "turnEnd"],
      ],
    );
    await world.engine.hold(world.thread);
    assert.deepEqual(await world.engine.restore(world.thread, ["a"]), {
      ok: true,
    });
  });

  it("I12: nor is anything of it discarded before its turn has ended", async () => {
    const { world, batch } = await aborted("a");
    await world.engine.continue(world.thread, batch, go("go on"));
    await world.clock.advance(20_000);
    const reply = await world.engine.discard(world.thread, batch);
    assert.equal(reply.ok ? "" : reply.reason, "running");
    await world.endTurn();
    await world.engine.discard(world.thread, batch);
    assert.deepEqual(await world.states("a"), ["discarded"]);
  });

  it("asking twice makes one copy", async () => {
    const { world, batch } = await aborted("a");
    const replies = await Promise.all([
      world.engine.retry(world.thread, batch),
      world.engine.retry(world.thread, batch),
    ]);
    await settled();
    assert.deepEqual(
      replies.map(({ ok }) => ok),
      [true, false],
    );
    assert.equal((await copies(world)).length, 1);
  });

  it("what was delivered cannot be retried; what is discarded stays so", async () => {
    const { world, batch } = await aborted("a");
    await world.engine.discard(world.thread, batch);
    assert.deepEqual(await world.states("a"), ["discarded"]);
    assert.equal((await world.engine.retry(world.thread, batch)).ok, false);
    await world.say("b");
    await world.endTurn();
    const done = (await world.message("b")).batch ?? "";
    assert.equal((await world.engine.retry(world.thread, done)).ok, false);
  });

  it("I12: a continuation extends the batch while it is the newest", async () => {
    const world = await World.create();
    await world.say("a");
    await world.endTurn("max_tokens");
    const { batch } = await world.message("a");
    await world.engine.continue(world.thread, batch ?? "", go("go on"));
    await settled();
    await world.endTurn();
    const more = await world.message("go on");
    assert.deepEqual(
      [more.batch, more.sequence, more.batchType],
      [batch, 3, "user_request"],
    );
    assert.deepEqual(await world.transcript(), [
      "user a",
      "start full",
      "end max_tokens",
      "user go on",
      "start delta",
      "end end_turn",
    ]);
  });

  it("a continuation waits for no window", async () => {
    const world = await World.create({ settings: { collectWindowMs: 500 } });
    await world.say("a");
    await world.clock.advance(500);
    await world.endTurn("max_tokens");
    const { batch } = await world.message("a");
    await world.engine.continue(world.thread, batch ?? "", go("go on"));
    await settled();
    assert.deepEqual(world.agents.prompts, ["a", "go on"]);
  });

  it("I12: after a restart too, though an older batch had late records meanwhile", async () => {
    const world = await World.create();
    await world.say("old");
    world.agents.turn.tell({
      kind: "tool",
      toolCallId: "t",
      status: "in_progress",
    });
    await world.endTurn();
    await world.say("a");
    world.agents.turn.say("begun");
    await world.endTurn("max_tokens");
    world.agents.process.say("s1", {
      kind: "tool",
      toolCallId: "t",
      status: "completed",
    });
    await settled();
    assert.ok((await world.transcript()).at(-1)?.startsWith("result late"));
    const next = await world.crash();
    const { batch } = await next.message("a");
    await next.engine.continue(next.thread, batch ?? "", go("go on"));
    await settled();
    assert.equal((await next.message("go on")).batch, batch);
  });

  it("otherwise it makes a new batch that names its parent", async () => {
    const world = await World.create();
    await world.say("a");
    await world.endTurn("max_tokens");
    await world.say("b");
    await world.endTurn();
    const { batch } = await world.message("a");
    await world.submit("go on", { continues: batch ?? "" });
    await settled();
    const more = await world.message("go on");
    assert.deepEqual(
      [more.batch, more.batchType, more.parentBatch],
      [more.position, "continuation", batch],
    );
  });

  it("a continuation shares its turn with nothing else", async () => {
    const world = await World.create();
    await world.say("a");
    await world.endTurn("max_tokens");
    const { batch } = await world.message("a");
    await world.engine.hold(world.thread);
    await world.say("queued");
    await world.engine.continue(world.thread, batch ?? "", go("go on"));
    await world.engine.resume(world.thread);
    await settled();
    assert.equal(world.agents.prompts.at(-1), "go on");
    await world.endTurn();
    assert.equal(world.agents.prompts.at(-1), "queued");
  });
});

function go(text: string) {
  return { id: text, sender: alice, blocks: [{ type: "text", text }] } as const;
}
