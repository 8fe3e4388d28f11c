import assert from "node:assert/strict";
import { limit, tooLong, type Timers } from "../../../src/agent/limit.ts";
import { ManualClock, settled } from "../../fakes/clock.ts";

describe("a time limit", () => {
  const never = new Promise<never>(() => undefined);

  it("gives what came in time", async () => {
    const { clock, timers } = manual();
    const now = clock.monotonic();
    const answer = await limit(Promise.resolve(1), 1_000, () => now, timers);
    assert.deepEqual([answer, clock.waiting], [1, 0]);
  });

  it("I33: a blocked host is not a silent agent", async () => {
    const { clock, timers } = manual();
    let last = clock.monotonic();
    let told = false;
    const waiting = limit(never, 50, () => last, timers).then((answer) => {
      told = true;
      return answer;
    });
    // What came while the host was blocked, past the limit, is read in the next poll.
    setImmediate(() => {
      last = clock.monotonic();
    });
    await clock.freeze(120);
    assert.equal(told, false);
    await clock.advance(49);
    assert.equal(told, false);
    await clock.advance(1);
    assert.equal(await waiting, tooLong);
  });

  it("passes on a rejection", async () => {
    const { clock, timers } = manual();
    const failed = Promise.reject(new Error("no"));
    await assert.rejects(limit(failed, 1_000, () => 0, timers));
    await settled();
    assert.equal(clock.waiting, 0);
  });
});

function manual(): { readonly clock: ManualClock; readonly timers: Timers } {
  const clock = new ManualClock();
  const timers = {
    now: () => clock.monotonic(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
    afterPoll: (run: () => void) => clock.afterPoll(run),
  };
  return { clock, timers };
}
