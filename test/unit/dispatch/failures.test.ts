import assert from "node:assert/strict";
import { settled } from "../../fakes/clock.ts";
import { joined, World } from "../../fakes/world.ts";

/** The first write-intent is not taken. */
function failIntent({ store }: World): void {
  const commit = store.commit.bind(store);
  let failed = false;
  store.commit = (writes, durability) => {
    const intent = writes.some(
      (write) =>
        write.kind === "append" && write.record.body.kind === "turnStart",
    );
    if (intent && !failed) {
      failed = true;
      store.failNext();
    }
    return commit(writes, durability);
  };
}

const last = async (world: World) => (await world.transcript()).at(-1);

describe("a store that fails", () => {
  it("I2 I6: a message that cannot be stored is refused, and nothing shows it as accepted", async () => {
    const world = await World.create();
    world.store.trouble = "full";
    assert.deepEqual(await world.say("one"), {
      ok: false,
      reason: "full",
      detail: "told to be full",
    });
    assert.deepEqual([world.queue(), world.agents.acts], [[], []]);
    assert.ok(!world.changes.some((change) => change.kind === "message"));
    world.store.trouble = null;
    assert.deepEqual(await world.say("one"), { ok: true });
    assert.deepEqual(world.agents.prompts, ["one"]);
  });

  it("I2: a message is told as accepted only after its commit", async () => {
    const world = await World.create();
    let open: () => void = () => undefined;
    world.store.gate = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    let accepted = false;
    const said = world.submit("one").then(() => {
      accepted = true;
    });
    await settled();
    assert.equal(accepted, false);
    assert.deepEqual(
      world.changes.filter((change) => change.kind === "message"),
      [],
    );
    world.store.gate = () => Promise.resolve();
    open();
    await said;
  });

  it("I51: when the end of a turn cannot be saved, the answer stays, nothing is dispatched, and it is tried again", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    world.agents.turn.say("the answer");
    await settled();
    world.store.trouble = "failed";
    world.agents.turn.say(" and its end");
    await world.endTurn();
    assert.notEqual(world.snapshot.unsaved, null);
    const tail = world.snapshot.tail.map(({ body }) =>
      body.kind === "agent" ? body.text : body.kind,
    );
    assert.deepEqual(tail, ["the answer and its end"]);
    await world.clock.advance(7_000);
    assert.deepEqual(world.agents.prompts, ["one"]);
    assert.deepEqual(await world.say("three"), {
      ok: false,
      reason: "failed",
      detail: "told to be failed",
    });
    world.store.trouble = null;
    await world.clock.advance(10_000);
    assert.equal(world.snapshot.unsaved, null);
    assert.deepEqual(world.agents.prompts, ["one", "two"]);
    assert.ok(
      (await world.transcript()).includes("agent the answer and its end"),
    );
  });

  it("I51: after a restart the message is neither lost nor resent by itself", async () => {
    const world = await World.create();
    await world.say("one");
    world.store.trouble = "failed";
    world.agents.turn.say("unsaved");
    await world.endTurn();
    world.store.trouble = null;
    const next = await world.crash({ settings: { restoreQueue: "resume" } });
    assert.deepEqual(await next.states("one"), ["uncertain"]);
    assert.deepEqual(next.agents.prompts, ["one"]);
    assert.equal(await last(next), "end interrupted");
  });

  for (const stage of [
    "claim at the boundary",
    "session opened",
    "agent gone",
    "write-intent, then death",
  ] as const)
    it(`a commit that fails at "${stage}" loses nothing and is tried again`, async () => {
      const world = await World.create();
      if (stage === "session opened" || stage === "write-intent, then death") {
        let go: () => void = () => undefined;
        world.agents.startGate = () =>
          new Promise((resolve) => {
            go = resolve;
          });
        await world.say("one");
        if (stage === "session opened") world.store.failNext(2);
        else failIntent(world);
        world.agents.startGate = () => Promise.resolve();
        go();
        await settled();
        if (stage !== "session opened") world.agents.process.die();
        await settled();
      } else {
        await world.say("one");
        await world.say("two");
        world.store.failNext(stage === "agent gone" ? 2 : 0);
        if (stage === "agent gone") world.agents.process.die();
        else {
          const commit = world.store.commit.bind(world.store);
          let calls = 0;
          world.store.commit = (...given) => {
            calls += 1;
            if (calls === 2) world.store.failNext();
            return commit(...given);
          };
          world.agents.turn.end();
        }
        await settled();
      }
      await world.clock.advance(20_000);
      assert.equal(world.snapshot.unsaved, null);
      assert.equal(
        world.agents.prompts.at(-1),
        stage === "claim at the boundary" || stage === "agent gone"
          ? "two"
          : "one",
      );
      assert.equal(
        world.agents.turns.filter(({ process }) => process.over).length,
        stage === "agent gone" ? 1 : 0,
        "nothing is written to what is dead",
      );
      assert.equal(world.agents.process.most, 1);
    });

  /** The next commit is applied, but what is told of it is that it failed. */
  function loseAnswer(world: World): void {
    const commit = world.store.commit.bind(world.store);
    world.store.commit = async (...given) => {
      await commit(...given);
      world.store.commit = commit;
      return { ok: false, reason: "failed", detail: "its worker has ended" };
    };
  }

  for (const found of ["submitted again", "the record is taken up"] as const)
    it(`I2: a message whose commit was applied though its answer got lost is queued and sent when ${found}`, async () => {
      const world = await World.create();
      await world.say("one");
      world.agents.turn.say("working");
      await settled();
      loseAnswer(world);
      assert.equal((await world.submit("two")).ok, false);
      assert.deepEqual(world.queue(), []);
      if (found === "submitted again")
        assert.deepEqual(await world.say("two"), {
          ok: true,
          note: "duplicate",
        });
      else await world.engine.takeOver();
      assert.deepEqual(world.queue(), ["two"]);
      await world.endTurn();
      assert.deepEqual(world.agents.prompts, ["one", "two"]);
      assert.deepEqual(await world.say("one"), { ok: true, note: "duplicate" });
      assert.deepEqual(world.queue(), []);
    });

  it("I30: a turn whose write-intent was stored though its answer got lost is told as interrupted, not hidden", async () => {
    const world = await World.create();
    await world.say("one");
    await world.endTurn();
    loseAnswer(world);
    assert.equal((await world.say("two")).ok, false);
    assert.deepEqual(await world.say("two"), { ok: true, note: "duplicate" });
    assert.deepEqual(world.agents.prompts, ["one"]);
    assert.deepEqual(await world.states("two"), ["uncertain"]);
    assert.equal(await last(world), "end interrupted");
    await world.say("three");
    assert.equal(world.agents.prompts.at(-1), "three");
  });

  it("streamed text that could not be stored is stored with the next flush", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("a");
    await settled();
    world.store.failNext(1);
    world.agents.turn.say("b");
    await world.clock.advance(300);
    world.agents.turn.say("c");
    await world.clock.advance(5_000);
    assert.ok((await world.transcript()).includes("agent abc"));
  });
});

describe("a record that refuses", () => {
  it("I52: what it will never take is a bug of ours: the thread is rebuilt and can be used again", async () => {
    const world = await World.create();
    await world.say("one");
    const commit = world.store.commit.bind(world.store);
    world.store.commit = (writes, durability) =>
      writes.some(
        (write) =>
          write.kind === "append" &&
          write.record.body.kind === "turnEnd" &&
          write.record.body.stop === "end_turn",
      )
        ? Promise.resolve({
            ok: false,
            reason: "failed",
            detail: "against the rules",
          })
        : commit(writes, durability);
    await world.endTurn();
    await world.clock.advance(20_000);
    assert.equal(world.log.of("runner.failed").length, 1);
    assert.deepEqual(await world.states("one"), ["uncertain"]);
    world.store.commit = commit;
    await world.say("two");
    assert.equal(world.agents.prompts.at(-1), "two");
  });
});

describe("a record that another host writes", () => {
  it("I7: is only read: nothing is settled, no process ended, requests are refused, until it is taken over", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("half");
    await settled();
    const { store, agents, thread } = world;
    store.trouble = "readOnly";
    const second = await World.create({ store, agents, thread });
    await settled();
    assert.deepEqual(agents.leftovers, []);
    assert.deepEqual(await second.states("one"), ["sent"]);
    assert.deepEqual(await second.say("two"), {
      ok: false,
      reason: "readOnly",
      detail: "told to be readOnly",
    });
    store.trouble = null;
    await second.engine.takeOver();
    await settled();
    assert.deepEqual(await second.states("one"), ["seenAborted"]);
    assert.deepEqual(agents.leftovers.length, 1);
    await second.say("two");
    assert.deepEqual(second.agents.acts.slice(-3), [
      "start a",
      "resume s1",
      "prompt two",
    ]);
  });

  it("what could not be settled at the start is settled with the next request", async () => {
    const world = await World.create();
    await world.say("one");
    world.store.trouble = "full";
    const next = await world.crash();
    assert.deepEqual(await next.states("one"), ["sent"]);
    next.store.trouble = null;
    await next.say("two");
    assert.deepEqual(await next.states("one"), ["uncertain"]);
    assert.equal(next.agents.prompts.at(-1), "two");
  });
});

describe("a host that dies again and again", () => {
  it("I4: finds the same the second time, and ends no turn twice", async () => {
    const world = await World.create();
    await world.say("one");
    world.agents.turn.say("half");
    await settled();
    await world.say("two");
    const first = await world.crash();
    const stored = async (of: World) => ({
      rows: (await of.store.page(of.thread, { limit: 99 })).messages,
      queue: await of.store.queue(of.thread),
      sessions: await of.store.sessions(of.thread),
      held: of.snapshot.queue.held,
    });
    const once = await stored(first);
    const transcript = await first.transcript();
    assert.deepEqual(
      transcript.filter((row) => row === "end interrupted").length,
      1,
    );
    const second = await first.crash();
    assert.deepEqual(await stored(second), once);
    assert.deepEqual(await (await second.crash()).transcript(), transcript);
  });
});

describe("a runner that fails", () => {
  /** Throws when it is to compile a batch that says "bad". */
  const failing: typeof joined = (input) => {
    const compiled = joined(input);
    const [block] = compiled.blocks;
    if (block?.type === "text" && block.text.includes("bad"))
      throw new Error("a bug");
    return compiled;
  };

  it("I52: an exception rebuilds the thread from the store; other threads and the message in hand are unaffected", async () => {
    const world = await World.create({ compile: failing });
    const other = await world.newThread("b");
    await world.say("one");
    await world.endTurn();
    await world.submit("elsewhere", {}, other);
    await settled();
    const reply = await world.say("bad");
    assert.deepEqual(reply, { ok: true });
    assert.equal(world.log.of("runner.failed").length > 0, true);
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held],
      [["bad"], "restored"],
    );
    assert.equal(world.engine.snapshot(other)?.status.state, "busy");
    await world.engine.remove(world.thread, ["bad"]);
    await world.say("good");
    assert.equal(world.agents.prompts.at(-1), "good");
    world.agents.turns.find(({ text }) => text === "elsewhere")?.end();
    await settled();
    assert.deepEqual(await world.states("elsewhere"), ["delivered"]);
  });

  it("I52: a running turn of the rebuilt thread is told as interrupted, and its process is ended first", async () => {
    const world = await World.create();
    await world.say("one");
    await world.say("two");
    world.agents.turn.say("half");
    await settled();
    world.agents.process.probe = () => Promise.reject(new Error("a bug"));
    await world.clock.advance(5_000);
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held, world.snapshot.turn],
      [["two"], "restored", null],
    );
    assert.ok(world.changes.some((change) => change.kind === "rebuilt"));
    assert.deepEqual(await world.transcript(), [
      "user one",
      "start full",
      "agent half",
      "end interrupted",
    ]);
    assert.deepEqual(await world.states("one"), ["seenAborted"]);
    assert.deepEqual(world.agents.acts, [
      ...["start a", "new s1", "prompt one"],
      ...["end n1", "leftover n1"],
    ]);
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.acts.slice(-3), [
      ...["start a", "resume s1", "prompt two"],
    ]);
  });

  it("I52: a port that throws is a bug of ours, and costs one thread no more than that", async () => {
    const world = await World.create();
    const start = world.agents.start.bind(world.agents);
    world.agents.start = () => Promise.reject(new Error("a bug"));
    await world.say("one");
    await settled();
    assert.deepEqual(
      [world.queue(), world.snapshot.queue.held],
      [["one"], "restored"],
    );
    world.agents.start = start;
    await world.engine.resume(world.thread);
    await settled();
    assert.deepEqual(world.agents.prompts, ["one"]);
  });

  it("what is left of an earlier host and cannot be ended is tried once, and told", async () => {
    const before = await World.create();
    await before.say("one");
    let tries = 0;
    before.agents.leftoverGate = () => {
      tries += 1;
      return Promise.reject(new Error("no table of processes"));
    };
    const world = await before.crash();
    await settled();
    assert.deepEqual([tries, world.log.of("runner.failed").length], [1, 1]);
    await world.say("two");
    assert.equal(world.agents.prompts.at(-1), "two");
  });

  it("a listener that throws harms nobody", async () => {
    const world = await World.create();
    world.engine.onChange(() => {
      throw new Error("a view's bug");
    });
    await world.say("one");
    assert.deepEqual(world.agents.prompts, ["one"]);
  });
});
