import assert from "node:assert/strict";
import { settled } from "../../fakes/clock.ts";
import { World, type WorldOptions } from "../../fakes/world.ts";

const hour = 3_600_000;

async function running(options: WorldOptions = {}): Promise<World> {
  const world = await World.create(options);
  await world.say("one");
  return world;
}

describe("liveness", () => {
  it("I32: a tool silent for an hour in an agent that answers probes is not stuck", async () => {
    const world = await running();
    world.agents.turn.tell({
      kind: "tool",
      toolCallId: "t",
      status: "in_progress",
    });
    await world.clock.advance(hour);
    assert.equal(world.status, "busy");
    assert.ok(world.agents.process.probed > 700);
    const { since, signAt } = world.snapshot.status;
    assert.equal(world.clock.now() - since, hour);
    assert.ok(world.clock.now() - (signAt ?? 0) <= 5_000);
  });

  it("I34: a stopped agent is recovered after 30 s without a sign of life, and pending messages go on", async () => {
    const world = await running();
    await world.clock.advance(60_000);
    await world.say("two");
    world.agents.process.stopped = true;
    await world.clock.advance(29_999);
    assert.equal(world.status, "busy");
    await world.clock.advance(5_001);
    assert.equal(world.status, "stuck");
    assert.equal(world.agents.acts.at(-1), "cancel s1");
    await world.clock.advance(9_999);
    assert.equal(world.agents.alive.length, 1);
    await world.clock.advance(1);
    assert.deepEqual(await world.states("one"), ["uncertain"]);
    assert.equal((await world.transcript()).at(-1), "end stuck");
    assert.equal(world.status, "restarting");
    await world.clock.advance(1_000);
    assert.deepEqual(world.agents.acts.slice(-4), [
      "end n1",
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("I34: an agent that hangs on its very first prompt was probed while it was idle", async () => {
    const world = await running({
      agent: { script: ({ process }) => (process.stopped = true) },
    });
    await world.clock.advance(29_999);
    assert.equal(world.status, "busy");
    await world.clock.advance(5_001);
    assert.equal(world.status, "stuck");
    await world.clock.advance(10_000);
    assert.deepEqual(await world.states("one"), ["uncertain"]);
  });

  it("I36: a timer that comes a fraction too early strands nothing", async () => {
    const world = await running();
    await world.say("two");
    world.clock.earlyBy = 0.25;
    world.clock.creep = 0.2;
    await world.clock.advance(7_000);
    world.agents.process.stopped = true;
    await world.clock.advance(60_000);
    assert.equal(world.agents.prompts.at(-1), "two");
  });

  it("I34: what the agent had begun to answer is seen, not uncertain", async () => {
    const world = await running();
    world.agents.turn.say("I am on it");
    world.agents.process.stopped = true;
    await world.clock.advance(45_000);
    assert.deepEqual(await world.states("one"), ["seenAborted"]);
  });

  it("I34: a second time in a row, the session is given up for a new generation", async () => {
    const world = await running();
    await world.say("two");
    await world.say("three", { separate: true });
    for (const start of ["resume s1", "new s2"]) {
      world.agents.process.stopped = true;
      await world.clock.advance(45_000 + 4_000);
      assert.ok(world.agents.acts.includes(start), start);
    }
    assert.equal(world.agents.prompts.at(-1), "three");
  });

  it("I34: a dead agent is noticed at once, its session resumed after a moment", async () => {
    const world = await running();
    world.agents.turn.say("half");
    await world.say("two");
    world.agents.process.die();
    await settled();
    assert.deepEqual(await world.states("one"), ["seenAborted"]);
    assert.equal(world.status, "restarting");
    await world.clock.advance(1_000);
    assert.deepEqual(world.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("I33: jumps of the wall clock mean nothing", async () => {
    const world = await running();
    for (const jump of [-hour, 24 * hour, -2 * hour]) {
      world.clock.jump(jump);
      await world.clock.advance(5_000);
    }
    assert.equal(world.status, "busy");
  });

  it("I33: nor does sleep, nor a blocked host, however often", async () => {
    const world = await running();
    await world.clock.advance(5_000);
    for (let n = 0; n < 10; n += 1) {
      world.agents.process.stopped = true;
      await world.clock.freeze(40_000);
      world.agents.process.stopped = false;
      await world.clock.advance(1_000);
    }
    assert.equal(world.status, "busy");
  });

  it("I33: silence is judged only after input that was waiting has been read", async () => {
    const world = await running();
    await world.clock.advance(5_000);
    const { process } = world.agents;
    process.stopped = true;
    for (let n = 0; n < 10; n += 1) {
      // The host is busy for longer than a tick; the answer lies in the pipe when the timer runs.
      const answered = new Promise<void>((resolve) => {
        setImmediate(() => {
          process.events.alive();
          resolve();
        });
      });
      await world.clock.freeze(6_000);
      await answered;
    }
    assert.equal(world.status, "busy");
  });

  it("an agent that leaves its first, idle probe unanswered is never probed: only its death counts", async () => {
    const world = await running({ agent: { probes: false } });
    await world.clock.advance(hour);
    assert.equal(world.agents.process.probed, 1);
    assert.deepEqual(
      [world.status, world.snapshot.status.probed],
      ["busy", false],
    );
    world.agents.process.die();
    await settled();
    assert.deepEqual(await world.states("one"), ["uncertain"]);
  });

  it("any traffic is a sign of life", async () => {
    const world = await running();
    await world.clock.advance(5_000);
    const { process, turn } = world.agents;
    process.probe = () => new Promise(() => undefined);
    for (let n = 0; n < 10; n += 1) {
      await world.clock.advance(20_000);
      turn.say(".");
    }
    assert.equal(world.status, "busy");
  });

  it("an agent that answers within the grace ends its turn itself and lives on", async () => {
    const world = await running({ agent: { onCancel: "ignore" } });
    await world.clock.advance(5_000);
    world.agents.process.stopped = true;
    await world.clock.advance(40_000);
    world.agents.process.stopped = false;
    if (world.status === "stuck") await world.endTurn("cancelled");
    assert.equal((await world.transcript()).at(-1), "end stuck");
    assert.deepEqual(await world.states("one"), ["delivered"]);
    assert.equal(world.agents.alive.length, 1);
  });

  it("the ceiling asks, once, and ends nothing", async () => {
    const world = await running({ settings: { ceilingMinutes: 2 } });
    await world.clock.advance(10 * 60_000);
    const asked = world.changes.filter((change) => change.kind === "notice");
    assert.deepEqual(
      asked.map(({ notice }) => notice.code),
      ["ceiling"],
    );
    assert.deepEqual(
      [world.status, world.snapshot.turn?.overMinutes],
      ["busy", 2],
    );
    await world.endTurn();
    await world.say("two");
    assert.equal(world.snapshot.turn?.overMinutes, null);
  });

  it("I35: the end of the agent settles the turn; after disposal no process is left", async () => {
    const world = await running();
    const other = await world.newThread();
    await world.submit("elsewhere", {}, other);
    await settled();
    await world.engine.dispose();
    assert.deepEqual(world.agents.alive, []);
    assert.equal((await world.transcript()).at(-1), "end interrupted");
    assert.deepEqual(await world.states("one", "elsewhere"), [
      "uncertain",
      "uncertain",
    ]);
    assert.equal(world.clock.waiting, 0);
    assert.deepEqual(await world.submit("too late"), {
      ok: false,
      reason: "closing",
      detail: "Turnline is shutting down.",
    });
  });

  it("I35: disposal while an agent is starting leaves none behind either", async () => {
    const world = await World.create();
    let go: () => void = () => undefined;
    world.agents.startGate = () =>
      new Promise((resolve) => {
        go = resolve;
      });
    await world.say("one");
    const disposed = world.engine.dispose();
    await settled();
    go();
    await disposed;
    assert.deepEqual(world.agents.alive, []);
    assert.deepEqual(await world.states("one"), ["queued"]);
  });
});

describe("failures of agents", () => {
  it("two failed turns in a row hold the queue, with the cause", async () => {
    const world = await running();
    await world.say("two", { separate: true });
    await world.say("three", { separate: true });
    world.agents.turn.fail("refused");
    await settled();
    assert.deepEqual(
      [world.agents.prompts, world.snapshot.queue.held],
      [["one", "two"], null],
    );
    world.agents.turn.fail("refused");
    await settled();
    assert.deepEqual(
      [world.snapshot.queue.held, world.snapshot.queue.cause],
      ["failing", "It failed: refused."],
    );
    assert.deepEqual(await world.states("one", "two"), [
      "uncertain",
      "uncertain",
    ]);
    await world.engine.resume(world.thread);
    await settled();
    assert.equal(world.agents.prompts.at(-1), "three");
  });

  for (const [said, becomes] of [
    [[], "uncertain"],
    [["begun"], "seenAborted"],
  ] as const)
    it(`a prompt answered with ${["", ...said, "an error"].filter(Boolean).join(" and ")} is ${becomes}, and may be tried again`, async () => {
      const world = await running();
      for (const text of said) world.agents.turn.say(text);
      world.agents.turn.fail("refused");
      await settled();
      assert.deepEqual(await world.states("one"), [becomes]);
      const { batch } = await world.message("one");
      await world.engine.retry(world.thread, batch ?? "");
      await settled();
      assert.deepEqual(world.agents.prompts, ["one", "one"]);
      assert.deepEqual(await world.states("one"), ["superseded"]);
    });

  for (const stop of [
    "refusal",
    "max_tokens",
    "max_turn_requests",
    "something_new",
  ])
    it(`${stop} lets the queue go on`, async () => {
      const world = await running();
      await world.say("two");
      await world.endTurn(stop);
      assert.deepEqual(world.agents.prompts, ["one", "two"]);
    });

  it("a refused prompt for want of a sign-in goes back to the head, held", async () => {
    const world = await running();
    await world.say("two");
    world.agents.turn.fail("signIn");
    await settled();
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held],
      [["one", "two"], "signIn"],
    );
    assert.equal(world.agents.alive.length, 0, "it is to start anew");
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one", "one + two"]);
  });

  it("a sign-in that is wanted in the midst of a turn is told, with nothing queued too", async () => {
    const world = await running();
    world.agents.turn.say("half");
    world.agents.turn.fail("signIn");
    await settled();
    const told = world.changes.flatMap((change) =>
      change.kind === "notice" ? [change.notice.code] : [],
    );
    assert.ok(told.includes("signIn"), told.join());
    assert.equal(world.agents.alive.length, 0);
    await world.say("two");
    assert.deepEqual(world.agents.prompts.at(-1), "two");
  });

  it("a changed account ends an idle process at once and a busy one with its turn", async () => {
    const world = await running();
    world.engine.retire("other");
    await settled();
    assert.equal(world.agents.alive.length, 1);
    world.engine.retire(world.snapshot.thread.agent);
    await settled();
    assert.equal(world.agents.alive.length, 1, "its turn goes on");
    await world.say("two");
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.equal(world.agents.processes.length, 2);
    await world.endTurn();
    world.engine.retire(world.snapshot.thread.agent);
    await settled();
    assert.equal(world.agents.alive.length, 0);
  });

  it("automatic restarts back off 1, 4 and 16 s, then the queue is held", async () => {
    const world = await running({
      agent: { startFailures: [null, "exited", "timeout", "exited"] },
    });
    await world.say("two");
    world.agents.process.die();
    await settled();
    const starts = () =>
      world.agents.acts.filter((act) => act.startsWith("start")).length;
    for (const [wait, count] of [
      [1_000, 2],
      [4_000, 3],
      [16_000, 4],
    ] as const) {
      await world.clock.advance(wait - 1);
      assert.equal(starts(), count - 1);
      assert.equal(world.status, "restarting");
      await world.clock.advance(1);
      assert.equal(starts(), count);
    }
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held],
      [["two"], "startFailed"],
    );
  });

  it("with nothing queued, a death needs no back-off: the next message starts at once", async () => {
    const world = await running();
    world.agents.process.die();
    await settled();
    await world.say("two");
    assert.deepEqual(world.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("a message for an agent that died a moment ago is not lost to it", async () => {
    const world = await running();
    await world.endTurn();
    world.agents.process.die();
    await world.say("two");
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.equal(world.agents.processes.length, 2);
    assert.equal(world.agents.processes[0]?.turns.length, 1);
  });
});
