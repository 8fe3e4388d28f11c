import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import { tokensOf } from "../../../src/core/compile/tokens.ts";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import {
  compactHistory,
  takesMoreThan,
  undoCompaction,
  type CompactPorts,
  type CompactSizes,
} from "../../../src/host/compactHistory.ts";
import { compactWhenLarge } from "../../../src/host/compactWhenLarge.ts";
import { savingsIn } from "../../../src/host/savings.ts";
import { savingsText } from "../../../src/host/savingsText.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const words = "many words ".repeat(40);

async function story(turns: number): Promise<World> {
  const world = await World.create({ compile });
  for (let n = 1; n <= turns; n += 1) {
    await world.say(`ask ${n}`);
    world.agents.turn.say(`answer ${n} ${words}`);
    await world.endTurn();
  }
  return world;
}

function portsOf({ store }: World, change = {}): CompactPorts {
  let n = 0;
  const threads = new Set<string>();
  const undone: CompactPorts["undone"] = {
    has: (thread) => threads.has(thread),
    set: (thread, on) => {
      if (on) threads.add(thread);
      else threads.delete(thread);
      return Promise.resolve();
    },
  };
  const uuid = (): string => `archive ${++n}`;
  return { store, undone, uuid, now: () => n, ...change };
}

const keeping = (keep: number, budget = 100_000): CompactSizes => ({
  keep,
  budget,
});

async function rowsOf({ store, thread }: World): Promise<unknown> {
  return (await store.page(thread, { limit: 1000 })).messages;
}

/** What an agent that knows nothing is told. */
async function toldToNewcomer(world: World): Promise<string> {
  const { thread } = world.snapshot;
  await world.engine.setAgent(world.thread, `${thread.agent}+`);
  await world.say(`to ${thread.agent}+`);
  const { text } = world.agents.turn;
  await world.endTurn();
  return text;
}

describe("compaction of a thread", () => {
  it("I45: stands for the oldest turns, changes no message, and can be undone", async () => {
    const world = await story(10);
    const before = await rowsOf(world);
    const ports = portsOf(world);
    const done = await compactHistory(ports, world.thread, keeping(400));
    assert.ok(done.kind === "done");
    assert.ok(done.turns >= 6 && done.turns < 10, String(done.turns));
    assert.ok(done.after < done.before);
    assert.deepEqual(await rowsOf(world), before);
    const short = await toldToNewcomer(world);
    assert.match(short, /Digest of \d earlier exchanges/);
    assert.match(short, /answer 10/);
    assert.ok(!short.includes(`answer 1 ${words.trim()}`));
    assert.equal(await undoCompaction(ports, world.thread), true);
    const whole = await toldToNewcomer(world);
    assert.ok(whole.includes(`answer 1 ${words.trim()}`));
    assert.equal(await undoCompaction(ports, world.thread), false);
  });

  it("I45: goes on where it stopped, and is undone from the newest", async () => {
    const world = await story(6);
    const ports = portsOf(world);
    const first = await compactHistory(ports, world.thread, keeping(300));
    await world.say("ask 7");
    world.agents.turn.say(`answer 7 ${words}`);
    await world.endTurn();
    const second = await compactHistory(ports, world.thread, keeping(0));
    assert.deepEqual([first.kind, second.kind], ["done", "done"]);
    const archives = await world.store.archives(world.thread);
    const batches = archives.flatMap((archive) => archive.batches);
    assert.deepEqual(batches, [...new Set(batches)].sort());
    assert.equal(batches.length, 6);
    await undoCompaction(ports, world.thread);
    assert.deepEqual(
      (await world.store.archives(world.thread)).map(({ id }) => id),
      ["archive 1"],
    );
  });

  const nothing: Readonly<
    Record<string, readonly [world: () => Promise<World>, keep: number]>
  > = {
    "all of it is kept": [() => story(3), 100_000],
    "nothing has ended": [
      async () => {
        const fresh = await World.create({ compile });
        await fresh.say("one");
        await settled();
        return fresh;
      },
      0,
    ],
  };
  for (const [why, [make, keep]] of Object.entries(nothing))
    it(`I45: archives nothing when ${why}`, async () => {
      const world = await make();
      assert.deepEqual(
        await compactHistory(portsOf(world), world.thread, keeping(keep)),
        { kind: "nothing" },
      );
      assert.deepEqual(await world.store.archives(world.thread), []);
    });

  it("I45: however often it was done, a request stays within its budget", async () => {
    const world = await story(4);
    const ports = portsOf(world);
    for (let n = 0; n < 4; n += 1) {
      await compactHistory(ports, world.thread, keeping(0, 1000));
      await world.say(`more ${n}`);
      world.agents.turn.say(`and ${n} ${words}`);
      await world.endTurn();
    }
    const archives = await world.store.archives(world.thread);
    assert.equal(archives.length, 4);
    for (const { text } of archives) assert.ok(tokensOf(text.length) <= 165);
    world.engine.configure({
      ...defaultDispatchSettings,
      contextBudgetTokens: 1000,
    });
    const told = await toldToNewcomer(world);
    assert.ok(tokensOf(told.length) <= 1000, `${told.length} characters`);
    assert.match(told, /Earlier messages of this conversation are left out/);
    assert.match(told, /and 3/);
  });

  it("says when it could not be stored", async () => {
    const world = await story(3);
    const store = {
      page: world.store.page.bind(world.store),
      archives: world.store.archives.bind(world.store),
      commit: () =>
        Promise.resolve({ ok: false, reason: "full", detail: "no room" }),
    };
    assert.deepEqual(
      await compactHistory(portsOf(world, { store }), world.thread, keeping(0)),
      { kind: "failed", detail: "no room" },
    );
  });
});

describe("compaction at the threshold", () => {
  /** Turns that take about 110 tokens each, in a world that looks after every tenth. */
  async function watched(
    at: number,
    keep: number,
  ): Promise<{
    readonly world: World;
    readonly ports: CompactPorts;
    readonly notices: () => readonly string[];
    readonly turns: (count: number) => Promise<void>;
  }> {
    const world = await World.create({ compile });
    const own = portsOf(world);
    compactWhenLarge({
      ...own,
      engine: world.engine,
      log: world.log,
      settings: () => ({
        context: { compactAtTokens: at },
        dispatch: { contextBudgetTokens: keep },
      }),
      fragments: () =>
        Promise.resolve([
          { id: "identity", lifecycle: "static", text: "x".repeat(400) },
        ]),
    });
    let said = 0;
    return {
      world,
      ports: own,
      notices: () =>
        world.changes.flatMap((change) =>
          change.kind === "notice" && change.notice.code === "compacted"
            ? [change.notice.text]
            : [],
        ),
      turns: async (count) => {
        for (let n = 0; n < count; n += 1) {
          await world.say(`ask ${++said}`);
          world.agents.turn.say(`answer ${said} ${words}`);
          await world.endTurn();
        }
      },
    };
  }

  it("tells the user, who can undo it, and then it is not done again by itself", async () => {
    const { world, ports, notices, turns } = await watched(1000, 500);
    await turns(1);
    assert.deepEqual(await world.store.archives(world.thread), []);
    await turns(10);
    const [archive] = await world.store.archives(world.thread);
    assert.ok(archive !== undefined && archive.batches.length >= 5);
    assert.deepEqual(notices(), [
      `This thread is long. A summary now stands for its ${archive.batches.length} oldest turns when an agent has to be told the history. Nothing was deleted.`,
    ]);
    assert.equal(await undoCompaction(ports, world.thread), true);
    await turns(20);
    assert.deepEqual(await world.store.archives(world.thread), []);
    assert.equal(notices().length, 1);
    await compactHistory(ports, world.thread, keeping(0));
    await turns(10);
    assert.equal((await world.store.archives(world.thread)).length, 2);
  });

  it("I45: counts the whole request: what agents are told besides, and summaries", async () => {
    const { world, turns } = await watched(1270, 500);
    await turns(11);
    assert.equal(
      await takesMoreThan(world.store, world.thread, 1270),
      false,
      "the conversation alone is below it",
    );
    assert.equal((await world.store.archives(world.thread)).length, 1);
    const left = await world.store.archives(world.thread);
    const summaries = left.reduce((sum, { text }) => sum + text.length, 0) / 4;
    assert.equal(
      await takesMoreThan(world.store, world.thread, summaries),
      true,
    );
  });

  it("is worth its while each time, however large the budget", async () => {
    const { world, turns } = await watched(6000, 60_000);
    await turns(160);
    const archives = await world.store.archives(world.thread);
    const sizes = archives.map(({ batches }) => batches.length);
    assert.ok(sizes.length > 2, String(sizes));
    assert.ok(Math.min(...sizes) > 10, String(sizes));
  });

  it("reads no more than tells whether it is beyond the threshold", async () => {
    let rows = 0;
    const { world, turns } = await watched(100_000, 500);
    await turns(100);
    const store: Parameters<typeof takesMoreThan>[0] = {
      archives: (thread) => world.store.archives(thread),
      page: async (...asked) => {
        const page = await world.store.page(...asked);
        rows += page.messages.length;
        return page;
      },
    };
    assert.equal(await takesMoreThan(store, world.thread, 1000), true);
    assert.ok(rows <= 50, `${rows} rows`);
  });

  it("is off with 0", async () => {
    const { world, turns } = await watched(0, 500);
    await turns(11);
    assert.deepEqual(await world.store.archives(world.thread), []);
  });
});

describe("savings of threads", () => {
  it("are counted page by page, as if history were one piece", async () => {
    const world = await story(2);
    await world.say("ask 3");
    await world.say("and");
    await world.say("also");
    world.agents.turn.say("answer 3");
    await world.endTurn();
    await world.endTurn();
    const threads = [{ id: world.thread, title: "A | thread" }];
    const [all] = await savingsIn(world.store, threads, 1000);
    assert.ok(all);
    assert.equal(all.turnsAvoided, 1);
    const small = {
      page: (thread: string, range: Parameters<World["store"]["page"]>[1]) =>
        world.store.page(thread, { ...range, limit: 2 }),
    };
    assert.deepEqual(await savingsIn(small, threads, 1000), [all]);
    const text = savingsText([all]);
    assert.match(text, /≈ 1 turn avoided/);
    assert.match(text, /\| A \\\| thread \| 1 \| .* KB \|/);
    assert.match(savingsText([]), /Nothing yet/);
  });
});
