import assert from "node:assert/strict";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

describe("a burst", () => {
  it("I13 I15: 500 messages as fast as possible to 20 threads: none lost, none twice, order kept, one turn at a time each", async () => {
    const world = await World.create({
      settings: { maxLiveAgents: 20 },
      agent: {
        script: (turn) => {
          setImmediate(() => {
            turn.say("ok");
            turn.end();
          });
        },
      },
    });
    const threads = [world.thread];
    while (threads.length < 20) threads.push(await world.newThread());
    const replies = Array.from({ length: 500 }, (_, n) =>
      world.submit(`m${n}`, {}, threads[n % 20]),
    );
    assert.ok((await Promise.all(replies)).every(({ ok }) => ok));
    while (
      threads.some(
        (thread) => world.engine.snapshot(thread)?.status.state !== "ready",
      )
    )
      await settled();
    for (const [index, thread] of threads.entries()) {
      const process = world.agents.processes.find(
        ({ turns }) => turns[0]?.text.split(" + ")[0] === `m${index}`,
      );
      assert.equal(process?.most, 1);
      const said = process.turns.flatMap(({ text }) => text.split(" + "));
      assert.deepEqual(
        said,
        Array.from({ length: 25 }, (_, n) => `m${index + 20 * n}`),
      );
      assert.deepEqual(world.queue(thread), []);
      assert.deepEqual(world.engine.snapshot(thread)?.tail, []);
    }
    assert.equal(world.agents.processes.length, 20);
    const states = await world.states(
      ...Array.from({ length: 500 }, (_, n) => `m${n}`),
    );
    assert.deepEqual(new Set(states), new Set(["delivered"]));
  });
});
