import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type {
  ContentBlock,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import {
  BuiltinAgent,
  cleanUp,
  isAlive,
  makeFolder,
} from "./builtinAgentHarness.ts";

const choose = (optionId: string): RequestPermissionResponse => ({
  outcome: { outcome: "selected", optionId },
});
const cancelled: RequestPermissionResponse = {
  outcome: { outcome: "cancelled" },
};

describe("built-in agent: edits and commands", () => {
  let agent: BuiltinAgent;
  let cwd: string;
  let session: string;

  before(() => {
    agent = new BuiltinAgent(makeFolder());
  });

  beforeEach(async () => {
    cwd = makeFolder({
      "a.txt": "one two one\n",
      "crlf.txt": "a\r\nb\r\n",
      "src/b.ts": "const x = 1;\nlet y = foo;\n",
    });
    agent.permissions.splice(0);
    agent.updates.splice(0);
    agent.decide = () => choose("allow");
    session = await agent.open(cwd);
  });

  after(async () => {
    assert.equal(agent.stderr, "");
    await cleanUp();
  });

  const file = (name: string): string =>
    fs.readFileSync(path.join(cwd, name), "utf8");

  it("edits a file after asking, with the diff in the question and in the call", async () => {
    fs.chmodSync(path.join(cwd, "a.txt"), 0o754);
    const answer = await agent.ask(session, '/edit a.txt "one" -> "three"');
    assert.match(answer.text, /Replaced 2 occurrences in `a.txt`/);
    assert.equal(file("a.txt"), "three two three\n");
    assert.equal(fs.statSync(path.join(cwd, "a.txt")).mode & 0o777, 0o754);
    assert.deepEqual(fs.readdirSync(cwd).sort(), ["a.txt", "crlf.txt", "src"]);
    const diff = {
      type: "diff",
      path: path.join(cwd, "a.txt"),
      oldText: "one two one\n",
      newText: "three two three\n",
    };
    const [asked] = agent.permissions;
    assert.deepEqual(asked?.toolCall.content, [diff]);
    assert.deepEqual(
      asked.options.map((option) => option.kind),
      ["allow_once", "allow_always", "reject_once"],
    );
    const [call] = answer.tools;
    assert.equal(call?.id, asked.toolCall.toolCallId);
    assert.deepEqual(
      [call.kind, call.status, call.content],
      ["edit", "completed", [diff]],
    );
  });

  it("creates a file, and keeps a file's line endings", async () => {
    await agent.ask(session, 'create notes/new.md with "hello"');
    assert.equal(file("notes/new.md"), "hello\n");
    await agent.ask(session, "/edit crlf.txt\n```\na\nb\n```\n```\nc\nd\n```");
    assert.equal(file("crlf.txt"), "c\r\nd\r\n");
  });

  it("reads and writes through the editor where it can", async () => {
    const editing = await agent.open(cwd, [], {
      fs: { readTextFile: true, writeTextFile: true },
    });
    const target = path.join(cwd, "a.txt");
    agent.buffers.set(target, "unsaved one\n");
    assert.match((await agent.ask(editing, "read a.txt")).text, /unsaved one/);
    await agent.ask(editing, "replace one with 1 in a.txt");
    assert.equal(agent.buffers.get(target), "unsaved 1\n");
    assert.equal(file("a.txt"), "one two one\n");
  });

  const nothingDone: readonly (readonly [
    string,
    string,
    () => RequestPermissionResponse,
    RegExp,
  ])[] = [
    [
      "a rejected edit",
      "replace one with two in a.txt",
      () => choose("reject"),
      /did not change `a.txt`. You did not allow it/,
    ],
    [
      "a rejected command",
      "/run touch made",
      () => choose("reject"),
      /did not run `touch made`. You did not allow it/,
    ],
    [
      "an answer nobody offered",
      "/run touch made",
      () => choose("bogus"),
      /did not run/,
    ],
    [
      "a question that can't be asked",
      "/run touch made",
      () => {
        throw new Error("no");
      },
      /could not ask you/,
    ],
    [
      "a text that is not there",
      "replace nine with two in a.txt",
      () => choose("allow"),
      /does not contain `nine`/,
    ],
    [
      "a file that is not there",
      "replace one with two in z.txt",
      () => choose("allow"),
      /There is no file `z.txt`/,
    ],
    [
      "a file that is there already",
      'create a.txt with "x"',
      () => choose("allow"),
      /already there/,
    ],
    [
      "a file outside",
      'create ../x.txt with "x"',
      () => choose("allow"),
      /outside this chat's folders/,
    ],
    [
      "a link that leads outside",
      'create out/x.txt with "x"',
      () => choose("allow"),
      /outside this chat's folders/,
    ],
    [
      "a dangling link that leads outside",
      'create dangling.txt with "x"',
      () => choose("allow"),
      /outside this chat's folders/,
    ],
  ];
  for (const [name, ask, decision, says] of nothingDone)
    it(`${name} changes nothing`, async () => {
      const outside = makeFolder();
      fs.symlinkSync(outside, path.join(cwd, "out"));
      fs.symlinkSync(path.join(outside, "y"), path.join(cwd, "dangling.txt"));
      const before = fs.readdirSync(cwd, { recursive: true });
      agent.decide = decision;
      const answer = await agent.ask(session, ask);
      assert.match(answer.text, says);
      assert.equal(answer.stopReason, "end_turn");
      assert.ok(answer.tools.every((tool) => tool.status === "failed"));
      assert.deepEqual(fs.readdirSync(cwd, { recursive: true }), before);
      assert.equal(file("a.txt"), "one two one\n");
      assert.deepEqual(fs.readdirSync(outside), []);
    });

  it("does not write over what changed while it asked", async () => {
    agent.decide = () => {
      fs.writeFileSync(path.join(cwd, "a.txt"), "one, later\n");
      return choose("allow");
    };
    const answer = await agent.ask(session, "replace one with two in a.txt");
    assert.match(answer.text, /changed meanwhile/);
    assert.equal(file("a.txt"), "one, later\n");
  });

  it("asks again unless it was allowed for the session", async () => {
    await agent.ask(session, "/run true");
    agent.decide = () => choose("always");
    await agent.ask(session, "/run true");
    assert.equal(agent.permissions.length, 2);
    await agent.ask(session, "/run true");
    assert.equal(agent.permissions.length, 2);
    await agent.ask(session, "/run echo");
    assert.equal(agent.permissions.length, 3);
  });

  it("runs a command and streams what it prints", async () => {
    const asking = agent.ask(
      session,
      "/run echo first; until test -e go; do sleep 0.02; done; echo last >&2; exit 3",
    );
    await agent.until(() =>
      agent.updates.some(
        (update) =>
          update.sessionUpdate === "tool_call_update" &&
          JSON.stringify(update.content ?? "").includes("first"),
      ),
    );
    fs.writeFileSync(path.join(cwd, "go"), "");
    const answer = await asking;
    const [call] = answer.tools;
    assert.deepEqual([call?.kind, call?.status], ["execute", "failed"]);
    assert.deepEqual(call?.output, { exitCode: 3, signal: null });
    assert.match(JSON.stringify(call.content), /first\\nlast/);
    assert.match(answer.text, /ended with exit code 3[\s\S]*first\nlast/);
  });

  it("keeps the end of endless output, without colours", async () => {
    const answer = await agent.ask(
      session,
      String.raw`/run seq 1 200000; printf '\033[31mred\033[0m'`,
    );
    assert.match(answer.text, /…\n[\s\S]*200000\nred\n/);
    assert.ok(JSON.stringify(answer.tools).length < 100_000);
  });

  it("gives a command the mark of its process, and nothing of its own", async () => {
    const other = new BuiltinAgent(makeFolder(), {
      TURNLINE_RUN: "nonce",
      ELECTRON_RUN_AS_NODE: "1",
    });
    other.decide = () => choose("allow");
    const opened = await other.open(cwd);
    const answer = await other.ask(opened, "/run env");
    assert.match(answer.text, /TURNLINE_RUN=nonce/);
    assert.doesNotMatch(answer.text, /ELECTRON|TURNLINE_BUILTIN/);
  });

  it("leaves no process behind when a command does", async () => {
    const answer = await agent.ask(session, "/run sleep 1000 & echo $! > pid");
    assert.match(answer.text, /left processes running/);
    assert.equal(await isAlive(Number(file("pid"))), false);
  });

  const stubborn =
    "/run trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; sleep 1000 & wait; sleep 1000'";

  const runningPid = async (): Promise<number> => {
    while (!fs.existsSync(path.join(cwd, "pid")) || file("pid") === "")
      await setTimeout(10);
    return Number(file("pid"));
  };

  it("ends a command and all it started when the turn is cancelled", async () => {
    const asking = agent.ask(session, stubborn);
    const pid = await runningPid();
    await agent.agent.notify("session/cancel", { sessionId: session });
    const answer = await asking;
    assert.equal(answer.stopReason, "cancelled");
    assert.equal(await isAlive(pid), false);
    assert.deepEqual(
      answer.tools.map((tool) => tool.status),
      ["failed"],
    );
    assert.match((await agent.ask(session, "/help")).text, /built-in agent/);
  });

  for (const how of ["input", "SIGTERM"] as const)
    it(`ends a command when it ends itself: ${how}`, async () => {
      const other = new BuiltinAgent(makeFolder());
      other.decide = () => choose("allow");
      const opened = await other.open(cwd);
      void other.ask(opened, stubborn).catch(() => undefined);
      const pid = await runningPid();
      assert.ok(await isAlive(pid));
      if (how === "input") other.process.stdin?.end();
      else other.process.kill(how);
      await other.gone();
      while (await isAlive(pid)) await setTimeout(10);
      assert.ok(!(await isAlive(pid)));
    });

  it("I31: a cancel in the middle of a question ends the turn, and nothing is done", async () => {
    agent.decide = () => new Promise(() => undefined);
    const asking = agent.ask(session, "/run touch made");
    await agent.until(() => agent.permissions.length > 0);
    await agent.agent.notify("session/cancel", { sessionId: session });
    const answer = await asking;
    assert.equal(answer.stopReason, "cancelled");
    assert.ok(!fs.existsSync(path.join(cwd, "made")));
  });

  it("takes a cancelled question for a cancelled turn", async () => {
    agent.decide = () => cancelled;
    const answer = await agent.ask(session, "replace one with 1 in a.txt");
    assert.equal(answer.stopReason, "cancelled");
    assert.equal(file("a.txt"), "one two one\n");
  });

  const printed = "src/b.ts(2,9): error TS2304: Cannot find name 'foo'.";
  const explained: readonly (readonly [string, readonly ContentBlock[]])[] = [
    [
      "in the context",
      [
        { type: "text", text: `[System Context]: Problems:\n${printed}` },
        { type: "text", text: "explain the errors" },
      ],
    ],
    [
      "attached",
      [
        { type: "text", text: "/diagnostics" },
        {
          type: "resource",
          resource: { uri: "turnline://diagnostics", text: printed },
        },
      ],
    ],
    ["pasted", [{ type: "text", text: `what is this\n${printed}` }]],
  ];
  for (const [where, blocks] of explained)
    it(`explains diagnostics ${where}`, async () => {
      const answer = await agent.ask(session, [...blocks]);
      assert.match(answer.text, /1 error in 1 file/);
      assert.match(answer.text, /Line 2, error\*\* `TS2304`: Cannot find name/);
      assert.match(answer.text, /misspelt, not imported/);
      assert.match(answer.text, /```ts\nlet y = foo;\n```/);
      assert.deepEqual(answer.tools[0]?.places, [
        { path: path.join(cwd, "src/b.ts"), line: 2 },
      ]);
    });

  it("says so when there is nothing to explain", async () => {
    const answer = await agent.ask(session, "/diagnostics");
    assert.match(answer.text, /No errors or warnings came with this message/);
  });
});
