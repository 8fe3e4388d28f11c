import assert from "node:assert/strict";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

async function busy(...queued: readonly string[]): Promise<World> {
  const world = await World.create();
  await world.say("running");
  for (const text of queued) await world.say(text);
  return world;
}

/** A world whose agent takes its time to start. */
async function starting(
  text: string,
): Promise<{ readonly world: World; readonly go: () => void }> {
  const world = await World.create();
  let go: () => void = () => undefined;
  world.agents.startGate = () =>
    new Promise((resolve) => {
      go = resolve;
    });
  await world.say(text);
  return { world, go: () => go() };
}

describe("cancel", () => {
  it("I26: keeps the queue, which goes next", async () => {
    const world = await busy("a", "b");
    await world.engine.cancel(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["running", "a + b"]);
    assert.deepEqual(await world.states("running"), ["delivered"]);
  });

  it("I26: afterCancel hold holds it, and only when something waits", async () => {
    const world = await World.create({ settings: { afterCancel: "hold" } });
    await world.say("one");
    await world.engine.cancel(world.thread);
    await settled();
    assert.equal(world.snapshot.queue.held, null);
    await world.say("two");
    await world.say("three");
    await world.engine.cancel(world.thread);
    await settled();
    assert.deepEqual(
      [world.snapshot.queue.held, world.queue()],
      ["cancelled", ["three"]],
    );
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one", "two", "three"]);
  });

  it("I26: cancel all empties the queue as of that instant, those past the cap included, and restores each to its place", async () => {
    const world = await busy();
    world.engine.configure({
      ...defaultDispatchSettings,
      maxBufferedMessages: 2,
    });
    for (const text of ["a", "b", "c", "d"]) await world.say(text);
    const cancelled = world.engine.cancelAll(world.thread);
    const after = world.submit("typed after");
    await Promise.all([cancelled, after]);
    await settled();
    assert.deepEqual(await world.states("a", "b", "c", "d"), [
      "discarded",
      "discarded",
      "discarded",
      "discarded",
    ]);
    assert.deepEqual(world.agents.prompts, ["running", "typed after"]);
    assert.deepEqual(
      world.snapshot.discarded.map(({ id }) => id),
      ["a", "b", "c", "d"],
    );
    await world.engine.restore(world.thread, ["d", "b", "a", "c"]);
    assert.deepEqual(world.queue(), ["a", "b", "c", "d"]);
    assert.deepEqual(world.snapshot.discarded, []);
  });

  it("I26: what was cancelled can be restored after a restart", async () => {
    const world = await busy("a");
    await world.engine.cancelAll(world.thread);
    await settled();
    const next = await world.crash();
    assert.deepEqual(await next.engine.restore(next.thread, ["a"]), {
      ok: true,
    });
    await settled();
    assert.deepEqual(next.agents.prompts, ["running", "a"]);
  });

  it("I27: before the turn was sent it prevents it; its messages are discarded, with Restore", async () => {
    const { world, go } = await starting("one");
    assert.equal(world.status, "starting");
    await world.engine.cancel(world.thread);
    go();
    await settled();
    assert.deepEqual(world.agents.prompts, []);
    assert.deepEqual(await world.states("one"), ["discarded"]);
    assert.equal((await world.message("one")).batch, null);
    assert.equal(world.status, "ready");
    await world.engine.restore(world.thread, ["one"]);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one"]);
  });

  it("I27: one that comes while the write-intent is being committed cancels the turn that was sent", async () => {
    const world = await World.create();
    await world.say("one");
    await world.endTurn();
    let open: () => void = () => undefined;
    world.store.gate = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    const said = world.submit("two");
    await settled();
    const cancelled = world.engine.cancel(world.thread);
    world.store.gate = () => Promise.resolve();
    open();
    await Promise.all([said, cancelled]);
    await settled();
    assert.deepEqual(world.agents.acts.slice(-2), ["prompt two", "cancel s1"]);
    assert.equal((await world.transcript()).at(-1), "end cancelled");
  });

  for (const onCancel of ["cancelled", "end_turn", "error", "ignore"] as const)
    it(`I29: is recorded as cancelled when the agent answers ${onCancel}`, async () => {
      const world = await World.create({ agent: { onCancel } });
      await world.say("one");
      world.agents.turn.say("working");
      await world.engine.cancel(world.thread);
      await world.clock.advance(10_000);
      assert.equal((await world.transcript()).at(-1), "end cancelled");
      assert.deepEqual(await world.states("one"), ["delivered"]);
      assert.equal(world.agents.alive.length, onCancel === "ignore" ? 0 : 1);
    });

  const ends: Readonly<Record<string, (world: World) => void>> = {
    "dies of it": ({ agents }) => agents.process.die(),
    "answers an error": ({ agents }) => agents.turn.fail("refused"),
  };
  for (const [how, happens] of Object.entries(ends))
    it(`I29: is recorded as cancelled when the agent ${how}, unread messages being uncertain`, async () => {
      const world = await World.create({ agent: { onCancel: "ignore" } });
      await world.say("one");
      await world.engine.cancel(world.thread);
      happens(world);
      await settled();
      assert.equal((await world.transcript()).at(-1), "end cancelled");
      assert.deepEqual(await world.states("one"), ["uncertain"]);
    });

  it("I30: the next prompt waits for the response, however long an agent takes within the grace", async () => {
    const world = await World.create({ agent: { onCancel: "ignore" } });
    await world.say("one");
    await world.say("two");
    await world.engine.cancel(world.thread);
    await world.clock.advance(9_999);
    assert.deepEqual(world.agents.prompts, ["one"]);
    await world.endTurn("cancelled");
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.equal(world.agents.process.most, 1);
  });

  it("I30: or for the confirmed death of the process", async () => {
    const world = await World.create({ agent: { onCancel: "ignore" } });
    await world.say("one");
    await world.say("two");
    let gone: () => void = () => undefined;
    world.agents.endGate = () =>
      new Promise((resolve) => {
        gone = resolve;
      });
    await world.engine.cancel(world.thread);
    await world.clock.advance(60_000);
    assert.deepEqual(
      world.agents.acts.filter((act) => act.startsWith("start")),
      ["start a"],
    );
    gone();
    await world.clock.advance(1_000);
    assert.deepEqual(world.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("I30: across restarts, a left-over process is ended before its session is resumed", async () => {
    const world = await busy("next");
    let ended: () => void = () => undefined;
    world.agents.leftoverGate = () =>
      new Promise((resolve) => {
        ended = resolve;
      });
    const next = await world.crash({ settings: { restoreQueue: "resume" } });
    await settled();
    assert.deepEqual(next.agents.prompts, ["running"]);
    ended();
    await settled();
    assert.deepEqual(next.agents.acts.slice(-4), [
      "leftover n1",
      "start a",
      "resume s1",
      "prompt next",
    ]);
  });

  it("I31: open permissions are answered `cancelled`, and a queued message never answers one", async () => {
    const world = await busy();
    const id = world.agents.turn.ask("tool");
    await settled();
    assert.equal(world.status, "waiting");
    await world.say("yes");
    assert.deepEqual(world.agents.process.answers, []);
    assert.deepEqual(
      world.snapshot.permissions.map((open) => open.id),
      [id],
    );
    await world.engine.cancel(world.thread);
    await settled();
    assert.deepEqual(world.snapshot.permissions, []);
    assert.ok((await world.transcript()).includes("permission tool null"));
    assert.deepEqual(
      await world.engine.answerPermission(world.thread, id, "yes"),
      {
        ok: false,
        reason: "nothingToDo",
        detail: "The question is no longer open.",
      },
    );
    assert.deepEqual(world.agents.process.answers, []);
  });

  it("I31: a question is void with the cancel, even if the agent does not hear it", async () => {
    const world = await busy();
    world.agents.turn.ask("tool");
    await settled();
    world.agents.process.stopped = true;
    await world.engine.cancel(world.thread);
    await settled();
    assert.deepEqual([world.status, world.snapshot.permissions], ["busy", []]);
  });

  for (const end of ["reset", "death"] as const)
    it(`I31: open permissions are closed by ${end}`, async () => {
      const world = await busy();
      world.agents.turn.ask("tool");
      await settled();
      if (end === "reset") await world.engine.reset(world.thread);
      else world.agents.process.die();
      await settled();
      assert.deepEqual(world.snapshot.permissions, []);
      assert.ok((await world.transcript()).includes("permission tool null"));
    });

  it("I31: the user's own answer reaches the agent and the record", async () => {
    const world = await busy();
    const id = world.agents.turn.ask("tool");
    await settled();
    await world.engine.answerPermission(world.thread, id, "yes");
    await settled();
    assert.deepEqual(world.agents.process.answers, [{ id, option: "yes" }]);
    assert.ok((await world.transcript()).includes("permission tool yes"));
    assert.equal(world.status, "busy");
  });
});

describe("send now", () => {
  it("on an item: cancels, waits for the response, then sends that item alone", async () => {
    const world = await busy("a", "b", "c");
    await world.engine.sendNow(world.thread, "b");
    await settled();
    assert.deepEqual(world.agents.prompts, ["running", "b"]);
    assert.deepEqual(world.queue(), ["a", "c"]);
    await world.endTurn();
    assert.deepEqual(world.agents.prompts.at(-1), "a + c");
  });

  it("on the queue: sends all of it, a hold notwithstanding", async () => {
    const world = await busy("a", "b");
    await world.engine.hold(world.thread);
    await world.engine.sendNow(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["running", "a + b"]);
  });

  it("on an item of a held queue: sends that item, and the rest stays held", async () => {
    const world = await World.create();
    await world.engine.hold(world.thread);
    await world.say("a");
    await world.say("b");
    await world.engine.sendNow(world.thread, "b");
    await settled();
    await world.endTurn();
    assert.deepEqual([world.agents.prompts, world.queue()], [["b"], ["a"]]);
  });

  it("on two items of a held queue, before the response: sends each alone, in that order", async () => {
    const world = await busy("a", "b", "c");
    await world.engine.hold(world.thread);
    world.agents.options.onCancel = "ignore";
    await world.engine.sendNow(world.thread, "b");
    await world.engine.sendNow(world.thread, "a");
    await world.endTurn("cancelled");
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, ["running", "b", "a"]);
    assert.deepEqual(world.queue(), ["c"]);
  });

  it("a message can be submitted so", async () => {
    const world = await busy("a");
    await world.say("now!", { now: true });
    assert.deepEqual(world.agents.prompts, ["running", "now!"]);
    assert.deepEqual(world.queue(), ["a"]);
  });

  it("while the agent starts: the item goes first, what was claimed waits at the head", async () => {
    const { world, go } = await starting("one");
    await world.say("two");
    await world.engine.sendNow(world.thread, "two");
    go();
    await settled();
    assert.deepEqual([world.agents.prompts, world.queue()], [["two"], ["one"]]);
  });

  it("I29: a cancelled turn is recorded as cancelled, also when the host ends before the agent has answered", async () => {
    const world = await World.create({ agent: { onCancel: "ignore" } });
    await world.say("one");
    world.agents.turn.say("half");
    await world.engine.cancel(world.thread);
    await world.engine.dispose();
    assert.equal((await world.transcript()).at(-1), "end cancelled");
    assert.deepEqual(await world.states("one"), ["delivered"]);
  });
});
