import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import { importSession } from "../../../src/core/sessionImport.ts";
import { compactHistory } from "../../../src/host/compactHistory.ts";
import { settled } from "../../fakes/clock.ts";
import { alice, sha256, World } from "../../fakes/world.ts";

async function exchange(
  world: World,
  asked: string,
  answer = `re ${asked}`,
): Promise<void> {
  await world.say(asked);
  world.agents.turn.say(answer);
  await world.endTurn();
}

/** The prompt that was sent last. */
function told({ agents }: World): string {
  return agents.prompts.at(-1) ?? "";
}

describe("memory that is rebuilt", () => {
  it("I41, I44: an imported session that is lost is told with its answers", async () => {
    const { store } = await World.create({ compile });
    const imported = await importSession(
      store,
      {
        agent: { id: "a", label: "Agent a" },
        session: { sessionId: "elsewhere" },
        usedAt: 1,
        folder: "/work",
        user: alice,
        replay: [
          { kind: "userText", text: "imported ask" },
          { kind: "text", text: "imported answer" },
        ],
      },
      { now: () => 2, sha256 },
    );
    assert.ok(imported.ok);
    const world = await World.create({
      compile,
      store,
      thread: imported.thread,
    });
    await world.say("next");
    assert.match(told(world), /imported ask[\s\S]*imported answer[\s\S]*next$/);
    assert.deepEqual((await world.transcript()).slice(-2), [
      "start full",
      "notice rebuilt",
    ]);
  });

  for (const kind of ["refused", "protocol", "timeout"] as const)
    it(`I41: context of a prompt answered with an error (${kind}) and nothing else is told again`, async () => {
      const world = await World.create({ compile });
      await exchange(world, "one");
      await world.clock.advance(15 * 60_000);
      world.agents.sessions.clear();
      await world.say("two");
      assert.match(told(world), /re one[\s\S]*two$/);
      world.agents.turn.fail(kind);
      await settled();
      await world.say("three");
      assert.match(told(world), /one[\s\S]*re one[\s\S]*three$/);
      assert.doesNotMatch(told(world), /two/, "that is for the user to decide");
    });

  it("I41, I45: a turn that was continued after a compaction is told with what came then", async () => {
    const world = await World.create({ compile });
    await exchange(world, "old");
    await world.say("big", {
      blocks: [{ type: "text", text: `big ${"word ".repeat(800)}` }],
    });
    world.agents.turn.say("part one");
    await world.endTurn("max_tokens");
    const undone = { has: () => false, set: () => Promise.resolve() };
    const { store, thread } = world;
    const ports = { store, undone, uuid: () => "archive", now: () => 5 };
    const sizes = { keep: 500, budget: 20_000 };
    const done = await compactHistory(ports, thread, sizes);
    assert.equal(done.kind === "done" ? done.turns : 0, 1);
    const { batch } = await world.message("big");
    await world.say("go on", { continues: batch ?? "" });
    world.agents.turn.say("part two");
    await world.endTurn();
    assert.equal((await world.message("go on")).batch, batch);
    await world.engine.reset(thread);
    await exchange(world, "after");
    assert.match(told(world), /part one[\s\S]*go on[\s\S]*part two/);
  });

  it("I19, I41: nothing is said to be left out where all that was missed was read", async () => {
    const world = await World.create({
      compile,
      settings: { contextBudgetTokens: 900 },
    });
    await exchange(world, "one");
    await world.engine.setAgent(world.thread, "b");
    for (let n = 0; n < 60; n += 1)
      await exchange(world, `ask ${n}`, `answer ${"word ".repeat(60)}`);
    await world.engine.setAgent(world.thread, "a");
    await world.say("back");
    world.agents.turn.say("half");
    await settled();
    await world.engine.cancel(world.thread);
    await settled();
    const before = await world.transcript();
    await world.say("again");
    assert.equal(told(world), "again");
    assert.deepEqual((await world.transcript()).slice(before.length), [
      "user again",
      "start delta",
    ]);
  });
});
