import assert from "node:assert/strict";
import type { SessionChange } from "../../../src/core/agentFeatures.ts";
import { compile } from "../../../src/core/compile/compile.ts";
import type { Fragment } from "../../../src/core/compile/types.ts";
import type { AgentUpdate } from "../../../src/core/agentPort.ts";
import type { FakeAgentOptions } from "../../fakes/agent.ts";
import { settled } from "../../fakes/clock.ts";
import { World } from "../../fakes/world.ts";

const idle = 15 * 60_000;

async function exchange(world: World, asked: string): Promise<void> {
  await world.say(asked);
  world.agents.turn.say(`re ${asked}`);
  await world.endTurn();
}

describe("a session that is loaded", () => {
  const loads = { capabilities: { load: true, resume: false } };
  const said = (...texts: readonly string[]): readonly AgentUpdate[] =>
    texts.map((text, n) =>
      n % 2 === 0 ? { kind: "userText", text } : { kind: "text", text },
    );
  const compaction: SessionChange = {
    kind: "compaction",
    id: "c",
    status: "completed",
  };
  const hello: SessionChange = {
    kind: "notice",
    level: "info",
    title: "Hello",
  };

  const tellings: Readonly<Record<string, Partial<FakeAgentOptions>>> = {
    "told as it should be": { replay: said("one", "re one") },
    "told as if it were new": {
      stray: [
        ...said("one", "re one"),
        { kind: "tool", toolCallId: "old", status: "completed" },
        { kind: "plan", entries: [] },
      ],
      strayChanges: [compaction, hello],
    },
  };
  for (const [how, telling] of Object.entries(tellings))
    it(`shows nothing of its replay twice, ${how}`, async () => {
      const fragments = (): readonly Fragment[] => [
        { id: "todo", lifecycle: "dynamic", text: "A" },
      ];
      const world = await World.create({
        compile,
        fragments,
        agent: { ...loads, ...telling },
      });
      await exchange(world, "one");
      for (const asked of ["two", "three"]) {
        await world.clock.advance(idle);
        assert.equal(world.agents.alive.length, 0);
        await exchange(world, asked);
      }
      const spoken = (await world.transcript()).filter((row) =>
        /^(agent|call|result|plan|notice)/.test(row),
      );
      assert.deepEqual(spoken, [
        "agent re one",
        "agent re two",
        "agent re three",
      ]);
      assert.equal(
        world.agents.prompts.at(-1),
        "three",
        "it still has the list",
      );
    });

  const news: Readonly<Record<string, Partial<FakeAgentOptions>>> = {
    "how it was opened": {
      ...loads,
      openNotice: { kind: "notice", level: "warning", title: "No server" },
    },
    "what an agent says that does not repeat itself": { strayChanges: [hello] },
  };
  for (const [what, agent] of Object.entries(news))
    it(`but tells ${what}`, async () => {
      const world = await World.create({ compile, agent });
      await exchange(world, "one");
      await world.clock.advance(idle);
      const before = await world.transcript();
      await exchange(world, "two");
      assert.ok(
        (await world.transcript())
          .slice(before.length)
          .includes("notice agent"),
      );
    });

  const run = (
    status: "in_progress" | "completed",
    more: Partial<Extract<AgentUpdate, { kind: "tool" }>> = {},
  ): AgentUpdate => ({
    kind: "tool",
    toolCallId: "run",
    title: "Run",
    status,
    ...more,
  });
  const output = { content: [{ type: "text", text: "all green" }] } as const;
  const cases: Readonly<
    Record<
      string,
      {
        readonly heard?: readonly AgentUpdate[];
        readonly replay: readonly AgentUpdate[];
        readonly then: readonly string[];
      }
    >
  > = {
    "what nobody heard is added to its turn": {
      replay: said("zero", "re zero", "one", "half and the rest"),
      then: ["agent half", "agent late  and the rest"],
    },
    "what was heard is not": {
      replay: said("one", "half"),
      then: ["agent half"],
    },
    "what does not fit is left alone": {
      replay: said("one", "other words"),
      then: ["agent half"],
    },
    "another question's answer is left alone": {
      replay: said("something else", "half and the rest"),
      then: ["agent half"],
    },
    "a call that nobody heard of is added with its result": {
      replay: [
        ...said("one", "half"),
        run("in_progress"),
        run("completed", output),
        { kind: "text", text: ", done" },
      ],
      then: [
        "agent half",
        "call late run completed",
        "result late run completed",
        "agent late , done",
      ],
    },
    "the result of a call that was open is added to it": {
      heard: [run("in_progress")],
      replay: [
        ...said("one", "half"),
        run("completed", output),
        { kind: "text", text: ", done" },
      ],
      then: [
        "agent half",
        "call run in_progress",
        "result late run completed",
        "agent late , done",
      ],
    },
    "a call that had its result is not told again": {
      heard: [run("completed", output)],
      replay: [...said("one", "half"), run("completed", output)],
      then: ["agent half", "call run completed", "result run completed"],
    },
    "calls under other names are left alone": {
      heard: [run("completed", output)],
      replay: [
        ...said("one", "half and the rest"),
        run("completed", { ...output, toolCallId: "1" }),
      ],
      then: ["agent half", "call run completed", "result run completed"],
    },
  };
  for (const [name, { heard = [], replay, then }] of Object.entries(cases))
    it(`after a crash, ${name}`, async () => {
      const world = await World.create({
        compile,
        agent: { ...loads, replay },
      });
      await world.say("one");
      world.agents.turn.say("half");
      for (const update of heard) world.agents.turn.tell(update);
      await settled();
      await world.clock.advance(300);
      const spoken = async (now: World) =>
        (await now.transcript()).filter((row) =>
          /^(agent|call|result)/.test(row),
        );
      // It dies again with the session open and nothing sent, so that the same is repeated once more.
      let asked = 0;
      const next = await world.crash({
        compile,
        fragments: () =>
          ++asked === 2 ? new Promise(() => undefined) : Promise.resolve([]),
      });
      await next.say("two");
      assert.deepEqual(await spoken(next), then);
      const last = await next.crash({ compile });
      await last.engine.resume(last.thread);
      await settled();
      assert.equal(last.agents.prompts.at(-1), "two");
      assert.deepEqual(await spoken(last), then);
    });
});
