import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import type { Sender } from "../../src/core/message.ts";
import { ManualClock } from "../fakes/clock.ts";
import { alice } from "../fakes/world.ts";
import { Path } from "./wholePathWorld.ts";

const helper: Sender = { kind: "agent", id: "helper", name: "Helper" };
const minute = 60_000;

/** A turn that runs until `go`, with these queued behind it. */
async function queuedBehind(
  way: Path,
  ...messages: readonly (readonly [text: string, sender: Sender])[]
): Promise<() => void> {
  const file = way.file("go");
  await way.say(`do:say=begun do:await=${file}`);
  await way.shown("begun");
  for (const [text, sender] of messages) await way.say(text, sender);
  return () => writeFileSync(file, "");
}

/** What of these words is in each prompt after the first, in order. */
function carried(way: Path): readonly (readonly string[])[] {
  return way
    .prompts()
    .slice(1)
    .map((prompt) => prompt.match(/\b[ab]\d\b/gu) ?? []);
}

describe("what can be set, over real stdio and on a real disk", function () {
  this.timeout(30_000);

  const four = [
    ["a1", alice],
    ["b1", helper],
    ["a2", alice],
    ["b2", helper],
  ] as const;
  for (const [mode, turns] of [
    ["batched", [["a1", "b1", "a2", "b2"]]],
    [
      "per-lane",
      [
        ["a1", "a2"],
        ["b1", "b2"],
      ],
    ],
    ["per-message", [["a1"], ["b1"], ["a2"], ["b2"]]],
  ] as const)
    it(`mode ${mode}: what was queued goes as ${JSON.stringify(turns)}`, async () => {
      const way = await Path.open({
        settings: { mode, allowAgentMessages: "all" },
      });
      const go = await queuedBehind(way, ...four);
      go();
      await way.until(() => way.prompts().length > turns.length);
      await way.status("ready");
      assert.deepEqual(carried(way), turns);
      await way.close();
    });

  it("packing blocks: each message is a block of its own under a header", async () => {
    const way = await Path.open({
      settings: { packing: "blocks", allowAgentMessages: "all" },
    });
    const go = await queuedBehind(way, ["a1", alice], ["b1", helper]);
    go();
    await way.until(() => way.prompts().length === 2);
    const blocks = way.prompts()[1]?.split("|") ?? [];
    assert.deepEqual(blocks.slice(1), [
      '[Message 1 of 2 from "alice"]',
      "a1",
      '[Message 2 of 2 from "Helper"]',
      "b1",
    ]);
    await way.status("ready");
    await way.close();
  });

  it("a collect window brings together what is said to an idle agent", async () => {
    const clock = new ManualClock();
    const way = await Path.open({ clock, settings: { collectWindowMs: 500 } });
    await way.say("a1");
    await clock.advance(400);
    await way.say("a2");
    await clock.advance(400);
    assert.equal(await way.state("a1"), "queued", "each begins it anew");
    await clock.advance(100);
    await way.until(() => way.prompts().length === 1);
    assert.match(way.prompts()[0] ?? "", /\na1\n[^]*\na2\n/u);
    await way.status("ready");
    await way.close();
  });

  it("afterCancel hold: the queue waits for the user after a cancel", async () => {
    const way = await Path.open({ settings: { afterCancel: "hold" } });
    await queuedBehind(way, ["a1", alice]);
    await way.engine.cancel(way.thread);
    await way.status("ready");
    const held = () => way.engine.snapshot(way.thread)?.queue.held;
    assert.equal(held(), "cancelled");
    assert.equal(way.prompts().length, 1);
    await way.engine.resume(way.thread);
    await way.shown("echo: a1");
    assert.equal(held(), null);
    await way.status("ready");
    await way.close();
  });

  it("ceilingMinutes: asks once when a turn has run that long, and ends nothing", async () => {
    const clock = new ManualClock();
    const way = await Path.open({ clock, settings: { ceilingMinutes: 2 } });
    const go = await queuedBehind(way);
    await clock.freeze(2 * minute - 1);
    assert.deepEqual(way.notices("ceiling"), []);
    await clock.freeze(1);
    await way.until(() => way.notices("ceiling").length > 0);
    await clock.freeze(minute);
    assert.deepEqual(way.notices("ceiling"), [
      "This turn has been running for 2 minutes.",
    ]);
    assert.equal(way.engine.snapshot(way.thread)?.status.state, "busy");
    go();
    await way.status("ready");
    assert.ok((await way.transcript()).includes("end end_turn"));
    await way.close();
  });

  for (const { what, settings, mentioned, reason } of [
    {
      what: "off",
      settings: { allowAgentMessages: "off" },
      mentioned: true,
      reason: "gateClosed",
    },
    {
      what: "mentions, without one",
      settings: { allowAgentMessages: "mentions" },
      mentioned: false,
      reason: "gateClosed",
    },
    {
      what: "another is trusted",
      settings: { trustedAgents: ["other"] },
      mentioned: true,
      reason: "notTrusted",
    },
    {
      what: "too many in a row",
      settings: { maxConsecutiveAgentMessages: 0 },
      mentioned: true,
      reason: "tooManyAgentMessages",
    },
  ] as const)
    it(`gates (${what}): another agent is answered ${reason} and the user is told; the user passes`, async () => {
      const way = await Path.open({ settings });
      const mentions = mentioned ? [way.thread] : [];
      const reply = await way.submit("from outside", helper, mentions);
      assert.ok(!reply.ok);
      assert.equal(reply.reason, reason);
      assert.deepEqual(way.notices("gate"), [reply.detail]);
      assert.equal(await way.state("from outside"), "none");
      await way.say("a1");
      await way.shown("echo: a1");
      await way.status("ready");
      assert.deepEqual(way.prompts(), ["a1"]);
      await way.close();
    });

  it("turns that others start are counted; past the limit the queue waits for the user's word", async () => {
    const way = await Path.open({
      settings: { allowAgentMessages: "all", maxConsecutiveAgentBatches: 1 },
    });
    await way.say("b1", helper);
    await way.shown("echo: b1");
    await way.status("ready");
    await way.say("b2", helper);
    await way.until(() => way.notices("gate").length > 0);
    assert.equal(await way.state("b2"), "queued");
    const resumed = await way.engine.resume(way.thread);
    assert.ok(!resumed.ok && resumed.reason === "gated");
    await way.say("a1");
    await way.until(() => way.prompts().length === 2);
    await way.status("ready");
    assert.deepEqual(carried(way), [["b2", "a1"]]);
    await way.close();
  });

  it("I53: idleMinutes: an idle agent is ended, and the next message resumes its session", async () => {
    const clock = new ManualClock();
    const way = await Path.open({ clock, settings: { idleMinutes: 15 } });
    await way.say("a1");
    await way.shown("echo: a1");
    await way.status("ready");
    await clock.advance(15 * minute - 1);
    assert.equal(way.engine.snapshot(way.thread)?.status.state, "ready");
    await clock.advance(1);
    await way.status("none");
    await way.say("a2");
    await way.shown("echo: a2");
    await way.status("ready");
    assert.equal(way.heard("initialize").length, 2);
    assert.equal(way.heard("session/new").length, 1);
    assert.equal(way.heard("session/resume").length, 1);
    assert.deepEqual(way.prompts(), ["a1", "a2"]);
    await way.close();
  });

  it("an agent that dies is started again after a while, and the queue goes on", async () => {
    const way = await Path.open({ haste: 5 });
    const go = way.file("go");
    await way.say(`do:say=begun do:await=${go} do:die`);
    await way.shown("begun");
    await way.say("a1");
    writeFileSync(go, "");
    await way.shown("echo: a1");
    await way.status("ready");
    const restarts = way.changes.flatMap((change) =>
      change.kind === "status" && change.status.state === "restarting"
        ? [change.status.restart]
        : [],
    );
    assert.deepEqual(restarts[0], { attempt: 1, most: 3 });
    assert.equal(way.heard("session/resume").length, 1);
    assert.deepEqual(way.prompts().slice(1), ["a1"]);
    await way.close();
  });
});
