import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import { explain } from "../../../src/core/compile/explain.ts";
import type { Fragment } from "../../../src/core/compile/types.ts";
import { nextText } from "../../../src/host/previewText.ts";
import { capable } from "../../fakes/agent.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const idle = 15 * 60_000;
const fragments = (): readonly Fragment[] => [
  { id: "project", lifecycle: "static", text: "here" },
  { id: "todo", lifecycle: "dynamic", text: "build" },
];

async function exchange(world: World, text: string): Promise<void> {
  await world.say(text);
  world.agents.turn.say(`re ${text}`);
  await world.endTurn();
}

async function foreseen(world: World, typed = "typed") {
  const next = await world.engine.preview(world.thread, [
    { type: "text", text: typed },
  ]);
  assert.ok(next);
  return next;
}

/** What a preview says and what is then sent, in each state a session can be in. */
const cases: Readonly<
  Record<
    string,
    {
      readonly before: (world: World) => Promise<unknown>;
      readonly why: string;
      readonly kind: "full" | "delta";
    }
  >
> = {
  "none yet": {
    before: () => Promise.resolve(),
    why: "The agent has no session for this conversation yet.",
    kind: "full",
  },
  live: {
    before: (world) => exchange(world, "one"),
    why: "The session remembers everything before this.",
    kind: "delta",
  },
  suspended: {
    before: async (world) => {
      await exchange(world, "one");
      await world.clock.advance(idle);
    },
    why: "The session remembers everything before this.",
    kind: "delta",
  },
  reset: {
    before: async (world) => {
      await exchange(world, "one");
      await world.engine.reset(world.thread);
    },
    why: "The session was reset.",
    kind: "full",
  },
  "in another folder": {
    before: async (world) => {
      await exchange(world, "one");
      await world.engine.setFolder(world.thread, "/else");
    },
    why: "The session belongs to another folder.",
    kind: "full",
  },
  "of another agent": {
    before: async (world) => {
      await exchange(world, "one");
      await world.engine.setAgent(world.thread, "b");
      await exchange(world, "two");
      await world.engine.setAgent(world.thread, "a");
    },
    why: "The session remembers everything before this.",
    kind: "delta",
  },
};

describe("what the next turn will send", () => {
  for (const [name, { before, why, kind }] of Object.entries(cases))
    for (const systemPrompt of [true, false])
      it(`is what is then sent: session ${name}, ${systemPrompt ? "with" : "without"} a system prompt`, async () => {
        const world = await World.create({
          compile,
          fragments,
          agent: { capabilities: { systemPrompt } },
          // As they were told before the host was started.
          capabilities: () => ({ ...capable, systemPrompt }),
        });
        await before(world);
        await settled();
        await world.engine.hold(world.thread);
        await world.say("next");
        await world.say("and more");
        const { compiled, messages, acquainted } = await foreseen(world);
        assert.equal(acquainted, true);
        assert.deepEqual(
          messages.map(({ id }) => id),
          ["next", "and more"],
        );
        assert.deepEqual([explain(compiled).why, compiled.kind], [why, kind]);
        await world.engine.resume(world.thread);
        await settled();
        assert.deepEqual(compiled.blocks, world.agents.turn.blocks);
        const { opened, resumed } = world.agents.process;
        const { turns } = world.agents.process;
        const given = [...opened, ...resumed].at(-1)?.systemPrompt;
        assert.equal(
          compiled.systemPrompt,
          turns.length === 1 || kind === "full" ? given : undefined,
          "what its session is opened with",
        );
      });

  it("an agent that never ran is taken to take a system prompt; else the same goes ahead of the rest", async () => {
    const world = await World.create({ compile, fragments });
    await world.engine.hold(world.thread);
    await world.say("next");
    const { compiled, certain, acquainted } = await foreseen(world);
    assert.deepEqual([certain, acquainted], [false, false]);
    assert.equal(compiled.systemPrompt, "here");
    await world.engine.resume(world.thread);
    await settled();
    const text = `[System Context]: ${compiled.systemPrompt}`;
    assert.deepEqual(world.agents.turn.blocks, [
      { type: "text", text },
      ...compiled.blocks,
    ]);
  });

  it("is foreseen of a thread that is only begun, and nothing is entered for it", async () => {
    const capabilities = () => capable;
    const world = await World.create({ compile, fragments, capabilities });
    const typed = [{ type: "text", text: "first words" }] as const;
    const begun = { agent: "b", folder: "/work" };
    const next = await world.engine.preview("begun", typed, begun);
    assert.ok(next);
    assert.match(
      nextText(next),
      /^# Next turn to Agent b\n\nNothing is queued[^]*Agent b is not running\.\n/u,
    );
    assert.equal(await world.engine.preview("begun", typed), undefined);
    assert.equal(await world.store.thread("begun"), undefined);
    const made = await world.engine.createThread({ id: "begun", ...begun });
    assert.ok("id" in made);
    await world.submit("first words", {}, "begun");
    await settled();
    assert.deepEqual(world.agents.turn.blocks, next.compiled.blocks);
  });

  it("is foreseen while a turn runs, which is taken to succeed", async () => {
    const world = await World.create({ compile, fragments });
    await world.say("one");
    await world.say("two");
    const { compiled } = await foreseen(world);
    world.agents.turn.say("done");
    await world.endTurn();
    assert.deepEqual(compiled.blocks, world.agents.turn.blocks);
  });

  it("is what is typed, when nothing is queued", async () => {
    const world = await World.create({ compile });
    await exchange(world, "one");
    const next = await foreseen(world, "half a thou");
    assert.deepEqual(next.messages, []);
    assert.deepEqual(next.compiled.blocks, [
      { type: "text", text: "half a thou" },
    ]);
    assert.match(
      nextText(next),
      /^# Next turn to Agent a\n\nNothing is queued/,
    );
  });

  it("says what is only supposed, each part with its size, and the text untouched", async () => {
    const world = await World.create({ compile, fragments });
    const text = nextText(await foreseen(world, "a ``` in it"));
    assert.match(
      text,
      /Agent a is not running\. What it takes is supposed\.\n/,
    );
    assert.match(text, /\*\*Full context\*\*, 34 bytes, ≈ 9 tokens/);
    assert.match(text, /\| 2 \| todo \| 1 \| 23 bytes \| 6 \|/);
    assert.ok(text.endsWith("````\na ``` in it\n````\n"));
  });

  it("sends and changes nothing", async () => {
    const world = await World.create({ compile });
    await exchange(world, "one");
    const before = await world.transcript();
    await foreseen(world);
    assert.deepEqual(await world.transcript(), before);
    assert.equal(world.agents.prompts.length, 1);
  });
});
