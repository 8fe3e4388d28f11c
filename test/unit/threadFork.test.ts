import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { flaws, group } from "../../src/core/batch.ts";
import { compile } from "../../src/core/compile/compile.ts";
import type { Message } from "../../src/core/message.ts";
import {
  forkable,
  forkThread,
  type ForkAnswer,
} from "../../src/core/threadFork.ts";
import { allMessages } from "../../src/core/transferLines.ts";
import { World } from "../fakes/world.ts";

async function rowsOf(
  world: World,
  thread: string,
): Promise<readonly Message[]> {
  const rows: Message[] = [];
  for await (const page of allMessages(world.store, thread)) rows.push(...page);
  return rows;
}

async function exchange(world: World, text: string): Promise<void> {
  await world.say(text);
  world.agents.turn.say(`re ${text}`);
  await world.endTurn();
}

async function batchesOf(world: World): Promise<readonly string[]> {
  return group(await rowsOf(world, world.thread)).map(({ id }) => id);
}

async function fork(
  world: World,
  through: string,
  session?: string,
): Promise<ForkAnswer> {
  const thread = await world.store.thread(world.thread);
  assert.ok(thread);
  const of = await forkable(world.store, thread, through);
  return forkThread(
    world.store,
    {
      ...{ thread, through, id: "copy", title: "Copy" },
      ...(session === undefined || of === undefined
        ? {}
        : { session: { id: session, of } }),
    },
    { uuid: randomUUID, now: () => 5 },
  );
}

const shape = ({
  position,
  batch,
  sequence,
  state,
  body,
}: Message): unknown => ({
  position,
  batch,
  sequence,
  state,
  body,
});

describe("a fork of a thread", () => {
  it("holds the turns up to the one chosen, under new ids, and leaves the first as it was", async () => {
    const world = await World.create({ compile });
    for (const text of ["one", "two", "three"]) await exchange(world, text);
    const before = await rowsOf(world, world.thread);
    const [, second = ""] = await batchesOf(world);
    assert.deepEqual(await fork(world, second), { ok: true, thread: "copy" });
    const copies = await rowsOf(world, "copy");
    assert.deepEqual(await rowsOf(world, world.thread), before);
    assert.deepEqual(
      copies.map(shape),
      before.filter(({ batch }) => (batch ?? "") <= second).map(shape),
    );
    const ids = new Set([...before, ...copies].map(({ id }) => id));
    assert.equal(ids.size, before.length + copies.length);
    for (const batch of group(copies)) assert.deepEqual(flaws(batch), []);
  });

  it("I42: a new session is told all of it, and nothing beyond", async () => {
    const world = await World.create({ compile });
    for (const text of ["one", "two", "three"]) await exchange(world, text);
    const [, second = ""] = await batchesOf(world);
    await fork(world, second);
    await world.engine.openThread("copy");
    await world.engine.submit("copy", {
      id: "next",
      sender: { kind: "user", name: "alice" },
      blocks: [{ type: "text", text: "four" }],
    });
    await world.clock.advance(1);
    const sent = JSON.stringify(world.agents.turn.blocks);
    for (const text of ["one", "re two", "four"])
      assert.ok(sent.includes(text), text);
    assert.ok(!sent.includes("three"));
  });

  it("I41: a session the agent copied itself is told only what is new", async () => {
    const world = await World.create({
      compile,
      agent: { capabilities: { resume: true } },
    });
    for (const text of ["one", "two"]) await exchange(world, text);
    const [first = "", second = ""] = await batchesOf(world);
    const thread = await world.store.thread(world.thread);
    assert.ok(thread);
    assert.equal(await forkable(world.store, thread, first), undefined);
    world.agents.sessions.add("copied");
    await fork(world, second, "copied");
    const [session] = await world.store.sessions("copy");
    assert.equal(session?.sessionId, "copied");
    assert.equal(session.state, "suspended");
    const last = (await rowsOf(world, "copy")).at(-1)?.position;
    assert.equal(session.cursor, last, "its own answers are known to it too");
    await world.engine.openThread("copy");
    await world.engine.submit("copy", {
      id: "next",
      sender: { kind: "user", name: "alice" },
      blocks: [{ type: "text", text: "three" }],
    });
    await world.clock.advance(1);
    const sent = JSON.stringify(world.agents.turn.blocks);
    assert.ok(sent.includes("three"), sent);
    for (const text of ["one", "two"]) assert.ok(!sent.includes(text), sent);
  });

  it("a turn that runs is not copied, nor one that is gone", async () => {
    const world = await World.create({ compile });
    await world.say("one");
    const running = (await rowsOf(world, world.thread))[0]?.batch ?? "";
    const refused = await fork(world, running);
    assert.ok(!refused.ok && refused.reason === "running");
    const gone = await fork(world, "0000000000000001");
    assert.ok(!gone.ok && gone.reason === "noTurn");
    assert.equal(await world.store.thread("copy"), undefined);
  });

  it("what is said again only beyond the fork still stands in it", async () => {
    const world = await World.create({ compile });
    await world.say("one");
    world.agents.turn.say("half");
    world.agents.turn.fail("refused");
    await world.clock.advance(1);
    const [first = ""] = await batchesOf(world);
    await world.engine.retry(world.thread, first);
    world.agents.turn.say("whole");
    await world.endTurn();
    await fork(world, first);
    const [asked] = await rowsOf(world, "copy");
    assert.equal(asked?.state, "seenAborted");
  });
});
