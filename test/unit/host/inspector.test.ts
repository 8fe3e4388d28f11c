import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import type { Fragment } from "../../../src/core/compile/types.ts";
import {
  batchJson,
  batchText,
  concerns,
  type InspectPorts,
  type Place,
} from "../../../src/host/inspectBatch.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const fragments = (): readonly Fragment[] => [
  { id: "project", lifecycle: "static", text: "Mind the gap." },
];

async function asked(text: string) {
  const world = await World.create({
    compile,
    fragments,
    agent: { capabilities: { systemPrompt: true } },
  });
  await world.say(text);
  const { thread, engine, store, clock } = world;
  const { batch } = await world.message(text);
  const place: Place = { thread, batch: batch ?? "" };
  const ports: InspectPorts = {
    ...{ engine, store },
    catalog: { label: (id) => `Agent ${id}` },
    now: () => clock.now(),
  };
  return { world, place, ports };
}

describe("a turn that is inspected", () => {
  it("I54: as data it holds the whole prompt, what the session was opened with included", async () => {
    const { world, place, ports } = await asked("one");
    await world.endTurn();
    const { prompts } = JSON.parse((await batchJson(ports, place)) ?? "") as {
      readonly prompts: unknown;
    };
    assert.deepEqual(prompts, [
      {
        systemPrompt: world.agents.process.opened[0]?.systemPrompt,
        blocks: [{ type: "text", text: "one" }],
      },
    ]);
  });

  it("tells what was read from the cache", async () => {
    const { world, place, ports } = await asked("one");
    world.agents.turn.end("end_turn", {
      inputTokens: 90,
      cachedReadTokens: 70,
    });
    await settled();
    const text = (await batchText(ports, place)) ?? "";
    assert.match(text, /- Input tokens: 90\n- Read from the cache: 70\n/);
  });

  it("counts what a running turn has taken so far", async () => {
    const { world, place, ports } = await asked("one");
    await world.clock.advance(2000);
    world.agents.turn.tell({
      kind: "tool",
      toolCallId: "run",
      title: "Run",
      status: "in_progress",
    });
    await settled();
    await world.clock.advance(3000);
    const text = (await batchText(ports, place)) ?? "";
    assert.match(text, /- Thinking: 2\.000 s\n- Tools: 3\.000 s, 1 calls\n/);
  });

  it("shows what comes late, at once and once it is stored, and is told of nothing else", async () => {
    const { world, place, ports } = await asked("one");
    const { turn } = world.agents;
    const run = { kind: "tool", toolCallId: "run", title: "Run" } as const;
    turn.tell({ ...run, status: "in_progress" });
    await world.endTurn();
    const before = world.changes.length;
    turn.tell({
      ...run,
      status: "completed",
      content: [{ type: "text", text: "all green" }],
    });
    const told = world.changes.slice(before);
    assert.ok(told.some((change) => concerns(change, place)));
    const late = /all green[\s\S]*toolResult, late/;
    assert.match((await batchText(ports, place)) ?? "", late);
    await settled();
    const text = (await batchText(ports, place)) ?? "";
    assert.match(text, late);
    assert.equal(text.match(/toolResult/gu)?.length, 1);
    const next = world.changes.length;
    await world.say("two");
    const other = world.changes
      .slice(next)
      .filter(({ kind }) => kind === "message" || kind === "queue");
    assert.ok(other.length > 0);
    assert.ok(!other.some((change) => concerns(change, place)));
  });
});
