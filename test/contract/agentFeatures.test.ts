import assert from "node:assert/strict";
import { existsSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { runMembers } from "../../src/agent/endTree.ts";
import { createTerminals } from "../../src/agent/terminals.ts";
import type {
  Asker,
  ElicitationAnswer,
  FilePort,
  Granted,
  Terminal,
} from "../../src/core/agentFeatures.ts";
import type {
  AgentFeatures,
  LiveAgent,
  SessionOptions,
} from "../../src/core/agentPort.ts";
import { AgentLoan } from "../../src/host/agentLoan.ts";
import {
  AllEars,
  Bench,
  failure,
  faultSpec,
  say,
  silentLog,
  value,
} from "./agentHarness.ts";

/** Files in memory, bound to the asker's folders. */
class Files implements FilePort {
  readonly texts = new Map<string, string>();

  read(asker: Asker, file: string): Promise<Granted<string>> {
    const text = this.texts.get(file);
    return Promise.resolve(
      this.#refusal(asker, file) ??
        (text === undefined
          ? { ok: false, denied: { kind: "notFound", message: file } }
          : { ok: true, value: text }),
    );
  }
  write(asker: Asker, file: string, text: string): Promise<Granted<true>> {
    const refusal = this.#refusal(asker, file);
    if (refusal === undefined) this.texts.set(file, text);
    return Promise.resolve(refusal ?? { ok: true, value: true });
  }
  #refusal(asker: Asker, file: string): Granted<never> | undefined {
    return asker.folders.some((folder) => file.startsWith(`${folder}/`))
      ? undefined
      : { ok: false, denied: { kind: "denied", message: "outside" } };
  }
}

describe("what agents offer beyond a turn", () => {
  let bench: Bench;
  let heard: AllEars;
  let files: Files;
  beforeEach(() => {
    files = new Files();
    heard = new AllEars();
    bench = new Bench({
      port: createAgentPort({
        log: silentLog,
        graceMs: 300,
        files,
        terminals: createTerminals({ log: silentLog, graceMs: 300 }),
      }),
      spec: faultSpec,
      left: (identity) => runMembers(identity, true),
    });
  });
  afterEach(() => bench.dispose());

  const start = async (
    ...flags: readonly string[]
  ): Promise<{ agent: LiveAgent; features: AgentFeatures }> => {
    const { agent } = await bench.startWith(heard, ...flags);
    assert.ok(agent.features !== undefined);
    return { agent, features: agent.features };
  };
  const open = async (
    ...flags: readonly string[]
  ): Promise<{
    agent: LiveAgent;
    features: AgentFeatures;
    sessionId: string;
  }> => {
    const started = await start(...flags);
    const { sessionId } = value(
      await started.agent.newSession(bench.options()),
    );
    return { ...started, sessionId };
  };

  it("options come with the session; config options stand before plain modes", async () => {
    const { agent, features } = await start("--config");
    const opened = value(await agent.newSession(bench.options()));
    assert.deepEqual(opened.options, [
      {
        id: "model",
        name: "Model",
        category: "model",
        type: "select",
        value: "small",
        groups: [
          {
            choices: [
              { value: "small", name: "Small" },
              { value: "large", name: "Large", description: "Thinks longer" },
            ],
          },
        ],
      },
      { id: "careful", name: "Careful", type: "boolean", value: false },
    ]);
    const { sessionId } = opened;
    const set = async (
      id: string,
      to: string | boolean,
    ): Promise<readonly (string | boolean)[]> =>
      value(await features.setOption(sessionId, id, to)).map(
        (option) => option.value,
      );
    assert.deepEqual(await set("model", "large"), ["large", false]);
    assert.deepEqual(await set("careful", true), ["large", true]);
    const refused = await features.setOption(sessionId, "taste", "sweet");
    assert.equal(failure(refused).kind, "refused");
    value(await agent.prompt(sessionId, say("do:config")));
    const [change] = heard.changes;
    assert.ok(change?.kind === "options");
    assert.deepEqual(
      change.options.map((option) => option.value),
      ["large", true],
    );
  });

  it("plain modes are an option, set by their own method", async () => {
    const { agent, features } = await start("--modes");
    const { sessionId, options } = value(
      await agent.newSession(bench.options()),
    );
    assert.deepEqual(
      options?.map(({ id, category, value: now }) => [id, category, now]),
      [["mode", "mode", "ask"]],
    );
    const after = value(await features.setOption(sessionId, "mode", "code"));
    assert.deepEqual(
      after.map((option) => option.value),
      ["code"],
    );
    assert.equal(bench.received("session/set_mode").length, 1);
    value(await agent.prompt(sessionId, say("do:mode=ask")));
    const last = heard.changes.at(-1);
    assert.ok(last?.kind === "options");
    assert.equal(last.options[0]?.value, "ask");
  });

  it("notices and compactions are told", async () => {
    const { agent, sessionId } = await open();
    value(await agent.prompt(sessionId, say("do:notice do:compaction")));
    assert.deepEqual(heard.changes, [
      {
        kind: "notice",
        level: "warning",
        title: "Careful",
        text: "Thin ice",
      },
      { kind: "compaction", id: "compaction-1", status: "in_progress" },
      {
        kind: "compaction",
        id: "compaction-1",
        status: "in_progress",
        summary: "in short",
      },
      {
        kind: "compaction",
        id: "compaction-1",
        status: "completed",
        summary: "in short",
      },
    ]);
    assert.deepEqual(heard.updates(), []);
  });

  it("sessions are listed, forked, loaded, closed and deleted", async () => {
    const { agent, features, sessionId } = await open();
    value(await agent.prompt(sessionId, say("do:say=one")));
    const fork = value(await features.forkSession(sessionId, bench.options()));
    assert.notEqual(fork.sessionId, sessionId);
    const loaded = value(
      await features.loadSession(fork.sessionId, bench.options()),
    );
    assert.deepEqual(loaded.replay, [
      { kind: "userText", text: "do:say=one" },
      { kind: "text", text: "one" },
    ]);
    const ids = async (): Promise<readonly string[]> =>
      value(await features.listSessions({ folder: bench.folder })).sessions.map(
        (session) => session.sessionId,
      );
    assert.deepEqual(
      new Set(await ids()),
      new Set([sessionId, fork.sessionId]),
    );
    value(await features.closeSession(fork.sessionId));
    value(await features.deleteSession(fork.sessionId));
    assert.deepEqual(await ids(), [sessionId]);
    const again = await features.forkSession(fork.sessionId, bench.options());
    assert.equal(failure(again).kind, "noSession");
  });

  it("signs in and out; a terminal method says what to add to the agent's own command", async () => {
    const { agent, features } = await start("--auth");
    const { extras } = agent.capabilities;
    assert.equal(extras?.signOut, true);
    assert.deepEqual(
      extras.signIn.map(({ kind, id }) => [kind, id]),
      [
        ["agent", "key"],
        ["agent", "api"],
        ["terminal", "login"],
        ["agent", "page"],
      ],
    );
    const [, , terminal] = extras.signIn;
    assert.ok(terminal?.kind === "terminal");
    assert.deepEqual(terminal.args, ["login"]);
    value(await features.signIn("key"));
    value(await features.signOut());
    assert.equal(failure(await features.signIn("other")).kind, "refused");
  });

  it("a method that wants a key is given it, and the agent tells who is signed in", async () => {
    const file = path.join(bench.folder, "account");
    const { agent, features } = await start("--auth", `--signedin=${file}`);
    const wants = agent.capabilities.extras?.signIn.flatMap((method) =>
      method.kind === "agent" && method.key === true ? [method.id] : [],
    );
    assert.deepEqual(wants, ["api"]);
    assert.equal(agent.capabilities.extras?.account, true);
    assert.equal(value(await features.account()), "");
    assert.equal(failure(await features.signIn("api")).kind, "refused");
    value(await features.signIn("api", "k-1"));
    assert.equal(value(await features.account()), "k-1");
    value(await features.signOut());
    assert.equal(value(await features.account()), "");
  });

  for (const action of ["accept", "cancel"] as const)
    it(`a sign-in that wants a page visited asks outside of any session: ${action}`, async () => {
      const loan = new AgentLoan(
        createAgentPort({ log: silentLog, graceMs: 300 }),
        bench.folder,
      );
      const file = path.join(bench.folder, "account");
      const spec = bench.spec("--auth", `--signedin=${file}`);
      const asked: unknown[] = [];
      const done = await loan.use(
        spec,
        ({ features }) => features?.signIn("page") ?? assert.fail(),
        {
          answer: (request) => {
            asked.push({ ...request, id: "" });
            return Promise.resolve(
              action === "accept" ? { action, values: {} } : { action },
            );
          },
        },
      );
      assert.deepEqual(asked, [
        {
          id: "",
          mode: "url",
          url: "https://example.test/device",
          message: "Enter this code: FAUL-T123",
        },
      ]);
      assert.equal(value(done).ok, action === "accept");
      assert.equal(existsSync(file), action === "accept");
      const deaf = await loan.use(spec, ({ capabilities }) =>
        Promise.resolve(capabilities.extras?.signIn.map(({ id }) => id)),
      );
      assert.ok(!value(deaf)?.includes("page"));
    });

  for (const how of ["--tells", "--tells=only"])
    it(`an agent that tells unasked who is signed in is heard, each time: ${how}`, async () => {
      const file = path.join(bench.folder, "account");
      const flags = ["--auth", "--ask=prompt", `--signedin=${file}`, how];
      const { features } = await start(...flags);
      assert.equal(value(await features.account()), "");
      value(await features.signIn("api", "k-1"));
      assert.equal(value(await features.account()), "Fault key, k-1");
      value(await features.signOut());
      assert.equal(value(await features.account()), "");
    });

  it("MCP servers are handed over, as far as the agent takes their kind", async () => {
    const { agent } = await start();
    const options: SessionOptions = {
      ...bench.options(),
      mcpServers: [
        {
          type: "stdio",
          name: "a",
          command: "a",
          args: ["-x"],
          env: { K: "v" },
        },
        { type: "http", name: "b", url: "http://b", headers: { H: "1" } },
        { type: "sse", name: "c", url: "http://c", headers: {} },
      ],
    };
    const { notice } = value(await agent.newSession(options));
    const params = bench.received("session/new")[0]?.["params"];
    assert.deepEqual((params as { mcpServers: unknown }).mcpServers, [
      {
        name: "a",
        command: "a",
        args: ["-x"],
        env: [{ name: "K", value: "v" }],
      },
      {
        type: "http",
        name: "b",
        url: "http://b",
        headers: [{ name: "H", value: "1" }],
      },
    ]);
    assert.equal(
      notice?.title,
      `${faultSpec().label} can't use the MCP server "c" (sse).`,
    );
  });

  const answers: readonly (readonly [ElicitationAnswer, string])[] = [
    [
      { action: "accept", values: { colour: "red", sizes: ["S"] } },
      '{"action":"accept","content":{"colour":"red","sizes":["S"]}}',
    ],
    [{ action: "decline" }, '{"action":"decline"}'],
  ];
  for (const [answer, said] of answers)
    it(`a form is asked field by field and answered: ${answer.action}`, async () => {
      const { agent, features, sessionId } = await open();
      const turn = agent.prompt(sessionId, say("do:elicit=form"));
      const asked = await heard.untilElicited();
      assert.ok(asked.mode === "form");
      assert.deepEqual(
        asked.fields.map(({ id, type, required }) => [id, type, required]),
        [
          ["colour", "choice", true],
          ["count", "number", false],
          ["sure", "boolean", false],
          ["sizes", "choices", false],
          ["odd", "text", false],
        ],
      );
      features.answerElicitation(asked.id, answer);
      value(await turn);
      assert.equal(heard.text(), said);
    });

  it("I31: a cancel answers an open form `cancel`", async () => {
    const { agent, sessionId } = await open();
    const turn = agent.prompt(sessionId, say("do:elicit=url"));
    const asked = await heard.untilElicited();
    assert.ok(asked.mode === "url");
    agent.cancel(sessionId);
    value(await turn);
    assert.equal(heard.text(), '{"action":"cancel"}');
    assert.deepEqual(heard.gone, [asked.id]);
  });

  it("files are read and written through the port, within the session's folders", async () => {
    const { agent, sessionId } = await open();
    const file = path.join(bench.folder, "a.txt");
    const words = `do:write=${file},hello do:read=${file} do:read=${file}.no do:read=/etc/passwd`;
    value(await agent.prompt(sessionId, say(words)));
    assert.equal(files.texts.get(file), "hello");
    assert.equal(heard.text(), '{}{"content":"hello"}error -32002error -32603');
  });

  it("a terminal runs in the session's folder, is shown live and read as plain text", async () => {
    const { agent, sessionId } = await open();
    const words = "do:terminal=printf+'\\033[31mred\\033[0m\\n';pwd;exit+3";
    value(await agent.prompt(sessionId, say(words)));
    const said = JSON.parse(heard.text()) as Record<string, unknown>;
    assert.deepEqual(said, {
      output: `red\n${bench.folder}\n`,
      truncated: false,
      exitStatus: { exitCode: 3, signal: null },
    });
    const contents = heard
      .updates()
      .flatMap((update) => (update.kind === "tool" ? [update.content] : []));
    const shown = contents.findLast((content) => content !== undefined)?.[0];
    assert.ok(shown?.type === "terminal");
    assert.equal(shown.output, `red\n${bench.folder}\n`);
    assert.equal(shown.exitCode, 3);
  });

  it("a terminal in a folder that was not given is refused, links followed", async () => {
    const { agent, sessionId } = await open();
    symlinkSync(os.tmpdir(), path.join(bench.folder, "out"));
    for (const cwd of [os.tmpdir(), path.join(bench.folder, "out")])
      value(await agent.prompt(sessionId, say(`do:terminalin=${cwd}`)));
    assert.equal(heard.text(), "error -32603error -32603");
  });

  it("I35: a terminal's command ends with the turn's cancel, and with the agent", async () => {
    const { agent, sessionId } = await open();
    const shown = (word: string): Promise<true> =>
      heard.until((one) =>
        one.on === "update" &&
        one.update.kind === "tool" &&
        JSON.stringify(one.update.content ?? []).includes(word)
          ? true
          : undefined,
      );
    const turn = agent.prompt(sessionId, say("do:terminal=echo+one;sleep+600"));
    await shown("one");
    agent.cancel(sessionId);
    value(await turn);
    assert.deepEqual(await runMembers(agent.identity, true), [
      agent.identity.pid,
    ]);
    const next = agent.prompt(sessionId, say("do:terminal=echo+two;sleep+600"));
    await shown("two");
    await agent.end();
    assert.equal(failure(await next).kind, "exited");
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  for (const how of ["is ended", "dies"])
    it(`I35: commands it had run are ended when the agent ${how}, wherever they run`, async () => {
      let killed = 0;
      let gone: () => void = () => undefined;
      const allGone = new Promise<void>((resolve) => {
        gone = resolve;
      });
      const terminal: Terminal = {
        state: () => ({ output: "", truncated: false }),
        exited: new Promise(() => undefined),
        onChange: () => undefined,
        kill: () => {
          killed += 1;
          gone();
          return Promise.resolve();
        },
      };
      let made: () => void = () => undefined;
      const running = new Promise<void>((resolve) => {
        made = resolve;
      });
      const port = createAgentPort({
        log: silentLog,
        graceMs: 300,
        terminals: {
          create: () => {
            made();
            return Promise.resolve({ ok: true, value: terminal });
          },
        },
      });
      const agent = value(
        await port.start(bench.spec(), bench.folder, new AllEars()),
      );
      const { sessionId } = value(await agent.newSession(bench.options()));
      const turn = agent.prompt(sessionId, say("do:terminal=sleep+600"));
      await running;
      if (how === "dies") process.kill(agent.identity.pid, "SIGKILL");
      else await agent.end();
      assert.equal(failure(await turn).kind, "exited");
      await allGone;
      assert.equal(killed, 1);
    });

  it("a terminal's output is cut from its beginning, at a character", async () => {
    const { agent, sessionId } = await open();
    const words = "do:terminal=for+i+in+$(seq+400);do+printf+é$i;done";
    value(await agent.prompt(sessionId, say(words)));
    const said = JSON.parse(heard.text()) as { output: string };
    assert.ok(Buffer.byteLength(said.output) <= 1000);
    assert.match(said.output, /^(?:\d*é)+\d+$/u);
    assert.ok(said.output.endsWith("é400"));
  });
});
