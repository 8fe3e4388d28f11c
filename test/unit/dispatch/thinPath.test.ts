import assert from "node:assert/strict";
import type { AgentFailureKind } from "../../../src/core/agentPort.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

describe("one turn after the other", () => {
  it("goes from a message to an answer, stored row by row", async () => {
    const world = await World.create();
    assert.deepEqual(await world.say("hello"), { ok: true });
    assert.deepEqual(world.agents.acts, ["start a", "new s1", "prompt hello"]);
    assert.equal(world.status, "busy");
    world.agents.turn.say("hi ").say("there");
    await world.endTurn();
    assert.equal(world.status, "ready");
    assert.deepEqual(await world.transcript(), [
      "user hello",
      "start full",
      "agent hi there",
      "end end_turn",
    ]);
    assert.deepEqual(await world.states("hello"), ["delivered"]);
  });

  it("I17: what was queued during a turn goes into the next turn together", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    await world.say("three");
    assert.deepEqual(world.queue(), ["two", "three"]);
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, ["one", "two + three"]);
    assert.deepEqual(world.queue(), []);
    await world.endTurn();
    assert.deepEqual(await world.states("one", "two", "three"), [
      "delivered",
      "delivered",
      "delivered",
    ]);
    const two = await world.message("two");
    const three = await world.message("three");
    assert.equal(two.batch, two.position);
    assert.deepEqual([three.batch, three.sequence], [two.batch, 1]);
  });

  it("accepts, claims and records the intent of an idle message in one transaction, before the prompt is written", async () => {
    const world = await World.create();
    await world.say("one");
    await world.endTurn();
    const before = world.store.commits.length;
    await world.say("two");
    const commit = world.store.commits[before];
    assert.deepEqual(
      commit?.writes.map((write) =>
        write.kind === "append" ? write.record.body.kind : write.kind,
      ),
      ["thread", "accept", "claim", "turnStart", "state"],
    );
    assert.equal(commit.durability, "full");
  });

  it("cancel ends the running turn, and the queue goes next", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    await world.engine.cancel(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.ok((await world.transcript()).includes("end cancelled"));
  });

  const held: Readonly<Record<AgentFailureKind, string>> = {
    notFound: "notInstalled",
    exited: "startFailed",
    timeout: "startFailed",
    protocol: "startFailed",
    signIn: "signIn",
    noSession: "startFailed",
    refused: "startFailed",
  };
  for (const [kind, reason] of Object.entries(held) as [
    AgentFailureKind,
    string,
  ][])
    for (const stage of ["startFailures", "newFailures"] as const)
      it(`I25: ${stage} ${kind} leaves the batch at the head and holds the queue as ${reason}`, async () => {
        const world = await World.create({ agent: { [stage]: [kind] } });
        await world.say("one");
        await world.say("two");
        assert.deepEqual(world.queue(), ["one", "two"]);
        const { queue, status } = world.snapshot;
        assert.deepEqual(
          [queue.held, queue.cause],
          [reason, `It failed: ${kind}.`],
        );
        assert.equal(status.state, "failed");
        assert.ok(world.changes.some((change) => change.kind === "notice"));
        assert.deepEqual(world.agents.alive.length, 0);
        await world.engine.resume(world.thread);
        await settled();
        assert.deepEqual(world.agents.prompts, ["one + two"]);
      });

  it("an unknown agent is told as not installed, and another can be chosen", async () => {
    const world = await World.create();
    await world.engine.setAgent(world.thread, "unknown");
    await world.say("one");
    assert.equal(world.snapshot.queue.held, "notInstalled");
    await world.engine.setAgent(world.thread, "b");
    await settled();
    assert.deepEqual(world.agents.acts, ["start b", "new s1", "prompt one"]);
  });

  it("comes back after a crash: the interrupted turn is told, the queue is held, one click goes on", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("half an ans");
    await settled();
    await world.say("two");
    const next = await world.crash();
    assert.deepEqual(await next.states("one", "two"), [
      "seenAborted",
      "queued",
    ]);
    assert.equal(next.snapshot.queue.held, "restored");
    assert.equal((await next.transcript()).at(-1), "end interrupted");
    assert.deepEqual(next.agents.acts.at(-1), "leftover n1");
    await next.engine.resume(next.thread);
    await settled();
    assert.deepEqual(next.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });
});
