import assert from "node:assert/strict";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { runMembers } from "../../src/agent/endTree.ts";
import { processTable } from "../../src/agent/processTable.ts";
import type { AgentSpec } from "../../src/core/agentPort.ts";
import { agentContract } from "./agentContract.ts";
import {
  Bench,
  failure,
  faultSpec,
  Listener,
  say,
  silentLog,
  value,
  type AgentWorld,
} from "./agentHarness.ts";

const limits = { initializeMs: () => 3_000, sessionMs: 500, graceMs: 300 };

function world(): AgentWorld {
  return {
    port: createAgentPort({ log: silentLog, ...limits }),
    spec: faultSpec,
    left: (identity) => runMembers(identity, true),
  };
}

agentContract("a process over stdio", world);

describe("an agent that does not start", () => {
  const base = world().spec();
  const cases: readonly (readonly [
    title: string,
    spec: AgentSpec,
    kind: string,
    says: RegExp,
    limitMs?: number,
  ])[] = [
    [
      "is not there",
      { ...base, command: "no-such-agent-anywhere" },
      "notFound",
      /“no-such-agent-anywhere”, was not found/u,
    ],
    [
      "may not be run",
      { ...base, command: faultSpec().args[0] ?? "" },
      "notFound",
      /may not be run/u,
    ],
    [
      "exits at once",
      world().spec("--initialize=exit,7", "--stderr=no+licence"),
      "exited",
      /exited with code 7: no licence/u,
    ],
    [
      "is killed at once",
      world().spec("--initialize=die"),
      "exited",
      /SIGKILL/u,
    ],
    [
      "never answers",
      world().spec("--initialize=never"),
      "timeout",
      /did not answer within/u,
      300,
    ],
    [
      "prints garbage",
      world().spec("--initialize=garbage"),
      "protocol",
      /does not speak ACP/u,
      600,
    ],
    [
      "floods garbage",
      world().spec("--initialize=flood"),
      "protocol",
      /does not speak ACP/u,
    ],
    [
      "speaks another version",
      world().spec("--initialize=version,2"),
      "protocol",
      /version 2/u,
    ],
    ["answers null", world().spec("--initialize=null"), "protocol", /version/u],
    [
      "wants a sign-in first",
      world().spec("--initialize=signin"),
      "signIn",
      /sign in/u,
    ],
    [
      "refuses",
      world().spec("--initialize=error,-32603"),
      "refused",
      /initialize failed on purpose/u,
    ],
  ];
  for (const [title, spec, kind, says, initializeMs = 3_000] of cases)
    it(`${title}: ${kind}, in one sentence`, async () => {
      const heard = new Listener();
      const port = createAgentPort({
        ...{ log: silentLog, ...limits },
        initializeMs: () => initializeMs,
      });
      const answer = failure(
        await port.start(spec, import.meta.dirname, heard),
      );
      assert.equal(answer.kind, kind);
      assert.match(answer.message, says);
      assert.deepEqual(heard.heard, []);
    });

  it("has the time to answer that is set when it is started, not before", async () => {
    let allowedMs = 600_000;
    const port = createAgentPort({
      ...{ log: silentLog, ...limits },
      initializeMs: () => allowedMs,
    });
    allowedMs = 200;
    const answer = await port.start(
      world().spec("--initialize=never"),
      import.meta.dirname,
      new Listener(),
    );
    assert.equal(failure(answer).kind, "timeout");
  });

  it("I35: one that is stopped while it does not answer is gone at once", async () => {
    const bench = new Bench(world());
    const port = createAgentPort({
      ...{ log: silentLog, ...limits },
      ...{ initializeMs: () => 60_000, graceMs: 60_000 },
    });
    const asked = async (): Promise<void> => {
      while (bench.received("initialize").length === 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const heard = new Listener();
    const spec = bench.spec("--initialize=never");
    const answer = await port.start(spec, bench.folder, heard, asked());
    assert.equal(failure(answer).kind, "exited");
    assert.deepEqual(heard.heard, []);
    const [received] = bench.received("initialize");
    assert.equal(await isRunning(Number(received?.["pid"])), false);
    await bench.dispose();
  });

  it("is told of a folder that is not there", async () => {
    const answer = failure(
      await world().port.start(base, "/no/such/folder", new Listener()),
    );
    assert.match(answer.message, /\/no\/such\/folder/u);
  });
});

async function isRunning(pid: number): Promise<boolean> {
  const rows = await processTable("");
  return rows.some((row) => row.pid === pid && !row.zombie);
}

describe("an agent process", () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench(world());
  });
  afterEach(() => bench.dispose());

  const sessions: readonly (readonly [flag: string, kind: string])[] = [
    ["--new=never", "timeout"],
    ["--new=signin", "signIn"],
    ["--new=error,-32603", "refused"],
    ["--new=null", "protocol"],
  ];
  for (const [flag, kind] of sessions)
    it(`${flag} is ${kind}`, async () => {
      const { agent } = await bench.start(flag);
      const answer = failure(await agent.newSession(bench.options()));
      assert.equal(answer.kind, kind);
    });

  it("keeps updates that come before session/new is answered", async () => {
    const { agent, heard } = await bench.start("--new=early");
    const { sessionId } = value(await agent.newSession(bench.options()));
    assert.deepEqual(heard.heard, [], "nobody knows the session before");
    await heard.untilText("early");
    assert.deepEqual(heard.heard, [
      {
        on: "update",
        session: sessionId,
        update: { kind: "text", text: "early" },
      },
    ]);
  });

  it("goes on with a session in a new process: load gives the replay apart", async () => {
    const first = await bench.open();
    value(await first.agent.prompt(first.sessionId, say("do:say=one")));
    await first.agent.end();
    const { agent, heard } = await bench.start("--resume=no", "--commands=fix");
    const opened = value(
      await agent.resumeSession(first.sessionId, bench.options()),
    );
    assert.deepEqual(opened.replay, [
      { kind: "userText", text: "do:say=one" },
      { kind: "text", text: "one" },
    ]);
    value(await agent.prompt(first.sessionId, say("do:say=two")));
    assert.equal(heard.text(), "two");
    assert.ok(heard.updates().some(({ kind }) => kind === "commands"));
  });

  it("asks with options of all four kinds", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:permission"));
    const asked = await heard.untilAsked();
    assert.deepEqual(
      asked.options.map(({ kind }) => kind),
      ["allow_once", "allow_always", "reject_once", "reject_always"],
    );
    agent.cancel(sessionId);
    value(await turn);
    assert.equal(heard.text(), "permission cancelled");
  });

  it("I34: leaves a probe open while it is stopped, and is ended all the same", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:say=x do:stop"));
    await heard.untilText("x");
    const probe = agent.probe();
    await agent.end();
    assert.equal(await probe, false);
    assert.equal(failure(await turn).kind, "exited");
  });

  it("I35: its tools in sessions of their own end with it", async () => {
    const { agent, heard, sessionId } = await bench.open();
    value(await agent.prompt(sessionId, say("do:child=600")));
    const pid = Number(/child (\d+)/u.exec(heard.text())?.[1]);
    assert.ok((await runMembers(agent.identity, false)).includes(pid));
    await agent.end();
    assert.equal(await isRunning(pid), false);
  });

  it("I35: its tools end when it dies, before anyone is told", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:child=600 do:die"));
    assert.equal(failure(await turn).kind, "exited");
    const pid = Number(/child (\d+)/u.exec(heard.text())?.[1]);
    assert.equal(await isRunning(pid), false);
  });

  it("I35: ends though it ignores SIGTERM and the end of its input", async () => {
    const { agent } = await bench.open("--stubborn");
    await agent.end();
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  it("I35: closing its output settles the turn and ends it", async () => {
    const { agent, sessionId } = await bench.open();
    const answer = await agent.prompt(sessionId, say("do:say=x do:closeout"));
    assert.match(failure(answer).message, /closed its output/u);
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  it("I35: an agent that reads no more fails the next prompt and is ended", async () => {
    const { agent, heard, sessionId } = await bench.open("--stubborn");
    value(await agent.prompt(sessionId, say("do:closein")));
    const big = say("x".repeat(1_000_000));
    assert.equal(failure(await agent.prompt(sessionId, big)).kind, "exited");
    await heard.untilEnded();
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  it("I30: what another host left behind is ended, and only that", async () => {
    const { agent, heard } = await bench.open();
    const { port } = world();
    await port.endLeftover({
      ...agent.identity,
      nonce: "other",
      startTime: "0",
    });
    assert.equal(await agent.probe(), true);
    await port.endLeftover(agent.identity);
    await heard.untilEnded();
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  it("gives the stop reason of a cancelled turn as the agent said it", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:lie do:say=x do:silent"));
    await heard.untilText("x");
    agent.cancel(sessionId);
    assert.equal(value(await turn).stopReason, "end_turn");
  });

  it("I31: a question asked after the cancel is answered `cancelled` unseen", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(
      sessionId,
      say("do:askoncancel do:say=x do:silent"),
    );
    await heard.untilText("x");
    agent.cancel(sessionId);
    value(await turn);
    assert.equal(heard.text(), "xpermission cancelled");
    assert.ok(!heard.heard.some(({ on }) => on === "permission"));
    const next = agent.prompt(sessionId, say("do:permission=allow_once"));
    agent.answerPermission((await heard.untilAsked()).id, "allow-once");
    value(await next);
    assert.match(heard.text(), /chose allow-once$/u);
  });

  it("I31: a cancel between turns leaves the next turn's questions alone", async () => {
    const { agent, heard, sessionId } = await bench.open();
    agent.cancel(sessionId);
    const turn = agent.prompt(sessionId, say("do:permission=allow_once"));
    agent.answerPermission((await heard.untilAsked()).id, "allow-once");
    value(await turn);
    assert.equal(heard.text(), "chose allow-once");
  });

  it("names what a turn left running, after a fork too, and ends it alone", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const { features } = agent;
    assert.ok(features !== undefined);
    assert.deepEqual(await features.leftRunning(), []);
    value(await agent.prompt(sessionId, say("do:child=600")));
    const [left, ...more] = await features.leftRunning();
    assert.ok(left !== undefined && more.length === 0);
    assert.equal(heard.text(), `child ${left.pid}`);
    assert.equal(left.command, "sleep 600");
    value(await features.forkSession(sessionId, bench.options()));
    await features.endLeft({ ...left, startTime: "another" });
    assert.equal((await features.leftRunning()).length, 1);
    await features.endLeft(left);
    assert.deepEqual(await features.leftRunning(), []);
    assert.equal(await agent.probe(), true);
  });

  it("takes a question about a tool it never saw, with options of unknown kinds", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:permissionunknown"));
    const asked = await heard.untilAsked();
    assert.deepEqual(asked.tool, {
      kind: "tool",
      toolCallId: "tool-never-seen",
      title: "Never announced",
    });
    assert.deepEqual(
      asked.options.map(({ kind }) => kind),
      ["allow_once", "reject_once"],
    );
    agent.answerPermission(asked.id, null);
    value(await turn);
    assert.equal(heard.text(), "permission cancelled");
  });

  it("tells when the agent takes a question back", async () => {
    const { agent, heard, sessionId } = await bench.open();
    value(await agent.prompt(sessionId, say("do:withdraw=20")));
    assert.deepEqual(
      heard.heard.map(({ on }) => on),
      ["permission", "permissionGone", "update"],
    );
  });

  it("tells updates and questions in the order the agent spoke", async () => {
    const { agent, heard, sessionId } = await bench.open();
    const turn = agent.prompt(sessionId, say("do:permission=allow_once"));
    agent.answerPermission((await heard.untilAsked()).id, "allow-once");
    value(await turn);
    assert.deepEqual(
      heard.heard.map((one) =>
        one.on === "update" ? one.update.kind : one.on,
      ),
      ["tool", "permission", "text", "tool"],
    );
  });

  it("translates tools, in any order, with diffs, raw input and output", async () => {
    const { agent, heard, sessionId } = await bench.open();
    value(
      await agent.prompt(
        sessionId,
        say("do:tool=disorder do:diff=/tmp/a do:tokens=3,4"),
      ),
    );
    const [result, start, diff] = heard.updates();
    assert.ok(result?.kind === "tool" && start?.kind === "tool");
    assert.equal(result.toolCallId, start.toolCallId);
    assert.deepEqual(result.content, [{ type: "text", text: "result 1" }]);
    assert.equal(result.output, '{\n  "exitCode": 0\n}');
    assert.equal(result.title, undefined);
    assert.equal(start.input, '{\n  "command": "true"\n}');
    assert.deepEqual(start.locations, [{ path: "/tmp/file.txt", line: 3 }]);
    assert.ok(diff?.kind === "tool");
    assert.deepEqual(diff.content, [
      { type: "diff", path: "/tmp/a", oldText: "old\n", newText: "new\n" },
      { type: "diff", path: "/tmp/a.new", oldText: null, newText: "made\n" },
    ]);
  });

  it("gives blocks with their bytes", async () => {
    const { agent, heard, sessionId } = await bench.open();
    value(await agent.prompt(sessionId, say("do:blocks")));
    const blocks = heard
      .updates()
      .map((update) => (update.kind === "block" ? update.block : undefined));
    assert.deepEqual(
      blocks.map((block) => block?.type),
      ["image", "link", "resource"],
    );
    assert.ok(blocks[0]?.type === "image" && blocks[0].data.byteLength === 70);
  });

  it("takes a flood and a line of megabytes whole", async () => {
    const { agent, heard, sessionId } = await bench.open();
    value(await agent.prompt(sessionId, say("do:flood=20000 do:big=3000000")));
    assert.equal(heard.text().length, 200_000 + 3_000_000);
  });

  it("writes a prompt's blocks as they are", async () => {
    const { agent, sessionId } = await bench.open();
    value(
      await agent.prompt(sessionId, [
        { type: "text", text: "do:say=x </message> ünï" },
        { type: "image", mimeType: "image/png", data: Buffer.from("abc") },
        { type: "resource", uri: "file:///a", text: "A", mimeType: "text/x" },
        { type: "link", uri: "file:///b", name: "b" },
      ]),
    );
    assert.deepEqual(bench.received("session/prompt")[0]?.["params"], {
      sessionId,
      prompt: [
        { type: "text", text: "do:say=x </message> ünï" },
        { type: "image", mimeType: "image/png", data: "YWJj" },
        {
          type: "resource",
          resource: { uri: "file:///a", text: "A", mimeType: "text/x" },
        },
        { type: "resource_link", uri: "file:///b", name: "b" },
      ],
    });
  });

  it("sends what only some agents take where the agent takes it", async () => {
    const options = {
      folder: bench.folder,
      additionalFolders: ["/other"],
      systemPrompt: "Be brief.",
    };
    for (const flags of [[], ["--plain"]]) {
      const { agent } = await bench.start(...flags);
      value(await agent.newSession(options));
    }
    assert.deepEqual(
      bench.received("session/new").map((entry) => entry["params"]),
      [
        {
          cwd: bench.folder,
          mcpServers: [],
          additionalDirectories: ["/other"],
          systemPrompt: {
            mode: "append",
            content: [{ type: "text", text: "Be brief." }],
          },
        },
        { cwd: bench.folder, mcpServers: [] },
      ],
    );
  });

  it("answers errors for what they are", async () => {
    const { agent, sessionId } = await bench.open();
    const asked = async (words: string, session = sessionId): Promise<string> =>
      failure(await agent.prompt(session, say(words))).kind;
    assert.equal(await asked("do:signin"), "signIn");
    assert.equal(await asked("do:error=-32603,boom"), "refused");
    assert.equal(await asked("do:error=-32002,no_file"), "refused");
    assert.equal(await asked("hello", "nowhere"), "noSession");
  });
});
