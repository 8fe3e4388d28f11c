import assert from "node:assert/strict";
import type { AgentUpdate } from "../../src/core/agentPort.ts";
import { Bench, failure, say, value, type AgentWorld } from "./agentHarness.ts";

/** What every agent port does, whatever is behind it. */
export function agentContract(name: string, make: () => AgentWorld): void {
  describe(`agent port: ${name}`, () => {
    let bench: Bench;
    beforeEach(() => {
      bench = new Bench(make());
    });
    afterEach(() => bench.dispose());

    const turns: readonly (readonly [
      title: string,
      words: string,
      expected: readonly AgentUpdate[],
    ])[] = [
      [
        "echoes, piece by piece",
        "hello you",
        [
          { kind: "text", text: "echo: " },
          { kind: "text", text: "hello " },
          { kind: "text", text: "you" },
        ],
      ],
      [
        "thoughts and plans",
        "do:thought=hm do:plan",
        [
          { kind: "thought", text: "hm" },
          {
            kind: "plan",
            entries: [
              { content: "Look", priority: "high", status: "completed" },
              { content: "Leap", priority: "low", status: "pending" },
            ],
          },
        ],
      ],
      [
        "usage, title, mode and commands",
        "do:usage=5,50 do:title=New+name do:mode=code do:commands=fix",
        [
          {
            kind: "usage",
            usage: {
              used: 5,
              size: 50,
              cost: { amount: 0.25, currency: "USD" },
            },
          },
          { kind: "title", title: "New name" },
          { kind: "mode", modeId: "code" },
          {
            kind: "commands",
            commands: [{ name: "fix", description: "Does fix", hint: "what" }],
          },
        ],
      ],
      [
        "what it does not know, by name",
        "do:unknown do:say=on",
        [
          { kind: "unknown", name: "weather_report" },
          { kind: "unknown", name: "content hologram" },
          { kind: "text", text: "on" },
        ],
      ],
      [
        "text around garbage",
        "do:say=a do:garbage=2 do:say=b",
        [
          { kind: "text", text: "a" },
          { kind: "text", text: "b" },
        ],
      ],
    ];
    for (const [title, words, expected] of turns)
      it(`a turn tells ${title}`, async () => {
        const { agent, heard, sessionId } = await bench.open();
        const result = value(await agent.prompt(sessionId, say(words)));
        assert.equal(result.stopReason, "end_turn");
        assert.deepEqual(heard.updates(), expected);
        assert.ok(heard.signs > 0);
      });

    it("settles a prompt after the last update of its turn", async () => {
      const { agent, heard, sessionId } = await bench.open();
      for (let turn = 0; turn < 20; turn++) {
        heard.heard.length = 0;
        value(await agent.prompt(sessionId, say("do:chunks=50")));
        assert.equal(heard.updates().length, 50);
      }
    });

    it("I28: text after the end of a turn still arrives, under its session", async () => {
      const { agent, heard, sessionId } = await bench.open();
      value(await agent.prompt(sessionId, say("do:say=x do:after=30")));
      assert.equal(heard.text(), "x");
      const session = await heard.until((one) =>
        one.on === "update" &&
        one.update.kind === "text" &&
        one.update.text === "after the end"
          ? one.session
          : undefined,
      );
      assert.equal(session, sessionId);
    });

    it("I31: a permission waits for its answer and for nothing else", async () => {
      const { agent, heard, sessionId } = await bench.open();
      const turn = agent.prompt(sessionId, say("do:permission"));
      const asked = await heard.untilAsked();
      const [first, ...others] = asked.options.map(({ id }) => id);
      assert.ok(first !== undefined && others.length > 0);
      assert.equal(asked.sessionId, sessionId);
      assert.equal(heard.text(), "");
      agent.answerPermission(asked.id, first);
      agent.answerPermission(asked.id, others[0] ?? "");
      value(await turn);
      assert.equal(heard.text(), `chose ${first}`);
    });

    it("I31: a cancel answers open permissions `cancelled`", async () => {
      const { agent, heard, sessionId } = await bench.open();
      const turn = agent.prompt(sessionId, say("do:permission"));
      const asked = await heard.untilAsked();
      agent.cancel(sessionId);
      assert.equal(value(await turn).stopReason, "cancelled");
      const gone = await heard.until((one) =>
        one.on === "permissionGone" ? one.id : undefined,
      );
      assert.equal(gone, asked.id);
      assert.doesNotMatch(heard.text(), /chose/u);
    });

    it("cancel ends a turn; the next one is whole", async () => {
      const { agent, heard, sessionId } = await bench.open();
      const turn = agent.prompt(sessionId, say("do:say=begun do:silent"));
      await heard.untilText("begun");
      agent.cancel(sessionId);
      assert.equal(value(await turn).stopReason, "cancelled");
      assert.equal(
        value(await agent.prompt(sessionId, say("do:say=next"))).stopReason,
        "end_turn",
      );
      assert.equal(heard.text(), "begunnext");
    });

    const stops: readonly (readonly [string, string])[] = [
      ["do:stopreason=max_tokens", "max_tokens"],
      ["do:stopreason=tea_time", "tea_time"],
    ];
    for (const [words, stop] of stops)
      it(`gives a stop reason as the agent said it: ${stop}`, async () => {
        const { agent, sessionId } = await bench.open();
        const result = value(await agent.prompt(sessionId, say(words)));
        assert.equal(result.stopReason, stop);
      });

    it("I34: a probe is answered by an agent that lives", async () => {
      const { agent, heard, sessionId } = await bench.open();
      assert.equal(await agent.probe(), true);
      const turn = agent.prompt(sessionId, say("do:say=busy do:silent"));
      await heard.untilText("busy");
      assert.equal(await agent.probe(), true);
      agent.cancel(sessionId);
      await turn;
    });

    const deaths: readonly (readonly [string, string])[] = [
      ["dies unread", "do:die"],
      ["dies in mid-turn", "do:say=x do:die"],
      ["exits in mid-turn", "do:say=x do:exit=3"],
    ];
    for (const [title, words] of deaths)
      it(`I35: an agent that ${title} settles every waiting promise, then tells`, async () => {
        const { agent, heard, sessionId } = await bench.open();
        const turn = agent.prompt(sessionId, say(words));
        assert.equal(failure(await turn).kind, "exited");
        const { kind } = await heard.untilEnded();
        assert.equal(kind, "exited");
        assert.equal(await agent.probe(), false);
        assert.equal(
          failure(await agent.prompt(sessionId, say("more"))).kind,
          "exited",
        );
        assert.equal(heard.heard.filter(({ on }) => on === "ended").length, 1);
      });

    it("I35: ending an agent settles what waits and is told once", async () => {
      const { agent, heard, sessionId } = await bench.open();
      const turn = agent.prompt(sessionId, say("do:permission"));
      await heard.untilAsked();
      await Promise.all([agent.end(), agent.end()]);
      assert.equal(failure(await turn).kind, "exited");
      await heard.untilEnded();
      assert.equal(heard.heard.filter(({ on }) => on === "ended").length, 1);
      assert.equal(heard.heard.at(-1)?.on, "ended");
      assert.ok(heard.heard.some(({ on }) => on === "permissionGone"));
    });

    it("I35: a start that is not wanted any more is answered at once", async () => {
      const answer = await bench.startStopped("--initialize=never");
      assert.equal(failure(answer).kind, "exited");
    });

    const resumes: readonly (readonly [string, readonly string[], string])[] = [
      ["resume", [], "noSession"],
      ["load", ["--resume=no"], "noSession"],
      ["neither", ["--resume=no", "--load=no"], "noSession"],
      ["a failing store", ["--resume=transient"], "refused"],
      ["a lost sign-in", ["--resume=signin"], "signIn"],
    ];
    for (const [title, flags, kind] of resumes)
      it(`I43: an unknown session by ${title} is ${kind}`, async () => {
        const { agent } = await bench.start(...flags);
        const answer = await agent.resumeSession("nowhere", bench.options());
        assert.equal(failure(answer).kind, kind);
      });

    it("goes on with a session in a new process: resume replays nothing", async () => {
      const first = await bench.open();
      value(await first.agent.prompt(first.sessionId, say("do:say=one")));
      await first.agent.end();
      const { agent, heard } = await bench.start();
      const opened = value(
        await agent.resumeSession(first.sessionId, bench.options()),
      );
      assert.deepEqual(opened, { sessionId: first.sessionId, replay: [] });
      value(await agent.prompt(first.sessionId, say("do:say=two")));
      assert.equal(heard.text(), "two");
    });
  });
}
