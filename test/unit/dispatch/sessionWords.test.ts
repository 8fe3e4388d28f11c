import assert from "node:assert/strict";
import type { ConfigOption } from "../../../src/core/agentFeatures.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const fix = { name: "fix", description: "" };
const thinking: ConfigOption = {
  ...{ id: "thinking", name: "Thinking" },
  ...{ type: "boolean", value: true },
};

describe("what a session says of itself", () => {
  const leaves: readonly (readonly [
    title: string,
    leave: (world: World) => Promise<unknown>,
  ])[] = [
    ["another agent", ({ engine, thread }) => engine.setAgent(thread, "b")],
    ["a reset", ({ engine, thread }) => engine.reset(thread)],
    ["another folder", ({ engine, thread }) => engine.setFolder(thread, "/x")],
    [
      "a session that is lost",
      async (world) => {
        world.agents.process.die();
        await settled();
        world.agents.sessions.clear();
        await world.say("two");
      },
    ],
  ];
  for (const [title, leave] of leaves)
    it(`with ${title} goes what the last session said of itself`, async () => {
      const world = await World.create();
      await world.say("one");
      const { turn, process } = world.agents;
      turn.tell({ kind: "usage", usage: { used: 90, size: 100 } });
      turn.tell({ kind: "commands", commands: [fix] });
      process.events.session?.("s1", { kind: "options", options: [thinking] });
      await world.endTurn();
      const told = (): readonly unknown[] => {
        const { commands, usage, options } = world.snapshot;
        return [commands, usage, options];
      };
      assert.deepEqual(told(), [[fix], { used: 90, size: 100 }, [thinking]]);
      world.changes.length = 0;
      await leave(world);
      await settled();
      assert.deepEqual(told(), [[], null, []]);
      assert.deepEqual(
        world.changes
          .map(({ kind }) => kind)
          .filter((kind) => ["commands", "usage", "session"].includes(kind)),
        ["commands", "usage", "session"],
      );
    });

  it("an agent that still has a turn to end keeps its word until then", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.tell({ kind: "commands", commands: [fix] });
    await world.engine.setAgent(world.thread, "b");
    await settled();
    assert.deepEqual(world.snapshot.commands, [fix]);
    await world.endTurn();
    assert.deepEqual(world.snapshot.commands, []);
  });
});
