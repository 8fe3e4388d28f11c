import assert from "node:assert/strict";
import type { DispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { typedMessage } from "../../../src/core/dispatch/nextPrompt.ts";
import { countersSince } from "../../../src/core/gates.ts";
import type { Message, Sender } from "../../../src/core/message.ts";
import { at, body } from "../../fakes/recordBuilder.ts";
import { alice, World } from "../../fakes/world.ts";

const peer: Sender = { kind: "agent", id: "peer", name: "Peer" };
const timer: Sender = { kind: "trigger", id: "timer", name: "Timer" };

interface Case {
  readonly settings: Partial<DispatchSettings>;
  readonly sender: Sender;
  readonly mentioned: boolean;
  readonly answer: "ok" | "gateClosed" | "notTrusted";
}

const cases: readonly Case[] = [
  {
    settings: { allowAgentMessages: "off" },
    sender: peer,
    mentioned: true,
    answer: "gateClosed",
  },
  {
    settings: { allowAgentMessages: "off" },
    sender: alice,
    mentioned: false,
    answer: "ok",
  },
  {
    settings: { allowAgentMessages: "mentions" },
    sender: peer,
    mentioned: false,
    answer: "gateClosed",
  },
  {
    settings: { allowAgentMessages: "mentions" },
    sender: peer,
    mentioned: true,
    answer: "ok",
  },
  {
    settings: { allowAgentMessages: "mentions" },
    sender: timer,
    mentioned: false,
    answer: "gateClosed",
  },
  {
    settings: { allowAgentMessages: "all" },
    sender: timer,
    mentioned: false,
    answer: "ok",
  },
  {
    settings: { allowAgentMessages: "all", trustedAgents: ["other"] },
    sender: peer,
    mentioned: true,
    answer: "notTrusted",
  },
  {
    settings: { allowAgentMessages: "all", trustedAgents: ["peer"] },
    sender: peer,
    mentioned: true,
    answer: "ok",
  },
  {
    settings: { allowAgentMessages: "all", trustedAgents: ["peer"] },
    sender: alice,
    mentioned: true,
    answer: "ok",
  },
];

describe("the gates before the queue", () => {
  for (const { settings, sender, mentioned, answer } of cases)
    it(`${JSON.stringify(settings)}: ${sender.kind}${mentioned ? " with a mention" : ""} is answered ${answer}`, async () => {
      const world = await World.create({ settings });
      const reply = await world.say("m", {
        sender,
        mentions: mentioned ? [world.thread] : [],
      });
      assert.equal(reply.ok ? "ok" : reply.reason, answer);
      assert.deepEqual(world.agents.prompts, answer === "ok" ? ["m"] : []);
      const told = world.changes.some(
        (change) => change.kind === "notice" && change.notice.code === "gate",
      );
      assert.equal(told, answer !== "ok");
    });

  it("counts consecutive agent messages at ingest; a user's message zeroes them", async () => {
    const world = await World.create({
      settings: { allowAgentMessages: "all", maxConsecutiveAgentMessages: 3 },
    });
    await world.say("mine");
    const from = async (n: number) =>
      (await world.say(`p${n}`, { sender: peer })).ok;
    assert.deepEqual(
      [await from(1), await from(2), await from(3), await from(4)],
      [true, true, true, false],
    );
    await world.say("mine again");
    assert.equal(await from(5), true);
  });

  it("counts agent-triggered batches at dispatch, and lets the queue go on with the user's next message", async () => {
    const world = await World.create({
      settings: { allowAgentMessages: "all", maxConsecutiveAgentBatches: 2 },
    });
    for (const text of ["p1", "p2"]) {
      await world.say(text, { sender: peer });
      await world.endTurn();
    }
    await world.say("p3", { sender: peer });
    assert.deepEqual(
      [world.agents.prompts, world.queue()],
      [["p1", "p2"], ["p3"]],
    );
    await world.say("mine");
    assert.equal(world.agents.prompts.at(-1), "p3 + mine");
  });

  it("both counters outlive a restart, and a runner that was built anew", async () => {
    const settings = {
      allowAgentMessages: "all",
      maxConsecutiveAgentMessages: 4,
      maxConsecutiveAgentBatches: 2,
      restoreQueue: "resume",
    } as const;
    const before = await World.create({ settings });
    await before.say("mine");
    await before.endTurn();
    for (const text of ["p1", "p2"]) {
      await before.say(text, { sender: peer });
      await before.endTurn();
    }
    await before.say("p3", { sender: peer });
    await before.engine.remove(before.thread, ["p3"]);
    const world = await before.crash({ settings });
    await world.say("p4", { sender: peer });
    assert.deepEqual(
      [world.agents.prompts.at(-1), world.snapshot.queue.gated],
      ["p2", true],
    );
    const refused = await world.say("p5", { sender: peer });
    assert.equal(refused.ok ? "ok" : refused.reason, "tooManyAgentMessages");
    world.agents.startGate = () => Promise.reject(new Error("a bug"));
    await world.say("mine again");
    assert.ok(world.changes.some(({ kind }) => kind === "rebuilt"));
    world.agents.startGate = () => Promise.resolve();
    assert.equal(world.snapshot.queue.gated, false);
    for (const text of ["q1", "q2", "q3", "q4"])
      assert.equal((await world.say(text, { sender: peer })).ok, true, text);
    const last = await world.say("q5", { sender: peer });
    assert.equal(last.ok ? "ok" : last.reason, "tooManyAgentMessages");
  });

  it("what a retry sends again counts as a turn, not as a message; a user's part in it counts as theirs", () => {
    const row = (
      id: string,
      place: number,
      sender: Sender,
      more: Partial<Message> = {},
    ): Message => ({
      ...typedMessage("t", [{ type: "text", text: id }]),
      id,
      arrived: at(place),
      position: at(place),
      batch: at(place),
      sender,
      ...more,
    });
    const start = (place: number, batch: number): Message =>
      row(`s${place}`, place, timer, { batch: at(batch), body: body.start() });
    const rows = [
      row("u", 1, alice),
      start(2, 1),
      row("p", 3, peer),
      start(4, 3),
      row("p again", 5, peer, { retryOf: "p" }),
      start(6, 5),
      row("u again", 7, alice, { retryOf: "u" }),
      start(8, 7),
      row("t", 9, timer, { batch: at(7) }),
      start(10, 7),
    ];
    assert.deepEqual(countersSince(rows), {
      agentMessages: 2,
      agentBatches: 3,
    });
    assert.deepEqual(countersSince([]), { agentMessages: 0, agentBatches: 0 });
  });

  it("a batch is what its senders make it", async () => {
    const world = await World.create({
      settings: { allowAgentMessages: "all" },
    });
    const types: (string | null)[] = [];
    for (const [text, sender] of [
      ["u", alice],
      ["p", peer],
      ["t", timer],
    ] as const) {
      await world.say(text, { sender });
      await world.endTurn();
      types.push((await world.message(text)).batchType);
    }
    assert.deepEqual(types, [
      "user_request",
      "agent_to_agent",
      "system_trigger",
    ]);
  });
});
