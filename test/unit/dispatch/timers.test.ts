import assert from "node:assert/strict";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

/** Time passes, and no timer that comes due in it is ever heard. */
async function unheard(world: World, ms: number): Promise<void> {
  world.clock.loseTimers = true;
  await world.clock.advance(ms);
  world.clock.loseTimers = false;
}

/** Something happens that has nothing to do with what was lost. */
async function anything(world: World): Promise<void> {
  await world.engine.cancelEdit("nobody");
  await world.clock.advance(0);
}

describe("a lost timer", () => {
  it("I36: of a commit that is to be tried again strands nothing", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    world.store.trouble = "failed";
    await world.endTurn();
    world.store.trouble = null;
    await unheard(world, 10_000);
    assert.notEqual(world.snapshot.unsaved, null);
    await anything(world);
    assert.equal(world.snapshot.unsaved, null);
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
  });

  it("I36: of an agent that is to be started again strands nothing", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    world.agents.process.die();
    await settled();
    await unheard(world, 10_000);
    assert.deepEqual(world.agents.prompts, ["one"]);
    await anything(world);
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
  });

  it("I36: of an edit that nobody ended strands nothing", async () => {
    const world = await World.create();
    await world.engine.hold(world.thread);
    await world.say("one");
    await world.engine.beginEdit(world.thread, "one", "view");
    await world.engine.resume(world.thread);
    await unheard(world, 5 * 60_000);
    assert.deepEqual(world.agents.prompts, []);
    await anything(world);
    assert.deepEqual(world.agents.prompts, ["one"]);
  });
});
