import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import type { Session } from "../../../src/core/thread.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

/** Two turns, then a restart; meanwhile the record of the session is changed. */
async function tampered(
  change: (session: Session, first: string) => Partial<Session>,
): Promise<World> {
  const before = await World.create({ compile });
  for (const text of ["alpha", "beta"]) {
    await before.say(text);
    before.agents.turn.say(`re ${text}`);
    await before.endTurn();
  }
  await before.clock.advance(15 * 60_000);
  const { store, thread } = before;
  const [session] = await store.sessions(thread);
  assert.ok(session);
  const { position } = await before.message("alpha");
  const changed = { ...session, ...change(session, position ?? "") };
  await store.commit([{ kind: "session", session: changed }], "full");
  const world = await before.crash({ compile });
  await world.say("gamma");
  await settled();
  return world;
}

describe("a session whose cursor cannot be right", () => {
  const cases = {
    cursorAhead: () => ({ cursor: "f".repeat(16) }),
    cursorBehind: (_: Session, first: string) => ({ cursor: first }),
  };
  for (const [reason, change] of Object.entries(cases))
    it(`I42 I44: ${reason} tells the whole history again, and the user`, async () => {
      const world = await tampered(change);
      const prompt = world.agents.prompts.at(-1) ?? "";
      for (const told of ["alpha", "re alpha", "beta", "re beta", "gamma"])
        assert.ok(prompt.includes(told), `${told} is missing in: ${prompt}`);
      const rows = await world.transcript();
      assert.deepEqual(rows.slice(-3), [
        "user gamma",
        "start full",
        "notice rebuilt",
      ]);
      const { messages } = await world.store.page(world.thread, { limit: 2 });
      const [start] = messages;
      assert.equal(
        start?.body.kind === "turnStart" ? start.body.recipe.reason : "",
        reason,
      );
    });

  it("I42: a cursor that is right sends what is new, and nothing else", async () => {
    const world = await tampered(() => ({}));
    assert.equal(world.agents.prompts.at(-1), "gamma");
  });
});
