import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import {
  BuiltinAgent,
  cleanUp,
  isAlive,
  makeFolder,
  readAnswer,
} from "./builtinAgentHarness.ts";

const main = path.resolve(
  import.meta.dirname,
  "../../src/builtinAgent/main.ts",
);
const long = Array.from(
  { length: 150 },
  (_, i) => `${String(i)} words in a line of a file that is long\n`,
).join("");

describe("built-in agent: sessions and turns", () => {
  afterEach(cleanUp);

  const hasText = (agent: BuiltinAgent) => () =>
    readAnswer(agent.updates).text !== "";

  it("says what it can do", async () => {
    const answer = await new BuiltinAgent(makeFolder()).initialize();
    assert.equal(answer.protocolVersion, 1);
    assert.deepEqual(answer.agentCapabilities, {
      loadSession: true,
      promptCapabilities: { embeddedContext: true },
      sessionCapabilities: {
        additionalDirectories: {},
        close: {},
        list: {},
        resume: {},
        delete: {},
      },
    });
    assert.deepEqual(answer.authMethods, []);
  });

  it("keeps nothing, and says so, where it has no home", async () => {
    const agent = new BuiltinAgent("", {});
    const answer = await agent.initialize();
    assert.equal(answer.agentCapabilities?.loadSession, false);
    assert.deepEqual(answer.agentCapabilities.sessionCapabilities, {
      additionalDirectories: {},
      close: {},
    });
    const session = await agent.open(makeFolder({ "a.txt": "here" }));
    assert.match((await agent.ask(session, "read a.txt")).text, /here/);
  });

  it("stops in mid-stream at once, and the session goes on", async () => {
    const agent = new BuiltinAgent(makeFolder(), {
      TURNLINE_BUILTIN_PACE_MS: "20",
    });
    const session = await agent.open(makeFolder({ "long.txt": long }));
    const asking = agent.ask(session, "read long.txt");
    await agent.until(hasText(agent));
    await agent.agent.notify("session/cancel", { sessionId: session });
    const answer = await asking;
    assert.equal(answer.stopReason, "cancelled");
    assert.ok(answer.text.length < long.length / 2, "only a part was said");
    const said = agent.updates.length;
    await agent.agent.notify("session/cancel", { sessionId: session });
    const next = await agent.ask(session, "/read");
    assert.equal(next.stopReason, "end_turn");
    assert.equal(
      agent.updates.length - said,
      next.updates.length,
      "nothing of the cancelled turn came later",
    );
  });

  it("says what it is with the first answer that comes to its end", async () => {
    const home = makeFolder();
    const agent = new BuiltinAgent(home, { TURNLINE_BUILTIN_PACE_MS: "20" });
    const cwd = makeFolder({ "long.txt": long, "a.md": "first\n" });
    const session = await agent.open(cwd);
    const stopped = agent.ask(session, "read long.txt");
    await agent.until(() => readAnswer(agent.updates).text.length > 100);
    await agent.agent.notify("session/cancel", { sessionId: session });
    assert.equal((await stopped).stopReason, "cancelled");
    const first = await agent.ask(session, "find a.md");
    assert.match(first.text, /not a language model/);
    const second = await agent.ask(session, "find a.md");
    assert.doesNotMatch(second.text, /not a language model/);
  });

  it("answers one prompt after another, and cancel ends all of them", async () => {
    const agent = new BuiltinAgent(makeFolder(), {
      TURNLINE_BUILTIN_PACE_MS: "20",
    });
    const session = await agent.open(makeFolder({ "long.txt": long }));
    const prompt = () =>
      agent.agent.request("session/prompt", {
        sessionId: session,
        prompt: [{ type: "text", text: "read long.txt" }],
      });
    const both = Promise.all([prompt(), prompt()]);
    await agent.until(hasText(agent));
    assert.equal(readAnswer(agent.updates).tools.length, 1);
    await agent.agent.notify("session/cancel", { sessionId: session });
    assert.deepEqual(
      (await both).map((answer) => answer.stopReason),
      ["cancelled", "cancelled"],
    );
  });

  it("loads a session after kill -9 in mid-turn, whole lines only", async () => {
    const home = makeFolder();
    const cwd = makeFolder({ "long.txt": long, "a.md": "first\n" });
    const first = new BuiltinAgent(home, { TURNLINE_BUILTIN_PACE_MS: "20" });
    const session = await first.open(cwd);
    const earlier = await first.ask(session, "find a.md");
    const before = first.updates.length;
    void first.ask(session, "read long.txt").catch(() => undefined);
    await first.until(
      () => readAnswer(first.updates.slice(before)).text.length > 100,
    );
    await first.kill("SIGKILL");
    const [name] = fs.readdirSync(home);
    assert.ok(name !== undefined);
    fs.appendFileSync(path.join(home, name), '{"kind":"text","text":"torn');

    const second = new BuiltinAgent(home);
    await second.initialize();
    await second.agent.request("session/load", {
      sessionId: session,
      cwd,
      mcpServers: [],
    });
    const replayed = [...second.updates];
    assert.deepEqual(usersOf(replayed), ["find a.md", "read long.txt"]);
    const { text, tools } = readAnswer(replayed);
    assert.ok(text.startsWith(earlier.text));
    assert.ok(text.length > earlier.text.length + 60, "what was said is kept");
    assert.doesNotMatch(text, /torn/);
    assert.deepEqual(
      tools.map((tool) => tool.status),
      ["completed", "completed"],
    );
    const next = await second.ask(session, "find a.md");
    assert.doesNotMatch(next.text, /not a language model/);

    const third = new BuiltinAgent(home);
    await third.initialize();
    await third.agent.request("session/load", {
      sessionId: session,
      cwd,
      mcpServers: [],
    });
    assert.deepEqual(usersOf(third.updates), [
      "find a.md",
      "read long.txt",
      "find a.md",
    ]);
    assert.ok(readAnswer(third.updates).text.endsWith(next.text));
  });

  it("resumes without a replay and still knows the files it named", async () => {
    const home = makeFolder();
    const cwd = makeFolder({ "a.md": "first\n", "b.md": "second\n" });
    const first = new BuiltinAgent(home);
    const session = await first.open(cwd);
    await first.ask(session, "find *.md");
    await first.kill();
    const second = new BuiltinAgent(home);
    await second.initialize();
    await second.agent.request("session/resume", { sessionId: session, cwd });
    await second.until(() => second.updates.length > 0);
    assert.deepEqual(
      second.updates.map((update) => update.sessionUpdate),
      ["available_commands_update"],
    );
    const answer = await second.ask(session, "read the second one");
    assert.match(answer.text, /second/);
  });

  it("lists, closes and deletes sessions", async () => {
    const home = makeFolder();
    const [one, two] = [makeFolder(), makeFolder()];
    const agent = new BuiltinAgent(home);
    const first = await agent.open(one);
    const second = await agent.open(two);
    await agent.ask(first, "  what is\nin this workspace?");
    fs.writeFileSync(path.join(home, "stray.jsonl"), "not a session");
    const list = async (cwd?: string) => {
      const { sessions } = await agent.agent.request("session/list", {
        ...(cwd !== undefined && { cwd }),
      });
      return sessions.map((session) => [session.sessionId, session.title]);
    };
    assert.deepEqual(await list(), [
      [first, "what is"],
      [second, undefined],
    ]);
    assert.deepEqual(await list(two), [[second, undefined]]);
    await agent.agent.request("session/close", { sessionId: first });
    await assert.rejects(agent.ask(first, "hello"), { code: -32002 });
    assert.equal((await list()).length, 2);
    await agent.agent.request("session/delete", { sessionId: first });
    await agent.agent.request("session/delete", { sessionId: second });
    assert.deepEqual(await list(), []);
  });

  it("answers -32002 for a session it does not know", async () => {
    const home = makeFolder();
    const cwd = makeFolder();
    fs.writeFileSync(path.join(home, "..x.jsonl"), "");
    const agent = new BuiltinAgent(home);
    await agent.initialize();
    const ids = [
      "00000000-0000-4000-8000-000000000000",
      "../../etc/passwd",
      "",
      "x".repeat(5_000),
    ];
    for (const sessionId of ids) {
      const known = { sessionId, cwd, mcpServers: [] };
      for (const request of [
        agent.agent.request("session/load", known),
        agent.agent.request("session/resume", known),
        agent.ask(sessionId, "help"),
      ])
        await assert.rejects(request, { code: -32002 });
    }
  });

  it("answers garbage with errors and lives on", async () => {
    const agent = new BuiltinAgent(makeFolder());
    const session = await agent.open(makeFolder());
    const refused: readonly (readonly [string, unknown, number])[] = [
      ["_turnline/ping", {}, -32601],
      ["session/new", {}, -32602],
      ["session/new", { cwd: "relative", mcpServers: [] }, -32602],
      ["session/prompt", { sessionId: session }, -32602],
      ["session/prompt", { sessionId: session, prompt: "text" }, -32602],
      ["session/list", { cursor: "x" }, -32602],
      ["session/set_mode", { sessionId: session, modeId: "x" }, -32601],
    ];
    for (const [method, params, code] of refused)
      await assert.rejects(agent.agent.request(method, params), { code });
    const answer = await agent.ask(session, "/help");
    assert.equal(answer.stopReason, "end_turn");
  });

  it("answers lines that are no messages, each with an error", async () => {
    const raw = spawn(process.execPath, [main], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const gone = once(raw, "exit");
    raw.stdin.write("this is not JSON\n[]\n42\n{}\n");
    const lines = createInterface(raw.stdout)[Symbol.asyncIterator]();
    for (const code of [-32700, -32600, -32600, -32600])
      assert.match(
        String((await lines.next()).value),
        new RegExp(`"code":${String(code)}`),
      );
    raw.stdin.end();
    assert.deepEqual(await gone, [0, null]);
  });

  it("says so when a session can't be saved, and answers all the same", async () => {
    const home = path.join(makeFolder({ file: "" }), "file", "below");
    const agent = new BuiltinAgent(home);
    const session = await agent.open(makeFolder({ "a.txt": "here" }));
    const answer = await agent.ask(session, "read a.txt");
    assert.match(answer.text, /here[\s\S]*could not save this session/);
  });

  it("ends with its input", async () => {
    const agent = new BuiltinAgent(makeFolder());
    await agent.open(makeFolder());
    agent.process.stdin?.end();
    await agent.gone();
    assert.equal(agent.process.exitCode, 0);
  });

  it("ends with its parent, though its input stays open", async () => {
    const pipe = path.join(makeFolder(), "pipe");
    const script = `mkfifo "$1"; exec 3<>"$1"; "$2" "$3" <&3 & echo $!; wait`;
    const shell = spawn(
      "sh",
      ["-c", script, "sh", pipe, process.execPath, main],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    const hello = { protocolVersion: 1, clientCapabilities: {} };
    fs.writeFileSync(
      pipe,
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`,
    );
    assert.match(String((await lines.next()).value), /agentCapabilities/);
    assert.ok(await isAlive(pid));
    shell.kill("SIGKILL");
    while (await isAlive(pid)) await setTimeout(20);
    assert.ok(!(await isAlive(pid)));
  });
});

function usersOf(updates: readonly SessionUpdate[]): readonly string[] {
  return updates.flatMap((update) =>
    update.sessionUpdate === "user_message_chunk" &&
    update.content.type === "text"
      ? [update.content.text]
      : [],
  );
}
