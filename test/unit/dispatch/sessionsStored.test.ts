import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import type { Fragment } from "../../../src/core/compile/types.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

function todo(text: string): readonly Fragment[] {
  return [{ id: "todo", lifecycle: "dynamic", text }];
}

async function exchange(world: World, asked: string): Promise<void> {
  await world.say(asked);
  world.agents.turn.say(`re ${asked}`);
  await world.endTurn();
}

/** A world whose first prompt waits to be compiled, its session open. */
async function compiling(): Promise<{
  readonly world: World;
  readonly goOn: () => void;
}> {
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let asked = 0;
  const world = await World.create({
    compile,
    fragments: async () => {
      asked += 1;
      if (asked === 2) await gate;
      return [];
    },
  });
  await world.say("one");
  assert.deepEqual(world.agents.acts, ["start a", "new s1"]);
  return { world, goOn };
}

describe("what is stored of a session", () => {
  it("I40: after a crash in mid-turn nobody knows which fragments it has", async () => {
    let now = "A";
    const fragments = (): readonly Fragment[] => todo(now);
    const world = await World.create({ compile, fragments });
    await exchange(world, "one");
    now = "B";
    await world.say("two");
    world.agents.turn.say("half");
    await settled();
    const next = await world.crash({ compile, fragments });
    const [session] = await next.store.sessions(next.thread);
    assert.deepEqual(session?.ledger, { todo: "" });
    now = "A";
    await exchange(next, "three");
    assert.deepEqual(next.agents.prompts, [
      "[System Context]: A|one",
      "[System Context]: B|two",
      "[System Context]: A|three",
    ]);
  });

  it("I40: what a crashed first prompt may have told is withdrawn once it has gone, what stands for good is not", async () => {
    let now = "A";
    const fragments = (): readonly Fragment[] => [
      { id: "project", lifecycle: "static", text: "here" },
      ...todo(now),
    ];
    const world = await World.create({ compile, fragments });
    await world.say("one");
    world.agents.turn.say("half");
    await settled();
    now = "";
    const next = await world.crash({ compile, fragments });
    await exchange(next, "two");
    await exchange(next, "three");
    assert.deepEqual(next.agents.prompts.slice(1), [
      '[System Context]: What was said earlier about "todo" no longer applies.|two',
      "three",
    ]);
  });

  const compacts: Readonly<Record<string, string | null>> = {
    "in an ordinary turn": "two",
    "in its own": "/compact",
    "between turns": null,
  };
  for (const [when, asked] of Object.entries(compacts))
    it(`the agent's own compaction ${when} makes every dynamic fragment due again`, async () => {
      const fragments = (): readonly Fragment[] => todo("A");
      const world = await World.create({ compile, fragments });
      await exchange(world, "one");
      if (asked !== null) await world.say(asked);
      const { process } = world.agents;
      process.events.session?.("s1", {
        kind: "compaction",
        id: "c",
        status: "completed",
      });
      await settled();
      if (asked !== null) await world.endTurn();
      await exchange(world, "three");
      await exchange(world, "four");
      assert.deepEqual(world.agents.prompts.slice(-2), [
        "[System Context]: A|three",
        "four",
      ]);
    });

  it("I40: a crash between turns leaves what it is known to have", async () => {
    const fragments = (): readonly Fragment[] => todo("A");
    const world = await World.create({ compile, fragments });
    await exchange(world, "one");
    const next = await world.crash({ compile, fragments });
    await exchange(next, "two");
    assert.equal(next.agents.prompts.at(-1), "two");
  });

  it("its id is there before the first prompt is compiled, so a crash meanwhile resumes it", async () => {
    const { world } = await compiling();
    const [session] = await world.store.sessions(world.thread);
    assert.deepEqual([session?.sessionId, session?.state], ["s1", "live"]);
    const next = await world.crash({ compile });
    await next.engine.resume(next.thread);
    await settled();
    assert.deepEqual(next.agents.acts.slice(-2), ["resume s1", "prompt one"]);
  });

  it("I25: a process that dies meanwhile leaves its messages at the head, and is started again", async () => {
    const { world, goOn } = await compiling();
    const accepted = world.submit("two");
    world.agents.process.die();
    goOn();
    await accepted;
    await settled();
    assert.deepEqual(world.queue(), ["one", "two"]);
    await world.clock.advance(1000);
    assert.equal(world.agents.acts.at(-2), "resume s1");
    assert.match(world.agents.prompts.at(-1) ?? "", /one[\s\S]*two/);
  });

  it("I42, I44: an agent that names another session than it was to take up has forgotten, and the user is told", async () => {
    const world = await World.create({
      compile,
      agent: { resumesAs: "other" },
    });
    await exchange(world, "one");
    await world.clock.advance(15 * 60_000);
    await exchange(world, "two");
    await exchange(world, "three");
    const [, full = "", delta] = world.agents.prompts;
    assert.match(full, /Conversation so far[\s\S]*re one[\s\S]*\|two$/);
    assert.equal(delta, "three");
    assert.deepEqual(
      (await world.store.sessions(world.thread)).map(
        ({ generation, sessionId, state }) => [generation, sessionId, state],
      ),
      [
        [1, "s1", "lost"],
        [2, "other", "live"],
      ],
    );
    const { messages } = await world.store.page(world.thread, { limit: 100 });
    assert.deepEqual(
      messages.flatMap(({ body }) =>
        body.kind === "notice" ? [body.text] : [],
      ),
      [
        "Memory rebuilt: the agent was sent this thread's history again. The agent opened another session than the stored one.",
      ],
    );
  });
});
