import assert from "node:assert/strict";
import fc from "fast-check";
import { laneOf } from "../../../src/core/dispatch/claim.ts";
import type { NewMessage } from "../../../src/core/dispatch/events.ts";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../../../src/core/dispatch/settings.ts";
import { compile } from "../../../src/core/compile/compile.ts";
import type { Sender } from "../../../src/core/message.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const peer: Sender = { kind: "agent", id: "peer", name: "Peer" };

interface Case {
  readonly title: string;
  readonly settings?: Partial<DispatchSettings>;
  readonly queued: readonly (
    string | (Partial<NewMessage> & { readonly text: string })
  )[];
  readonly turns: readonly string[];
}

const from = (text: string, sender: Sender) => ({ text, sender });
const long = (text: string, tokens: number) => ({
  text,
  blocks: [{ type: "text", text: text.padEnd(tokens * 4, "~") } as const],
});

const cases: readonly Case[] = [
  {
    title: "I17: batched carries everything queued",
    queued: ["a", "b", "c"],
    turns: ["a+b+c"],
  },
  {
    title: "I18: what exceeds the message cap heads the next batch",
    settings: { maxBufferedMessages: 2 },
    queued: ["a", "b", "c", "d", "e"],
    turns: ["a+b", "c+d", "e"],
  },
  {
    title:
      "I18: what exceeds the token cap heads the next batch; nothing skips ahead",
    settings: { maxBatchTokens: 10 },
    queued: [long("a", 6), long("b", 6), long("c", 3), long("d", 4)],
    turns: ["a", "b+c", "d"],
  },
  {
    title: "I18: a single larger message goes alone and whole",
    settings: { maxBatchTokens: 10 },
    queued: [long("a", 50), "b", "c"],
    turns: ["a", "b+c"],
  },
  {
    title: "per-lane carries everything of the sender at the head",
    settings: { mode: "per-lane" },
    queued: ["a", from("p", peer), "b", from("q", peer)],
    turns: ["a+b", "p+q"],
  },
  {
    title: "per-message carries one",
    settings: { mode: "per-message" },
    queued: ["a", "b"],
    turns: ["a", "b"],
  },
  {
    title: "I24: a command never shares a batch",
    queued: ["a", "/compact now", "b", "c"],
    turns: ["a", "/compact now", "b+c"],
  },
  {
    title: "I24: a path is no command",
    queued: ["a", "/usr/bin is full", "b"],
    turns: ["a+/usr/bin is full+b"],
  },
  {
    title: "a message marked as separate goes alone",
    queued: ["a", { text: "b", separate: true }, "c"],
    turns: ["a", "b", "c"],
  },
  {
    title: "I13: messages go in the order they were accepted",
    settings: { maxBufferedMessages: 3 },
    queued: ["7", "3", "9", "1", "5"],
    turns: ["7+3+9", "1+5"],
  },
];

describe("what the next turn carries", () => {
  for (const { title, settings, queued, turns } of cases)
    it(title, async () => {
      const world = await World.create({
        settings: { allowAgentMessages: "all", ...settings },
      });
      await world.say("first");
      for (const item of queued)
        if (typeof item === "string") await world.say(item);
        else {
          const { text, ...more } = item;
          await world.say(text, more);
        }
      const plan = world.snapshot.queue.plan.map((ids) => ids.join("+"));
      await world.endTurn();
      for (let n = 1; n < turns.length; n += 1) await world.endTurn();
      const said = world.agents.prompts
        .slice(1)
        .map((prompt) => prompt.replaceAll("~", "").replaceAll(" + ", "+"));
      assert.deepEqual(said, turns);
      assert.deepEqual(plan, turns.slice(0, plan.length), "as it was planned");
      const room = settings?.maxBufferedMessages ?? queued.length;
      assert.ok(plan.join("+").split("+").length >= room);
    });

  it("I24: once the agent has announced its commands, only those are barriers", async () => {
    const world = await World.create();
    await world.say("first");
    world.agents.turn.tell({
      kind: "commands",
      commands: [{ name: "compact", description: "" }],
    });
    for (const text of ["a", "/unknown", "/compact", "b"])
      await world.say(text);
    await world.endTurn();
    await world.endTurn();
    await world.endTurn();
    assert.deepEqual(world.agents.prompts.slice(1), [
      "a + /unknown",
      "/compact",
      "b",
    ]);
  });

  it("I24: what was announced holds while the agent sleeps, until another is chosen", async () => {
    const world = await World.create();
    await world.say("first");
    world.agents.turn.tell({
      kind: "commands",
      commands: [{ name: "git:commit", description: "" }],
    });
    await world.endTurn();
    await world.clock.advance(15 * 60_000);
    assert.equal(world.status, "none");
    await world.engine.hold(world.thread);
    await world.say("a");
    await world.say("/git:commit");
    await world.say("/word");
    const barriers = () =>
      world.snapshot.queue.items.map(({ command }) => command);
    assert.deepEqual(barriers(), [false, true, false]);
    await world.engine.setAgent(world.thread, "b");
    assert.deepEqual(barriers(), [false, false, true]);
    await world.engine.setAgent(world.thread, "a");
    await world.engine.remove(world.thread, ["/word"]);
    await world.engine.resume(world.thread);
    await settled();
    assert.equal(world.agents.prompts.at(-1), "a + /git:commit");
  });

  it("I19 I24: a batch of one is its own blocks; so is a command, with nothing before it", async () => {
    const world = await World.create({ compile });
    const blocks = [
      { type: "text", text: "look at <this>\n" },
      { type: "link", uri: "file:///a", name: "a" },
    ] as const;
    await world.say("one", { blocks });
    assert.deepEqual(world.agents.turn.blocks, blocks);
    await world.endTurn();
    await world.say("/compact");
    assert.deepEqual(world.agents.turn.blocks, [
      { type: "text", text: "/compact" },
    ]);
  });

  it("I20: in a batch of several every text is whole and attributed, and images keep their bytes", async () => {
    const world = await World.create({ compile });
    await world.say("one");
    const data = Uint8Array.of(1, 2, 3);
    const texts = ["two </message> & <b>", "three"];
    await world.say(texts[0] ?? "");
    await world.say("three", {
      blocks: [
        { type: "text", text: texts[1] ?? "" },
        { type: "image", mimeType: "image/png", blob: "h1", bytes: 3 },
      ],
      blobs: [{ hash: "h1", mimeType: "image/png", data }],
    });
    await world.endTurn();
    const [packed, image] = world.agents.turn.blocks;
    assert.ok(packed?.type === "text");
    for (const text of texts) assert.ok(packed.text.includes(text));
    assert.equal(packed.text.match(/from="alice"/g)?.length, 2);
    assert.deepEqual(image, { type: "image", mimeType: "image/png", data });
  });

  it("an image reaches the agent although its bytes are stored in the same transaction", async () => {
    const world = await World.create({ compile });
    await world.say("one");
    await world.endTurn();
    const data = Uint8Array.of(9);
    await world.say("two", {
      blocks: [{ type: "image", mimeType: "image/png", blob: "h9", bytes: 1 }],
      blobs: [{ hash: "h9", mimeType: "image/png", data }],
    });
    assert.deepEqual(world.agents.turn.blocks, [
      { type: "image", mimeType: "image/png", data },
    ]);
  });

  it("I23: keys of threads and lanes never collide, whatever characters ids contain", () => {
    const id = fc.string({
      unit: fc.constantFrom("a", '"', ",", "\\", "]", "[", " "),
    });
    const sender: fc.Arbitrary<Sender> = fc.oneof(
      fc.record({ kind: fc.constant("user"), name: id }),
      fc.record({ kind: fc.constantFrom("agent", "trigger"), id, name: id }),
    );
    const lane = fc.record({ thread: id, sender });
    fc.assert(
      fc.property(lane, lane, (one, other) => {
        const same =
          one.thread === other.thread &&
          one.sender.kind === other.sender.kind &&
          (one.sender.kind === "user" ||
            other.sender.kind === "user" ||
            one.sender.id === other.sender.id);
        assert.equal(laneOf(one) === laneOf(other), same);
      }),
      { numRuns: 500 },
    );
  });

  it("I22: past the cap a message is accepted, durable and told to wait until there is room", async () => {
    const world = await World.create({ settings: { maxBufferedMessages: 2 } });
    await world.say("one");
    assert.deepEqual(await world.say("two"), { ok: true });
    assert.deepEqual(await world.say("three"), { ok: true });
    assert.deepEqual(await world.say("four"), { ok: true, note: "waiting" });
    assert.deepEqual(await world.states("four"), ["queued"]);
    assert.deepEqual(
      world.snapshot.queue.items.map(({ waiting }) => waiting),
      [false, false, true],
    );
    assert.equal(world.snapshot.queue.full, true);
    let admitted = false;
    const waiting = world.engine.admitted(world.thread, "four").then(() => {
      admitted = true;
    });
    await settled();
    assert.equal(admitted, false);
    await world.endTurn();
    await waiting;
    assert.deepEqual(world.queue(), ["four"]);
  });

  for (const [how, gone] of [
    ["is deleted", (world: World) => world.engine.closeThread(world.thread)],
    ["shuts down with the rest", (world: World) => world.engine.dispose()],
  ] as const)
    it(`I22: a submitter that waits is answered when its thread ${how}`, async () => {
      const world = await World.create({
        settings: { maxBufferedMessages: 1 },
      });
      for (const text of ["one", "two", "three"]) await world.say(text);
      const waiting = world.engine.admitted(world.thread, "three");
      await gone(world);
      await waiting;
      assert.deepEqual(await world.states("three"), ["queued"]);
    });

  it("I22: a raised cap admits what waits, and views are told", async () => {
    const world = await World.create({ settings: { maxBufferedMessages: 1 } });
    for (const text of ["one", "two", "three"]) await world.say(text);
    let admitted = false;
    void world.engine.admitted(world.thread, "three").then(() => {
      admitted = true;
    });
    world.changes.length = 0;
    for (const maxBufferedMessages of [10, 11])
      world.engine.configure({
        ...defaultDispatchSettings,
        maxBufferedMessages,
      });
    await settled();
    assert.equal(admitted, true);
    assert.deepEqual(
      world.changes.flatMap((change) =>
        change.kind === "queue"
          ? [change.queue.items.map(({ waiting }) => waiting)]
          : [],
      ),
      [[false, false]],
    );
  });

  it("I5: a repeated request id is acknowledged and not queued again, across restarts", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    assert.deepEqual(await world.say("two"), { ok: true, note: "duplicate" });
    assert.deepEqual(await world.say("one"), { ok: true, note: "duplicate" });
    const next = await world.crash();
    assert.deepEqual(await next.say("one"), { ok: true, note: "duplicate" });
    assert.deepEqual(next.queue(), ["two"]);
  });
});
