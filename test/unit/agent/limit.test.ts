import assert from "node:assert/strict";
import { limit, tooLong } from "../../../src/agent/limit.ts";

describe("a time limit", () => {
  const never = new Promise<never>(() => undefined);

  it("gives what came in time", async () => {
    const now = performance.now();
    assert.equal(await limit(Promise.resolve(1), 1_000, () => now), 1);
  });

  it("I33: a blocked host is not a silent agent", async () => {
    let last = performance.now();
    let told = false;
    const waiting = limit(never, 50, () => last).then((answer) => {
      told = true;
      return answer;
    });
    // The host is blocked past the limit, and what came meanwhile is read in the next poll.
    const blockedUntil = performance.now() + 120;
    while (performance.now() < blockedUntil);
    setImmediate(() => {
      last = performance.now();
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(told, false);
    assert.equal(await waiting, tooLong);
  });

  it("passes on a rejection", async () => {
    const now = performance.now();
    await assert.rejects(
      limit(Promise.reject(new Error("no")), 1_000, () => now),
    );
  });
});
