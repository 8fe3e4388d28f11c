import assert from "node:assert/strict";
import { Alarm } from "../../../src/core/dispatch/alarm.ts";
import { ManualClock, settled } from "../../fakes/clock.ts";

describe("the alarm", () => {
  it("I33: rings only after input that was waiting has been read", async () => {
    const clock = new ManualClock();
    const heard: string[] = [];
    const alarm = new Alarm(clock, () => heard.push("ring"));
    alarm.set(5_000);
    setImmediate(() => heard.push("input"));
    await clock.freeze(6_000);
    assert.deepEqual(heard, ["input", "ring"]);
  });

  it("never asks a timer for more than timers can", () => {
    const waits: number[] = [];
    const clock = new ManualClock();
    const after = clock.after.bind(clock);
    clock.after = (ms, run) => {
      waits.push(ms);
      return after(ms, run);
    };
    new Alarm(clock, () => undefined).set(60_000 * 60_000);
    assert.deepEqual(waits, [2 ** 31 - 1]);
  });

  it("has one deadline at a time", async () => {
    const clock = new ManualClock();
    let rings = 0;
    const alarm = new Alarm(clock, () => {
      rings += 1;
    });
    alarm.set(1_000);
    alarm.set(2_000);
    await clock.advance(1_500);
    assert.equal(rings, 0);
    await clock.advance(500);
    assert.equal(rings, 1);
    alarm.set(3_000);
    alarm.set(undefined);
    await clock.advance(5_000);
    await settled();
    assert.deepEqual([rings, clock.waiting], [1, 0]);
  });
});
