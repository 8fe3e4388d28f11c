import assert from "node:assert/strict";
import { Transcript } from "../../../src/host/transcript.ts";
import { liveParts } from "../../../src/host/projector.ts";
import type { ViewBatch } from "../../../src/protocol/transcript.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

/** The newest turn as a view would show it now. */
async function shown(
  world: World,
): Promise<ViewBatch & { readonly answer: string }> {
  const transcript = new Transcript(world.store, world.thread);
  await transcript.latest();
  for (const message of world.snapshot.tail)
    transcript.apply({ kind: "message", message });
  const { batches, messages } = transcript.project(liveParts(world.snapshot));
  const [last] = batches.slice(-1);
  assert.ok(last);
  const said = messages.findLast(({ body }) => body.kind === "agent")?.body;
  return { ...last, answer: said?.kind === "agent" ? said.text : "" };
}

describe("a turn that could not be saved", () => {
  it("I51: is marked while its end is not stored, with its answer whole, and no longer when it is", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("the answer");
    await settled();
    assert.equal((await shown(world)).notSaved, undefined);
    world.store.trouble = "full";
    world.agents.turn.say(" and its end");
    await world.endTurn();
    const unsaved = await shown(world);
    assert.equal(unsaved.notSaved, true);
    assert.equal(unsaved.answer, "the answer and its end");
    assert.ok(
      world.changes.some(
        (change) => change.kind === "unsaved" && change.unsaved?.over === true,
      ),
    );
    world.store.trouble = null;
    await world.clock.advance(20_000);
    const saved = await shown(world);
    assert.equal(saved.notSaved, undefined);
    assert.equal(saved.status, "completed");
    assert.equal(saved.answer, "the answer and its end");
  });

  it("is not taken for over while the agent still answers", async () => {
    const world = await World.create();
    await world.say("one");
    world.store.trouble = "full";
    world.agents.turn.say("begins");
    await settled();
    await world.clock.advance(1_000);
    assert.equal((await shown(world)).notSaved, undefined);
  });
});
