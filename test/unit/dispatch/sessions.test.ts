import assert from "node:assert/strict";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { settled } from "../../fakes/clock.ts";
import { joined, World } from "../../fakes/world.ts";

const minute = 60_000;

async function answered(
  world: World,
  text: string,
  thread = world.thread,
): Promise<void> {
  await world.submit(text, {}, thread);
  await settled();
  await world.endTurn();
}

describe("sessions and processes", () => {
  it("opening threads starts nothing; the first message does", async () => {
    const world = await World.create();
    await world.newThread();
    await world.clock.advance(minute);
    assert.deepEqual(world.agents.acts, []);
    assert.equal(world.status, "none");
  });

  it("I53: an idle thread is suspended after its minutes, and resumes with its next message", async () => {
    const world = await World.create({ settings: { idleMinutes: 15 } });
    await answered(world, "one");
    await world.clock.advance(15 * minute - 1);
    assert.equal(world.agents.alive.length, 1);
    await world.clock.advance(1);
    assert.deepEqual([world.agents.alive.length, world.status], [0, "none"]);
    await world.say("two");
    assert.deepEqual(world.agents.acts.slice(-4), [
      "end n1",
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("I53: accepting a message counts as activity", async () => {
    const world = await World.create();
    await answered(world, "one");
    await world.engine.hold(world.thread);
    await world.clock.advance(14 * minute);
    await world.say("two");
    await world.engine.remove(world.thread, ["two"]);
    await world.clock.advance(15 * minute - 1);
    assert.equal(world.agents.alive.length, 1);
    await world.clock.advance(1);
    assert.deepEqual(world.agents.alive, []);
  });

  const busyWith: Readonly<Record<string, (world: World) => Promise<unknown>>> =
    {
      "a turn": (world) => world.say("two"),
      "a held queue": async (world) => {
        await world.engine.hold(world.thread);
        await world.say("two");
      },
      "an open permission": async (world) => {
        world.agents.process.ask("s1", "late tool");
        await settled();
      },
    };
  for (const [what, prepare] of Object.entries(busyWith))
    it(`I53: a thread with ${what} is never suspended, nor evicted for another`, async () => {
      const world = await World.create({ settings: { maxLiveAgents: 1 } });
      await answered(world, "one");
      await prepare(world);
      const other = await world.newThread();
      await world.submit("elsewhere", {}, other);
      await world.clock.advance(60 * minute);
      assert.equal(world.agents.alive.length, 1);
      const waiting = world.engine.snapshot(other)?.status;
      assert.deepEqual(
        [waiting?.state, waiting?.text],
        ["waiting", "It waits for another agent to become idle."],
      );
    });

  it("I53: the longest idle makes room for a thread that needs its place", async () => {
    const world = await World.create({ settings: { maxLiveAgents: 2 } });
    const second = await world.newThread("b");
    const third = await world.newThread("c");
    await answered(world, "one");
    await world.clock.advance(minute);
    await answered(world, "two", second);
    await world.clock.advance(minute);
    await world.submit("three", {}, third);
    await settled();
    assert.deepEqual(
      world.agents.alive.map(({ spec }) => spec.id),
      ["b", "c"],
    );
    assert.equal(world.agents.prompts.at(-1), "three");
  });

  it("a lowered limit suspends the longest idle at once, and who is busy when it becomes idle", async () => {
    const world = await World.create();
    const second = await world.newThread("b");
    const third = await world.newThread("c");
    await answered(world, "one");
    await world.clock.advance(minute);
    await answered(world, "two", second);
    await world.submit("three", {}, third);
    await settled();
    world.engine.configure({ ...defaultDispatchSettings, maxLiveAgents: 2 });
    await settled();
    const alive = () => world.agents.alive.map(({ spec }) => spec.id);
    assert.deepEqual(alive(), ["b", "c"]);
    await world.engine.hold(second);
    await world.submit("queued", {}, second);
    world.engine.configure({ ...defaultDispatchSettings, maxLiveAgents: 1 });
    await settled();
    assert.deepEqual(alive(), ["b", "c"]);
    await world.endTurn();
    assert.deepEqual(alive(), ["b"]);
  });

  it("with none idle a new thread waits, and goes as soon as a place is free", async () => {
    const world = await World.create({ settings: { maxLiveAgents: 1 } });
    const other = await world.newThread("b");
    await world.say("one");
    await world.submit("two", {}, other);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one"]);
    await world.endTurn();
    assert.deepEqual(world.agents.acts.slice(-4), [
      "end n1",
      "start b",
      "new s2",
      "prompt two",
    ]);
  });

  it("a thread that only ends what an earlier host left gives no place, so an idle one makes room", async () => {
    const settings = { maxLiveAgents: 1 };
    const before = await World.create({ settings });
    const [idle, third] = [await before.newThread(), await before.newThread()];
    await before.say("cut off");
    await before.say("queued");
    before.agents.leftoverGate = () => new Promise(() => undefined);
    const world = await before.crash({ settings });
    await world.submit("one", {}, idle);
    await settled();
    await world.endTurn();
    await world.submit("two", {}, third);
    await settled();
    assert.equal(world.agents.prompts.at(-1), "two");
    assert.equal(world.engine.snapshot(idle)?.status.state, "none");
  });

  it("who waits for a place can cancel, and leaves the line", async () => {
    const world = await World.create({ settings: { maxLiveAgents: 1 } });
    const other = await world.newThread("b");
    await world.say("one");
    await world.submit("two", {}, other);
    await settled();
    await world.engine.cancel(other);
    await world.endTurn();
    assert.deepEqual(world.agents.acts, ["start a", "new s1", "prompt one"]);
    assert.equal(world.engine.snapshot(other)?.status.state, "none");
  });

  it("I28: text that comes while the next prompt is being compiled is stored in its place, late", async () => {
    let meanwhile: () => void = () => undefined;
    const world = await World.create({
      compile: (input) => {
        meanwhile();
        return joined(input);
      },
    });
    await answered(world, "one");
    meanwhile = () =>
      world.agents.process.say("s1", { kind: "text", text: "ps" });
    await world.say("two");
    await world.endTurn();
    assert.deepEqual(await world.transcript(), [
      "user one",
      "start full",
      "end end_turn",
      "user two",
      "agent late ps",
      "start delta",
      "end end_turn",
    ]);
    assert.equal(world.snapshot.unsaved, null);
  });

  it("I28: late text that is not stored yet comes before what is claimed next", async () => {
    const world = await World.create();
    await answered(world, "one");
    world.agents.process.say("s1", { kind: "text", text: "ps" });
    world.agents.process.die();
    await world.say("two");
    await world.clock.advance(10_000);
    await world.endTurn();
    assert.deepEqual((await world.transcript()).slice(2, 5), [
      "end end_turn",
      "agent late ps",
      "user two",
    ]);
    assert.equal(world.snapshot.unsaved, null);
  });

  it("an agent that dies while its prompt is being compiled is not prompted: the message goes to the next one", async () => {
    let meanwhile: () => void = () => undefined;
    const world = await World.create({
      compile: (input) => {
        meanwhile();
        return joined(input);
      },
    });
    await answered(world, "one");
    meanwhile = () => {
      meanwhile = () => undefined;
      world.agents.process.die();
    };
    await world.say("two");
    await world.clock.advance(1_000);
    assert.deepEqual(await world.states("two"), ["sent"]);
    assert.deepEqual(world.agents.acts.slice(-4), [
      "die n1",
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("I43: a transient failure to resume keeps the session and sends nothing", async () => {
    const world = await World.create({
      agent: { resumeFailures: ["timeout"] },
    });
    await answered(world, "one");
    await world.clock.advance(15 * minute);
    await world.say("two");
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held],
      [["two"], "startFailed"],
    );
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("only a definite `no such session` begins a new one, in the same process", async () => {
    const world = await World.create();
    await answered(world, "one");
    await world.clock.advance(15 * minute);
    world.agents.sessions.delete("s1");
    await world.say("two");
    assert.deepEqual(world.agents.acts.slice(-4), [
      "start a",
      "resume s1",
      "new s1",
      "prompt two",
    ]);
    const sessions = await world.store.sessions(world.thread);
    assert.deepEqual(
      sessions.map(({ generation, state }) => [generation, state]),
      [
        [1, "lost"],
        [2, "live"],
      ],
    );
    assert.ok((await world.transcript()).includes("start full"));
  });

  it("an agent that can neither resume nor load gets a new session", async () => {
    const world = await World.create({
      agent: { capabilities: { load: false, resume: false } },
    });
    await answered(world, "one");
    await world.clock.advance(15 * minute);
    await world.say("two");
    assert.deepEqual(world.agents.acts.slice(-3), [
      "start a",
      "new s2",
      "prompt two",
    ]);
  });

  it("the cursor moves with success alone", async () => {
    const world = await World.create();
    const cursor = async () =>
      (await world.store.sessions(world.thread))[0]?.cursor ?? null;
    await answered(world, "one");
    const first = await cursor();
    assert.equal(first, (await world.message("one")).position);
    for (const stop of ["cancelled", "refusal"]) {
      await world.say(`then ${stop}`);
      await world.endTurn(stop);
      assert.equal(await cursor(), first);
    }
    await answered(world, "last");
    assert.equal(await cursor(), (await world.message("last")).position);
  });

  it("reset begins a new generation and ends the process; a running turn is cancelled", async () => {
    const world = await World.create();
    await answered(world, "one");
    await world.say("two");
    await world.say("three");
    await world.engine.reset(world.thread);
    await settled();
    assert.deepEqual(world.agents.acts.slice(-5), [
      "cancel s1",
      "end n1",
      "start a",
      "new s2",
      "prompt three",
    ]);
    assert.equal(world.agents.alive.length, 1);
  });

  it("a thread moves from one agent to another and back, each with its own session", async () => {
    const world = await World.create();
    await answered(world, "one");
    await world.engine.setAgent(world.thread, "b");
    await answered(world, "two");
    await world.engine.setAgent(world.thread, "a");
    await answered(world, "three");
    assert.deepEqual(
      world.agents.acts.filter((act) => !act.startsWith("end")),
      [
        "start a",
        "new s1",
        "prompt one",
        "start b",
        "new s2",
        "prompt two",
        "start a",
        "resume s1",
        "prompt three",
      ],
    );
  });

  it("another agent chosen during a turn answers from the next one on", async () => {
    const world = await World.create();
    await world.say("one");
    await world.engine.setAgent(world.thread, "b");
    await settled();
    assert.equal(world.status, "busy");
    await world.say("two");
    await world.endTurn();
    assert.deepEqual(world.agents.acts.slice(-4), [
      "end n1",
      "start b",
      "new s2",
      "prompt two",
    ]);
  });

  it("another folder means a new session there", async () => {
    const world = await World.create();
    await answered(world, "one");
    await world.engine.setFolder(world.thread, "/elsewhere");
    await world.say("two");
    assert.deepEqual(
      world.agents.process.opened.map(({ folder }) => folder),
      ["/elsewhere"],
    );
  });

  it("names a thread after its first message, and lets the agent do better until the user has named it", async () => {
    const world = await World.create();
    await world.say("Fix the build\nplease");
    assert.equal(world.snapshot.thread.title, "Fix the build");
    world.agents.turn.tell({ kind: "title", title: "Build repair" });
    await settled();
    assert.equal(world.snapshot.thread.title, "Build repair");
    await world.engine.rename(world.thread, "Mine");
    world.agents.turn.tell({ kind: "title", title: "Yours" });
    await settled();
    assert.equal(world.snapshot.thread.title, "Mine");
  });

  it("what an agent says before its session's id is known, or of another session, is nobody's text", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.process.say("another", { kind: "text", text: "stray" });
    await world.endTurn();
    assert.deepEqual(await world.transcript(), [
      "user one",
      "start full",
      "end end_turn",
    ]);
  });
});
