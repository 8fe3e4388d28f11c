import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import { shortenedSentence } from "../../../src/core/compile/explain.ts";
import { omissionsIn } from "../../../src/core/compile/recipe.ts";
import { tokensOf } from "../../../src/core/compile/tokens.ts";
import type { Fragment } from "../../../src/core/compile/types.ts";
import type { Block, Message, Recipe } from "../../../src/core/message.ts";
import { sentIn } from "../../../src/host/previewSent.ts";
import { settled } from "../../fakes/clock.ts";
import { sha256, World, type WorldOptions } from "../../fakes/world.ts";

const idle = 15 * 60_000;

/** A world with the compiler that ships. */
function real(options: WorldOptions = {}): Promise<World> {
  return World.create({ compile, ...options });
}

async function exchange(
  world: World,
  asked: string,
  answer = `re ${asked}`,
): Promise<void> {
  await world.say(asked);
  world.agents.turn.say(answer);
  await world.endTurn();
}

async function suspend(world: World): Promise<void> {
  await world.clock.advance(idle);
  assert.equal(world.agents.alive.length, 0);
}

async function starts(world: World): Promise<
  readonly (Message & {
    readonly body: Extract<Message["body"], { kind: "turnStart" }>;
  })[]
> {
  const { messages } = await world.store.page(world.thread, { limit: 1000 });
  return messages.flatMap((row) =>
    row.body.kind === "turnStart" ? [{ ...row, body: row.body }] : [],
  );
}

async function recipes(world: World): Promise<readonly Recipe[]> {
  return (await starts(world)).map(({ body }) => body.recipe);
}

/** Each prompt that reached an agent is what the preview says was sent, byte for byte. */
async function assertToldTruly(world: World): Promise<void> {
  const sent = world.agents.turns;
  const batches = new Set(
    (await starts(world)).flatMap(({ batch }) => batch ?? []),
  );
  const told = await Promise.all(
    [...batches].map((batch) => sentIn(world.store, world.thread, batch)),
  );
  const inOrder = told
    .flat()
    .sort((one, other) => (one.position < other.position ? -1 : 1));
  assert.equal(inOrder.length, sent.length);
  for (const [n, { prompt }] of inOrder.entries()) {
    assert.ok(prompt.ok, `prompt ${n}: ${JSON.stringify(prompt)}`);
    assert.deepEqual(
      sent[n]?.blocks.map((block) =>
        block.type === "image"
          ? { type: "image", blob: sha256(block.data) }
          : block,
      ),
      prompt.blocks.map((block) =>
        block.type === "image" ? { type: "image", blob: block.blob } : block,
      ),
    );
  }
}

async function noticesOf(world: World): Promise<readonly string[]> {
  const { messages } = await world.store.page(world.thread, { limit: 1000 });
  return messages.flatMap(({ body }) =>
    body.kind === "notice" && body.code === "rebuilt" ? [body.text] : [],
  );
}

describe("what an agent remembers", () => {
  it("I41: a session that is taken up again is sent only what is new", async () => {
    const world = await real();
    await exchange(world, "one");
    await suspend(world);
    await exchange(world, "two");
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.deepEqual(await noticesOf(world), []);
    await assertToldTruly(world);
  });

  it("I41: also after a restart of the host", async () => {
    const world = await real();
    await exchange(world, "one");
    const next = await world.crash({ compile });
    await exchange(next, "two");
    assert.deepEqual(next.agents.prompts, ["one", "two"]);
  });

  it("I44: a session that is gone is told everything once, and so is the user", async () => {
    const world = await real();
    await exchange(world, "one");
    await suspend(world);
    world.agents.sessions.clear();
    await exchange(world, "two");
    await exchange(world, "three");
    const [, full = "", delta] = world.agents.prompts;
    assert.match(full, /Conversation so far[\s\S]*one[\s\S]*re one/);
    assert.match(full, /\|two$/);
    assert.equal(delta, "three");
    assert.deepEqual(await noticesOf(world), [
      "Memory rebuilt: the agent was sent this thread's history again. The agent no longer has its session.",
    ]);
    assert.deepEqual(
      (await recipes(world)).map(({ kind, reason }) => [kind, reason]),
      [
        ["full", "new"],
        ["full", "lost"],
        ["delta", "afterCursor"],
      ],
    );
    await assertToldTruly(world);
  });

  it("I44: an agent with neither load nor resume is told everything after a restart, and only what is new while it lives", async () => {
    const agent = { capabilities: { load: false, resume: false } };
    const world = await real({ agent });
    await exchange(world, "one");
    await exchange(world, "two");
    const next = await world.crash({ compile });
    await exchange(next, "three");
    await exchange(next, "four");
    const [, second, full = "", last] = next.agents.prompts;
    assert.deepEqual([second, last], ["two", "four"]);
    assert.match(
      full,
      /one[\s\S]*re one[\s\S]*two[\s\S]*re two[\s\S]*\|three$/,
    );
    assert.equal((await noticesOf(next)).length, 1);
    assert.equal((await recipes(next)).at(-2)?.reason, "cannotResume");
    await assertToldTruly(next);
  });

  it("I41, I44: there and back between two agents, each is told what it missed and nothing it wrote", async () => {
    const world = await real();
    await exchange(world, "one");
    await world.engine.setAgent(world.thread, "b");
    await exchange(world, "two");
    await world.engine.setAgent(world.thread, "a");
    await exchange(world, "three");
    await exchange(world, "four");
    const [, toB = "", toA = "", last] = world.agents.prompts;
    assert.match(toB, /one[\s\S]*re one[\s\S]*\|two$/);
    assert.match(toA, /Transcript with "Agent b"[\s\S]*two[\s\S]*re two/);
    assert.doesNotMatch(toA, /one/);
    assert.equal(last, "four");
    assert.equal(
      (await noticesOf(world)).length,
      1,
      "the return is no rebuild",
    );
    await assertToldTruly(world);
  });

  it("I41: what another agent said at length arrives within the budget, none of it twice, and the user is told", async () => {
    const world = await real({ settings: { contextBudgetTokens: 900 } });
    await exchange(world, "one");
    await world.engine.setAgent(world.thread, "b");
    for (let n = 1; n <= 8; n += 1)
      await exchange(world, `ask ${n}`, `answer ${n} ${"word ".repeat(100)}`);
    await world.engine.setAgent(world.thread, "a");
    await exchange(world, "back");
    const told = world.agents.prompts.at(-1) ?? "";
    assert.ok(tokensOf(told.length) <= 900, `${told.length} characters`);
    const asked = [...told.matchAll(/ask (\d)/gu)].map(([, n]) => Number(n));
    assert.deepEqual(
      asked,
      [1, 2, 3, 4, 5, 6, 7, 8].slice(-asked.length),
      "each once, in order, the newest",
    );
    assert.match(told, /^\[Digest of \d earlier exchange/u);
    assert.ok(told.includes(`answer 8 ${"word ".repeat(100).trim()}`));
    assert.doesNotMatch(told, /\bone\b/u);
    const { messages } = await world.store.page(world.thread, { limit: 1000 });
    const notices = messages.flatMap(({ body }) =>
      body.kind === "notice" && body.code === "shortened" ? [body.text] : [],
    );
    assert.deepEqual(notices, [shortenedSentence]);
    await exchange(world, "on");
    assert.equal(
      world.agents.prompts.at(-1),
      "on",
      "nothing of it comes again",
    );
    await assertToldTruly(world);
  });

  const breaks: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    generationChanged: (world) => world.engine.reset(world.thread),
    folderChanged: (world) => world.engine.setFolder(world.thread, "/else"),
    lost: async (world) => {
      await suspend(world);
      world.agents.sessions.clear();
    },
  };
  for (const [reason, happens] of Object.entries(breaks))
    it(`I42: ${reason} gives a full compile that says so`, async () => {
      const world = await real();
      await exchange(world, "one");
      await happens(world);
      await exchange(world, "two");
      assert.deepEqual(
        (await recipes(world)).map((recipe) => [recipe.kind, recipe.reason]),
        [
          ["full", "new"],
          ["full", reason],
        ],
      );
      assert.match(world.agents.prompts.at(-1) ?? "", /re one/);
    });

  it("I40, I41: what was read before an abort is not sent again, what was not is decided by the user", async () => {
    const world = await real();
    await exchange(world, "one");
    const before = await world.store.sessions(world.thread);
    await world.say("two");
    world.agents.turn.say("half");
    await settled();
    await world.engine.cancel(world.thread);
    await settled();
    assert.equal(
      (await world.store.sessions(world.thread))[0]?.cursor,
      before[0]?.cursor,
    );
    await exchange(world, "three");
    assert.deepEqual(world.agents.prompts, ["one", "two", "three"]);
    await assertToldTruly(world);
  });

  it("I41: what a command left due goes with the next ordinary message", async () => {
    const world = await real();
    await exchange(world, "one");
    await world.engine.setAgent(world.thread, "b");
    await exchange(world, "/init");
    await exchange(world, "two");
    assert.equal(world.agents.prompts[1], "/init");
    assert.match(world.agents.prompts[2] ?? "", /one[\s\S]*re one/);
    await assertToldTruly(world);
  });

  it("I41: a prompt that comes to nothing is not sent, and the queue goes on", async () => {
    const world = await real({
      compile: (input) => {
        const compiled = compile(input);
        const hollow = input.batch.some(({ id }) => id === "hollow");
        return hollow ? { ...compiled, blocks: [] } : compiled;
      },
    });
    await world.say("one");
    await world.say("hollow", { separate: true });
    await world.say("two", { separate: true });
    await world.endTurn();
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.deepEqual(await world.states("hollow"), ["discarded"]);
    assert.deepEqual(
      world.snapshot.discarded.map(({ id }) => id),
      ["hollow"],
    );
  });
});

describe("what is recorded of a prompt", () => {
  const image = (data: string): Block => ({
    type: "image",
    mimeType: "image/png",
    blob: sha256(data),
    bytes: data.length,
    name: `${data}.png`,
  });
  const blob = (data: string) => ({
    hash: sha256(data),
    mimeType: "image/png",
    data: new TextEncoder().encode(data),
  });

  it("I54: an image whose bytes are gone is named, in the record as in the prompt", async () => {
    const world = await real();
    await world.say("look", {
      blocks: [{ type: "text", text: "look" }, image("here"), image("gone")],
      blobs: [blob("here")],
    });
    await world.endTurn();
    const [turn] = world.agents.turns;
    assert.deepEqual(
      turn?.blocks.map(({ type }) => type),
      ["text", "image", "text"],
    );
    assert.match(turn.text, /"gone\.png".*its data is no longer there/);
    await assertToldTruly(world);
  });

  it("I54: what a session was opened with is what is named, whatever it would be now", async () => {
    let asked = 0;
    const fragments = (): readonly Fragment[] => [
      { id: "project", lifecycle: "static", text: `files: ${++asked}` },
      { id: "todo", lifecycle: "dynamic", text: "open: 1" },
    ];
    const world = await real({
      fragments,
      agent: { capabilities: { systemPrompt: true } },
    });
    await exchange(world, "one");
    const [recipe] = await recipes(world);
    const given = world.agents.process.opened[0]?.systemPrompt ?? "";
    assert.equal(given, "files: 1");
    assert.equal(recipe?.form?.systemPrompt, sha256(given));
    assert.equal(world.agents.prompts[0], "[System Context]: open: 1|one");
    await suspend(world);
    await exchange(world, "two");
    assert.equal(world.agents.prompts[1], "two", "nothing has changed");
    const again = world.agents.process.resumed[0]?.systemPrompt ?? "";
    assert.match(
      again,
      /^files: [2-9]$/,
      "and is given it again, as it is now",
    );
    await exchange(world, "three");
    const [, resumed, last] = await recipes(world);
    assert.deepEqual(
      [resumed?.form?.systemPrompt, last?.form?.systemPrompt],
      [sha256(again), undefined],
    );
    const statics = [resumed, last].map((one) =>
      omissionsIn(one ?? recipe).some(({ kind }) => kind === "statics"),
    );
    assert.deepEqual(statics, [false, true], "what was given did go");
    await assertToldTruly(world);
  });

  it("I54: also where a command is the first that is sent", async () => {
    const fragments = (): readonly Fragment[] => [
      { id: "project", lifecycle: "static", text: "files" },
    ];
    const world = await real({
      fragments,
      agent: { capabilities: { systemPrompt: true } },
    });
    await exchange(world, "one");
    await suspend(world);
    await exchange(world, "/init");
    await exchange(world, "two");
    assert.deepEqual(
      (await recipes(world)).map(({ form }) => form?.systemPrompt),
      [sha256("files"), sha256("files"), undefined],
    );
    await assertToldTruly(world);
  });

  it("I54: what comes late changes nothing that was passed on", async () => {
    const world = await real();
    await world.say("one");
    world.agents.turn
      .tell({
        kind: "tool",
        toolCallId: "call",
        title: "Build",
        status: "in_progress",
        content: [{ type: "text", text: "so far" }],
      })
      .say("it builds");
    await world.endTurn();
    await world.engine.setAgent(world.thread, "b");
    await world.say("two");
    // The same id in another session is another call.
    world.agents.turn.tell({
      kind: "tool",
      toolCallId: "call",
      title: "Test",
      status: "completed",
      content: [{ type: "text", text: "green" }],
    });
    await world.endTurn();
    await world.engine.setAgent(world.thread, "a");
    await world.say("three");
    world.agents.turn.tell({
      kind: "tool",
      toolCallId: "call",
      title: "Build, done",
      status: "completed",
      content: [{ type: "text", text: "built" }],
    });
    await world.endTurn();
    assert.deepEqual(
      (await world.transcript()).filter((row) => /^(call|result)/.test(row)),
      [
        "call call in_progress",
        "call call completed",
        "result call completed",
        "result late call completed",
      ],
    );
    await assertToldTruly(world);
  });
});
