import assert from "node:assert/strict";
import type { ThreadSnapshot } from "../../../src/core/dispatch/changes.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";
import { isStanding, standingNotices } from "../../../src/host/notices.ts";

function told(snapshot: ThreadSnapshot): readonly string[] {
  return standingNotices(snapshot, true, "Claude Code").map(
    ({ title, text, actions }) =>
      [title, text, ...actions.map(({ label }) => `[${label}]`)].join(" "),
  );
}

describe("what stands in the way of a thread", () => {
  it("a turn past its ceiling asks, with both answers, until it ends", async () => {
    const world = await World.create({ settings: { ceilingMinutes: 2 } });
    await world.say("one");
    await world.clock.advance(2 * 60_000);
    assert.deepEqual(told(world.snapshot), [
      "This turn has been running for 2 minutes. Stop it, or let it go on. Nothing is stopped by itself. [Stop] [Let it go on]",
    ]);
    const notice = world.changes.findLast(({ kind }) => kind === "notice");
    assert.ok(notice?.kind === "notice" && isStanding(notice.notice));
    await world.endTurn();
    assert.deepEqual(told(world.snapshot), []);
  });

  it("no more once it is being stopped", async () => {
    const world = await World.create({
      settings: { ceilingMinutes: 1 },
      agent: { onCancel: "ignore" },
    });
    await world.say("one");
    await world.clock.advance(60_000);
    assert.equal(told(world.snapshot).length, 1);
    await world.engine.cancel(world.thread);
    assert.deepEqual(told(world.snapshot), []);
  });

  it("an agent that did not start leaves the message first in the queue", async () => {
    const world = await World.create({
      agent: { startFailures: ["notFound"] },
    });
    await world.say("one");
    assert.deepEqual(told(world.snapshot), [
      "It failed: notFound. The turn did not start. Your message is first in the queue. [Retry] [Check setup] [Use another agent] [Show log]",
    ]);
  });

  it("two failed turns say so, and nothing of a turn that did not start", async () => {
    const world = await World.create();
    for (const text of ["one", "two", "three"])
      await world.say(text, { separate: true });
    for (let n = 0; n < 2; n += 1) {
      world.agents.turn.fail("refused");
      await settled();
    }
    assert.deepEqual(told(world.snapshot), [
      "It failed: refused. The last turns failed. What is queued waits until you retry. [Retry] [Use another agent] [Show log]",
    ]);
  });

  it("an agent that died says which try this is and why, and is started at once when asked", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    world.agents.turn.say("read");
    world.agents.process.die();
    await settled();
    assert.deepEqual(told(world.snapshot), [
      "Claude Code stopped. Restarting, try 1 of 3. It failed: exited. Your queue is kept. [Restart now] [Show log]",
    ]);
    const started = world.agents.acts.length;
    assert.deepEqual(await world.engine.sendNow(world.thread, null), {
      ok: true,
    });
    await settled();
    assert.ok(world.agents.acts.length > started);
    assert.deepEqual(told(world.snapshot), []);
  });
});
