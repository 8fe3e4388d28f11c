import assert from "node:assert/strict";
import fc from "fast-check";
import { capable, failure } from "../../fakes/agent.ts";
import { Model } from "./model.ts";
import { move, type Act } from "./moves.ts";
import { play } from "./play.ts";

const runs = Number(process.env["TURNLINE_RUNS"] ?? 100);

const settings = fc.record({
  mode: fc.constantFrom("batched", "per-lane", "per-message"),
  maxBufferedMessages: fc.constantFrom(1, 3, 10),
  maxBatchTokens: fc.constantFrom(4, 100),
  collectWindowMs: fc.constantFrom(0, 0, 500),
  afterCancel: fc.constantFrom("continue", "hold"),
  restoreQueue: fc.constantFrom("hold", "resume"),
  ceilingMinutes: fc.constantFrom(0, 1),
  maxConsecutiveAgentMessages: fc.constantFrom(2, 10),
  maxConsecutiveAgentBatches: fc.constantFrom(1, 2, 10),
});

/** What must have happened for the lives to be worth living: how often a life, at least. */
const often: readonly (readonly [RegExp, number])[] = [
  [/^end end_turn$/u, 0.4],
  [/^end stuck$/u, 0.02],
  [/^end cancelled$/u, 0.15],
  [/^end error$/u, 0.12],
  [/^end interrupted$/u, 0.01],
  [/^gated$/u, 0.03],
  [/^held failing$/u, 0.03],
  [/^held signIn$/u, 0.03],
  [/^backoff$/u, 0.05],
  [/^claims ([2-9]|10)$/u, 0.12],
];

describe("the dispatcher, on generated lives", () => {
  it(`I13 I14 I15 I17 I18 I21 I22 I24 I25 I26 I27 I29 I30 I31 I53: ${runs} lives keep the state table, one turn at a time, and lose nothing${runs < 200 ? "" : "; all that can happen did"}`, function () {
    this.timeout(600_000);
    const met: string[] = [];
    fc.assert(
      fc.property(
        settings,
        fc.array(move, { maxLength: 60, size: "max" }),
        (given, moves) => {
          const model = new Model(given);
          for (const next of moves) play(model, next);
          met.push(...model.seen);
          met.push(...model.claims.map(({ length }) => `claims ${length}`));
        },
      ),
      { numRuns: runs },
    );
    // Of a few lives nothing can be expected: the stage `generated` has enough of them.
    if (runs < 200) return;
    const times = (what: RegExp) => met.filter((one) => what.test(one)).length;
    for (const [what, share] of often)
      assert.ok(
        times(what) >= runs * share,
        `${what.source}: ${times(what)} times in ${runs} lives`,
      );
  });

  it(`I28: in ${runs} lives, what an earlier process says changes nothing`, () => {
    fc.assert(
      fc.property(
        settings,
        fc.array(move, { maxLength: 30, size: "max" }),
        fc.nat(3),
        (given, moves, age) => {
          const model = new Model(given);
          for (const next of moves) play(model, next);
          model.tell({ kind: "dispatch" });
          const before = model.state;
          const { agent, turn } = before;
          const stale = "life" in agent ? agent.life - 1 - age : -1;
          for (const event of stories(stale, turn?.batch ?? "none"))
            model.tell(event);
          assert.equal(model.state, before);
        },
      ),
      { numRuns: runs / 4 },
    );
  });

  it(`I36: ${runs} lives end with an empty queue once the world is kind, whatever timers were lost`, function () {
    this.timeout(600_000);
    fc.assert(
      fc.property(
        settings,
        fc.array(move, { maxLength: 40, size: "max" }),
        (given, moves) => {
          const model = new Model(given);
          for (const next of moves) play(model, next);
          beKind(model);
          assert.deepEqual(model.state.queue, []);
          assert.equal(model.state.turn, null);
          const open = model
            .messages()
            .filter(
              ({ state }) =>
                state === "queued" || state === "claimed" || state === "sent",
            );
          assert.deepEqual(open, []);
        },
      ),
      { numRuns: runs },
    );
  });
});

/** All that a process can tell. */
function stories(
  life: number,
  batch: string,
): readonly Parameters<Model["tell"]>[0][] {
  const result = { ok: true, value: { stopReason: "end_turn" } } as const;
  return [
    { kind: "slotAwaited", life },
    {
      kind: "agentStarted",
      life,
      identity: { nonce: "x", pid: 1, startTime: "" },
      capabilities: capable,
    },
    { kind: "agentFailed", life, failure: failure("exited") },
    { kind: "sessionOpened", life, sessionId: "old" },
    { kind: "sessionFailed", life, failure: failure("noSession") },
    { kind: "turnEnded", life, batch, result },
    { kind: "agentEnded", life, failure: failure("exited") },
    { kind: "agentGone", life },
    { kind: "probeAnswered", life },
    { kind: "commands", life, names: ["old"] },
    { kind: "title", life, title: "old" },
    { kind: "permissionOpened", life, id: "old" },
    { kind: "permissionClosed", life, id: "old" },
  ];
}

/** Everything works from now on, and the user lets things go; no timer ever comes. */
function beKind(model: Model): void {
  model.failCommits = 0;
  for (const holder of ["view", "other view"])
    model.request({ kind: "editCancel", holder });
  const kind: readonly Act[] = [
    { does: "started" },
    { does: "opened" },
    { does: "turnEnds", stop: "end_turn" },
    { does: "gone" },
  ];
  for (let round = 0; round < 200; round += 1) {
    if (model.state.queue.length === 0 && model.state.turn === null) return;
    if (model.state.stalled !== null) {
      model.at += 60_000;
      model.tell({ kind: "wake" });
    }
    if (model.state.thread.held !== null) model.request({ kind: "resume" });
    if (
      model.state.counters.agentBatches >=
      model.settings.maxConsecutiveAgentBatches
    )
      play(model, { do: "submit", who: 0, size: 1, how: "plain" });
    model.at += 20_000;
    for (const act of kind) play(model, { do: "process", act });
    model.tell({ kind: "dispatch" });
  }
}
