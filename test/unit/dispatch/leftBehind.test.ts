import assert from "node:assert/strict";
import type { LeftProcess } from "../../../src/core/agentFeatures.ts";
import { LeftBehind } from "../../../src/core/dispatch/leftBehind.ts";
import type { AgentFeatures } from "../../../src/core/agentPort.ts";
import { ManualClock } from "../../fakes/clock.ts";

const one: LeftProcess = { pid: 1, startTime: "a", command: "sleep 60" };
const next: LeftProcess = { pid: 2, startTime: "b", command: "make" };

describe("what a cancelled turn leaves running", () => {
  const told: (readonly LeftProcess[])[] = [];
  let running: readonly LeftProcess[] = [];
  let clock: ManualClock;
  let behind: LeftBehind;
  const features = {
    leftRunning: () => Promise.resolve(running),
    endLeft: (ended: LeftProcess) => {
      running = running.filter(({ pid }) => pid !== ended.pid);
      return Promise.resolve();
    },
  } as unknown as AgentFeatures;
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await rest();
  };

  beforeEach(() => {
    told.length = 0;
    clock = new ManualClock();
    behind = new LeftBehind(clock, (left) => told.push(left));
  });

  it("is told once it had time to end by itself, and again when it has", async () => {
    running = [one];
    await behind.cancelled(features);
    assert.deepEqual(told, []);
    await pass(500);
    assert.deepEqual(told, [[one]]);
    running = [];
    await pass(5_000);
    assert.deepEqual(told, [[one], []]);
  });

  it("is not what ends by itself, nor what the next turn starts", async () => {
    running = [one];
    await behind.cancelled(features);
    running = [next];
    await pass(500);
    assert.deepEqual(told, []);
  });

  it("is ended when the user says so", async () => {
    running = [one];
    await behind.cancelled(features);
    await pass(500);
    running = [one, next];
    await behind.end();
    assert.deepEqual(told, [[one], []]);
    assert.deepEqual(running, [next]);
  });

  it("goes with its process", async () => {
    running = [one];
    await behind.cancelled(features);
    await pass(500);
    behind.forget();
    await pass(5_000);
    assert.deepEqual(told, [[one], []]);
  });

  it("asks nothing of an agent that cannot tell", async () => {
    await behind.cancelled(undefined);
    await pass(500);
    assert.deepEqual(told, []);
  });
});
