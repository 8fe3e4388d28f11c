import assert from "node:assert/strict";
import { estimateTokens } from "../../../src/core/compile/tokens.ts";
import { settled } from "../../fakes/clock.ts";
import { World, type WorldOptions } from "../../fakes/world.ts";

/** A row of a table: what happens, and which prompts have gone out by then. */
interface Row {
  readonly title: string;
  readonly given?: WorldOptions;
  readonly story: readonly string[];
  readonly prompts: readonly string[];
  readonly queue?: readonly string[];
  readonly status?: string;
}

/** `>text` submits, `end` ends the running turn, `+ms` lets time pass, `stop` stops the agent's process. */
async function play(world: World, word: string): Promise<void> {
  if (word.startsWith(">")) await world.say(word.slice(1));
  else if (word.startsWith("+"))
    await world.clock.advance(Number(word.slice(1)));
  else if (word === "end") await world.endTurn();
  else if (word === "stop") world.agents.process.stopped = true;
  else throw new Error(`What is ${word}?`);
}

function rows(cases: readonly Row[]): void {
  for (const { title, given, story, prompts, queue = [], status } of cases)
    it(title, async () => {
      const world = await World.create(given);
      for (const word of story) await play(world, word);
      assert.deepEqual(world.agents.prompts, prompts);
      assert.deepEqual(world.queue(), queue);
      if (status !== undefined) assert.equal(world.status, status);
    });
}

describe("the RFC's mechanism, row by row", () => {
  rows([
    {
      title: "I16: thread idle, M1 arrives: fires turn 1 with M1 immediately",
      story: [">M1"],
      prompts: ["M1"],
      status: "busy",
    },
    {
      title: "turn 1 in flight, M2 arrives: it waits",
      story: [">M1", ">M2"],
      prompts: ["M1"],
      queue: ["M2"],
    },
    {
      title: "turn 1 in flight, M3 arrives: it waits behind",
      story: [">M1", ">M2", ">M3"],
      prompts: ["M1"],
      queue: ["M2", "M3"],
    },
    {
      title: "I17: turn 1 completes: what waited fires as turn 2 with [M2, M3]",
      story: [">M1", ">M2", ">M3", "end"],
      prompts: ["M1", "M2 + M3"],
      status: "busy",
    },
    {
      title: "turn 2 in flight, M4 arrives: it waits",
      story: [">M1", ">M2", ">M3", "end", ">M4"],
      prompts: ["M1", "M2 + M3"],
      queue: ["M4"],
    },
    {
      title: "turn 2 completes: fires turn 3 with [M4]",
      story: [">M1", ">M2", ">M3", "end", ">M4", "end"],
      prompts: ["M1", "M2 + M3", "M4"],
    },
    {
      title:
        "turn 3 completes, nothing waits: parks until the next message, which goes at once",
      story: [">M1", ">M2", ">M3", "end", ">M4", "end", "end", ">M5"],
      prompts: ["M1", "M2 + M3", "M4", "M5"],
    },
  ]);

  it("I16: with no collect window the first message after idle needs no timer", async () => {
    const world = await World.create();
    world.clock.loseTimers = true;
    await world.say("M1");
    await world.endTurn();
    await world.say("M2");
    assert.deepEqual(world.agents.prompts, ["M1", "M2"]);
  });

  it("I15: threads do not wait for each other", async () => {
    const world = await World.create();
    const other = await world.newThread();
    await world.say("here");
    await world.submit("there", {}, other);
    await settled();
    assert.deepEqual(world.agents.prompts, ["here", "there"]);
    assert.equal(world.agents.alive.length, 2);
  });

  it("three messages in five seconds make two turns, the second with two, in order", async () => {
    const world = await World.create();
    await world.say("can you check the build");
    await world.clock.advance(2_500);
    await world.say("actually wait");
    await world.clock.advance(2_500);
    await world.say("check the build and run the e2e tests");
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, [
      "can you check the build",
      "actually wait + check the build and run the e2e tests",
    ]);
    await world.endTurn();
    assert.deepEqual(
      world.log
        .of("dispatch")
        .map(({ data }) => [
          ...[data["thread"], data["size"], data["kind"], data["waitedMs"]],
          data["tokens"],
        ]),
      [
        [world.thread, 1, "full", 0, tokensIn(world.agents.prompts[0])],
        [world.thread, 2, "delta", 2_500, tokensIn(world.agents.prompts[1])],
      ],
    );
  });

  it("what waited longest is told, wherever the user put it", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    await world.clock.advance(3_000);
    await world.say("three");
    await world.engine.reorder(world.thread, "three", "two");
    await world.endTurn();
    assert.equal(world.agents.prompts.at(-1), "three + two");
    assert.equal(world.log.of("dispatch").at(-1)?.data["waitedMs"], 3_000);
  });
});

describe("the decision tree of batch routing", () => {
  const window = { settings: { collectWindowMs: 500 } };
  rows([
    {
      title: "no active batch: a pending batch and a window of 500 ms",
      given: window,
      story: [">M1", "+499"],
      prompts: [],
      queue: ["M1"],
    },
    {
      title: "the window ends: pending becomes active",
      given: window,
      story: [">M1", "+300", ">M2", "+499", "+1"],
      prompts: ["M1 + M2"],
    },
    {
      title: "the window is restarted by each message, up to its maximum",
      given: { settings: { collectWindowMs: 500, maxCollectWindowMs: 800 } },
      story: [">M1", "+400", ">M2", "+399", ">M3", "+1"],
      prompts: ["M1 + M2 + M3"],
    },
    {
      title:
        "an active batch that is not stuck: added to pending, and no window at the boundary",
      given: window,
      story: [">M1", "+500", ">M2", "end"],
      prompts: ["M1", "M2"],
    },
    {
      title: "an active batch that is stuck: cleared, and pending is processed",
      story: [">M1", ">M2", "stop", "+35000", "+10000", "+1000"],
      prompts: ["M1", "M2"],
    },
    {
      title: "never a window in per-message mode",
      given: { settings: { collectWindowMs: 500, mode: "per-message" } },
      story: [">M1"],
      prompts: ["M1"],
    },
  ]);

  it("I36: a window whose timer was lost ends with whatever happens next", async () => {
    const world = await World.create(window);
    world.clock.loseTimers = true;
    await world.say("M1");
    await world.clock.advance(10_000);
    assert.deepEqual(world.agents.prompts, []);
    await world.engine.cancelEdit("nobody");
    await settled();
    assert.deepEqual(world.agents.prompts, ["M1"]);
  });

  it("says nothing of a hold when an agent that died is merely started again", async () => {
    const world = await World.create();
    await world.say("M0");
    await world.say("M1");
    world.agents.options.startFailures = ["timeout"];
    world.agents.process.die();
    await world.clock.advance(1_000);
    assert.deepEqual(
      [world.status, world.snapshot.queue.held],
      ["restarting", null],
    );
    assert.equal((await world.message("M1")).marks.waited, "turn");
  });

  it("says nothing of a turn when the agent was only being started", async () => {
    const world = await World.create({ agent: { newFailures: ["signIn"] } });
    let go: () => void = () => undefined;
    world.agents.startGate = () =>
      new Promise((resolve) => {
        go = resolve;
      });
    await world.say("M1");
    await world.say("M2");
    assert.equal((await world.message("M2")).marks.waited, undefined);
    go();
    await settled();
    assert.deepEqual(
      world.snapshot.queue.items.map(({ message }) => message.marks.waited),
      ["held", "held"],
    );
  });

  it("says truthfully why messages waited", async () => {
    const world = await World.create();
    await world.say("M1");
    await world.say("M2");
    await world.engine.hold(world.thread);
    await world.say("M3");
    const waited = world.snapshot.queue.items.map(
      ({ message }) => message.marks.waited,
    );
    assert.deepEqual(waited, ["turn", "held"]);
    const next = await world.crash();
    assert.deepEqual(
      next.snapshot.queue.items.map(({ message }) => message.marks.waited),
      ["restored", "restored"],
    );
  });
});

function tokensIn(text = ""): number {
  return estimateTokens([{ type: "text", text }]);
}
