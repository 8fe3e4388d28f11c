import assert from "node:assert/strict";
import {
  ThreadBook,
  type Begun,
  type ThreadDefaults,
} from "../../../src/host/threadBook.ts";
import { Outcomes } from "../../../src/host/outcomes.ts";
import { World } from "../../fakes/world.ts";

describe("a thread that is only begun", () => {
  const found = { agents: ["builtin"], roots: [] as string[] };
  const asked: (string | undefined)[] = [];
  const defaults: ThreadDefaults = {
    agent: () => found.agents[0] ?? "",
    folder: (kept) =>
      kept !== undefined && found.roots.includes(kept)
        ? kept
        : (found.roots[0] ?? "/no-folder"),
    settle: (chosen) => {
      asked.push(chosen);
      return Promise.resolve();
    },
    label: (agent) => agent,
  };
  let world: World;
  let book: ThreadBook;

  beforeEach(async () => {
    found.agents = ["builtin"];
    found.roots = [];
    asked.length = 0;
    world = await World.create();
    book = new ThreadBook(world.engine, defaults);
  });
  afterEach(() => book.dispose());

  it("takes the agent and the folder that are known when its first message comes", async () => {
    const { id, agent, folder } = book.begin();
    assert.deepEqual([agent, folder], ["builtin", "/no-folder"]);
    found.agents = ["claude-code"];
    found.roots = ["/shop"];
    assert.equal(book.draft(id)?.agent, "claude-code");
    assert.equal(await book.keep(id), undefined);
    const thread = world.engine.snapshot(id)?.thread;
    assert.deepEqual([thread?.agent, thread?.folder], ["claude-code", "/shop"]);
    assert.deepEqual(asked, [undefined]);
  });

  it("keeps what the user chose", async () => {
    found.roots = ["/first", "/second"];
    const { id } = book.begin();
    book.chooseAgent(id, "codex");
    book.chooseFolder(id, "/second");
    found.agents = ["claude-code"];
    await book.keep(id);
    const thread = world.engine.snapshot(id)?.thread;
    assert.deepEqual([thread?.agent, thread?.folder], ["codex", "/second"]);
    assert.deepEqual(asked, ["codex"]);
  });

  it("is taken up after a reload with its folder, once that is there", () => {
    book.takeUp({ id: "t", folder: "/second" });
    assert.equal(book.draft("t")?.folder, "/no-folder");
    found.roots = ["/first", "/second"];
    assert.equal(book.draft("t")?.folder, "/second");
    found.roots = ["/first"];
    assert.equal(book.draft("t")?.folder, "/first");
  });

  it("is where a wish for a new thread leads, so that what was typed there stays within reach", async () => {
    const { id } = book.begin();
    assert.equal(book.fresh(id).id, id);
    assert.equal(book.fresh("another", "codex").id, id);
    assert.equal(book.draft(id)?.agent, "codex");
    const leave = book.watch(id);
    const second = book.fresh("another").id;
    assert.notEqual(second, id);
    leave();
    await book.keep(id);
    assert.equal(book.fresh(id).id, second);
  });

  it("is kept for the next window until it has its first message", async () => {
    let kept: readonly Begun[] = [];
    const open = (): ThreadBook =>
      new ThreadBook(world.engine, {
        ...defaults,
        begun: { read: () => kept, write: (begun) => (kept = begun) },
      });
    const { id } = open().begin("codex");
    const next = open();
    assert.deepEqual([next.fresh("").id, next.draft(id)?.agent], [id, "codex"]);
    await next.keep(id);
    assert.deepEqual(kept, []);
  });
});

describe("what the list of threads tells", () => {
  const make = async (): Promise<{
    world: World;
    book: ThreadBook;
    kept: () => readonly string[];
    again: () => ThreadBook;
  }> => {
    const world = await World.create();
    let unread: readonly string[] = [];
    const outcomes = new Outcomes(world.engine, world.store, world.log);
    const defaults: ThreadDefaults = {
      agent: () => "a",
      folder: () => "/w",
      settle: () => Promise.resolve(),
      label: (agent) => agent,
      last: (thread) => outcomes.of(thread),
      unread: {
        read: () => unread,
        write: (threads) => (unread = threads),
      },
    };
    const book = new ThreadBook(world.engine, defaults);
    outcomes.onHeard((thread) => book.ended(thread));
    return {
      world,
      book,
      kept: () => unread,
      again: () => new ThreadBook(world.engine, defaults),
    };
  };

  it("a turn that ended unseen is unread until a view shows it, over reloads too", async () => {
    const { world, book, kept, again } = await make();
    const of = (list: ThreadBook) =>
      list.summaries().find(({ id }) => id === world.thread);
    await world.say("one");
    assert.equal(of(book)?.mark, "working");
    await world.endTurn();
    assert.deepEqual([of(book)?.mark, of(book)?.unread], ["unread", true]);
    assert.equal(of(book)?.last?.status, "completed");
    assert.deepEqual(kept(), [world.thread]);
    const next = again();
    assert.equal(of(next)?.unread, true);
    const stop = next.watch(world.thread);
    assert.equal(of(next)?.unread, false);
    assert.deepEqual(kept(), []);
    await world.say("two");
    await world.endTurn();
    assert.equal(of(next)?.unread, false);
    stop();
    assert.equal(next.isSeen(world.thread), false);
  });
});
