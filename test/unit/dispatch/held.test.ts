import assert from "node:assert/strict";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { settled } from "../../fakes/clock.ts";
import { alice, World } from "../../fakes/world.ts";

const peer = { kind: "agent", id: "peer", name: "Peer" } as const;

/** A turn that died with its host, and what was queued behind it. */
async function interrupted(
  ...queued: readonly string[]
): Promise<{ readonly world: World; readonly batch: string }> {
  const before = await World.create();
  await before.say("cut off");
  before.agents.turn.say("half");
  await settled();
  for (const text of queued) await before.say(text);
  const world = await before.crash();
  const { batch } = await world.message("cut off");
  return { world, batch: batch ?? "" };
}

describe("a held queue", () => {
  it("is free again when send now has taken its last item", async () => {
    const { world } = await interrupted("only");
    assert.equal(world.snapshot.queue.held, "restored");
    await world.engine.sendNow(world.thread, "only");
    await settled();
    assert.equal(world.snapshot.thread.held, null);
    await world.say("typed meanwhile");
    assert.equal(world.snapshot.queue.held, null);
    await world.endTurn();
    assert.deepEqual(world.agents.prompts.slice(1), [
      "only",
      "typed meanwhile",
    ]);
  });

  it("is not told as an agent that failed while what an earlier host left is ended", async () => {
    const before = await World.create();
    await before.say("cut off");
    await before.say("queued");
    before.agents.leftoverGate = () => new Promise(() => undefined);
    const world = await before.crash();
    assert.deepEqual(
      [world.snapshot.queue.held, world.status, world.snapshot.status.text],
      ["restored", "none", null],
    );
  });

  it("stays held for the rest when send now takes one of several", async () => {
    const { world } = await interrupted("a", "b");
    await world.engine.sendNow(world.thread, "b");
    await settled();
    await world.endTurn();
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.queue(), world.snapshot.queue.held],
      ["b", ["a"], "restored"],
    );
  });

  it("is free again after cancel all, in the middle of a turn too", async () => {
    const { world } = await interrupted("a", "b");
    await world.engine.sendNow(world.thread, "b");
    await settled();
    await world.engine.cancelAll(world.thread);
    await settled();
    assert.equal(world.snapshot.thread.held, null);
    await world.say("next");
    assert.equal(world.agents.prompts.at(-1), "next");
  });

  it("the user's own hold outlives its last item", async () => {
    const world = await World.create();
    await world.engine.hold(world.thread);
    await world.say("one");
    await world.engine.sendNow(world.thread, "one");
    await settled();
    await world.endTurn();
    await world.say("two");
    assert.deepEqual(
      [world.agents.prompts, world.queue(), world.snapshot.queue.held],
      [["one"], ["two"], "user"],
    );
  });

  it("an item that is edited while send now waits for it lifts no hold", async () => {
    const before = await World.create({ agent: { onCancel: "ignore" } });
    await before.say("cut off");
    for (const text of ["a", "b", "c"]) await before.say(text);
    const world = await before.crash();
    await world.engine.sendNow(world.thread, "a");
    await settled();
    await world.engine.sendNow(world.thread, "b");
    await world.engine.beginEdit(world.thread, "b", "view");
    await world.endTurn("cancelled");
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.queue()],
      ["a", ["b", "c"]],
    );
    await world.engine.cancelEdit("view");
    await settled();
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.queue()],
      ["b", ["c"]],
    );
  });

  it("a retry goes, and what was restored waits for its own word", async () => {
    const { world, batch } = await interrupted("queued");
    await world.engine.retry(world.thread, batch);
    await settled();
    await world.endTurn();
    assert.deepEqual(
      [world.agents.prompts, world.queue(), world.snapshot.queue.held],
      [["cut off", "cut off"], ["queued"], "restored"],
    );
    assert.deepEqual(await world.states("cut off"), ["superseded"]);
  });

  it("a continuation goes, and what was restored waits for its own word", async () => {
    const { world, batch } = await interrupted("queued");
    await world.engine.continue(world.thread, batch, {
      id: "go on",
      sender: alice,
      blocks: [{ type: "text", text: "go on" }],
    });
    await settled();
    await world.endTurn();
    assert.deepEqual(
      [world.agents.prompts, world.queue(), world.snapshot.queue.held],
      [["cut off", "go on"], ["queued"], "restored"],
    );
  });
});

describe("the gate at dispatch", () => {
  const settings = {
    allowAgentMessages: "all",
    maxConsecutiveAgentBatches: 1,
  } as const;
  const gates = (world: World): number =>
    world.changes.filter(
      (change) => change.kind === "notice" && change.notice.code === "gate",
    ).length;

  it("is told once for as long as it is closed, and shown all the while", async () => {
    const world = await World.create({ settings });
    await world.say("p1", { sender: peer });
    await world.say("p2", { sender: peer });
    assert.deepEqual([gates(world), world.snapshot.queue.gated], [0, true]);
    await world.endTurn();
    assert.deepEqual([gates(world), world.snapshot.queue.gated], [1, true]);
    await world.say("p3", { sender: peer });
    assert.deepEqual([gates(world), world.snapshot.queue.gated], [1, true]);
    await world.say("mine");
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.snapshot.queue.gated],
      ["p2 + p3 + mine", false],
    );
  });

  it("counts what was sent, not what came back to the queue unsent", async () => {
    const world = await World.create({ settings });
    world.agents.options.startFailures = ["timeout"];
    await world.say("p1", { sender: peer });
    assert.deepEqual(world.queue(), ["p1"]);
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["p1"]);
  });

  it("refuses to send now, before it stops anything for it", async () => {
    const world = await World.create({ settings });
    await world.say("p1", { sender: peer });
    await world.say("p2", { sender: peer });
    for (const id of [null, "p2"]) {
      const reply = await world.engine.sendNow(world.thread, id);
      assert.deepEqual(reply, {
        ok: false,
        reason: "gated",
        detail:
          "The last turn was started by others. Send a message of your own, and the queue goes on.",
      });
    }
    assert.deepEqual(world.agents.prompts, ["p1"]);
    assert.equal(world.snapshot.turn?.cancelling, false);
    await world.say("mine", { now: true });
    await settled();
    assert.deepEqual(world.agents.prompts, ["p1", "mine"]);
  });

  it("lets the user's own item pass, whatever waits before it", async () => {
    const world = await World.create({
      settings: { ...settings, mode: "per-message" },
    });
    await world.say("p1", { sender: peer });
    await world.say("mine");
    await world.say("p2", { sender: peer });
    await world.engine.sendNow(world.thread, "mine");
    await settled();
    assert.equal(world.agents.prompts.at(-1), "mine");
  });

  it("refuses to resume what nothing but the gate keeps; a hold can still be lifted", async () => {
    const world = await World.create({ settings });
    await world.say("p1", { sender: peer });
    await world.say("p2", { sender: peer });
    await world.endTurn();
    const reply = await world.engine.resume(world.thread);
    assert.equal(reply.ok ? "ok" : reply.reason, "gated");
    await world.engine.hold(world.thread);
    assert.deepEqual(await world.engine.resume(world.thread), { ok: true });
    assert.deepEqual(
      [world.snapshot.queue.held, world.snapshot.queue.gated],
      [null, true],
    );
  });

  it("follows its limit when the setting changes, and views are told", async () => {
    const world = await World.create({ settings });
    await world.say("p1", { sender: peer });
    await world.say("p2", { sender: peer });
    await world.endTurn();
    world.engine.configure({
      ...defaultDispatchSettings,
      ...settings,
      maxConsecutiveAgentBatches: 2,
    });
    await settled();
    assert.deepEqual(world.agents.prompts, ["p1", "p2"]);
    await world.say("p3", { sender: peer });
    world.engine.configure({
      ...defaultDispatchSettings,
      ...settings,
      maxConsecutiveAgentBatches: 5,
    });
    const told = world.changes.findLast((change) => change.kind === "queue");
    assert.equal(told?.queue.gated, false);
  });
});
