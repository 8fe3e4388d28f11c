import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  agentProcesses,
  faultAgent,
  prompts,
  received,
  until,
} from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-memory-"));
const record = (name: string): string => path.join(home, `${name}.jsonl`);
const sessions = (name: string): string => path.join(home, name);
const agent = (
  name: string,
  label: string,
  flags: readonly string[] = [],
): Record<string, unknown> =>
  faultAgent(label, flags, {
    FAULT_RECORD: record(name),
    FAULT_SESSIONS: sessions(name),
  });

/** What an agent was asked to open, in order. */
function opened(name: string): readonly string[] {
  return received(record(name), /^session\/(new|resume|load)$/).map(
    ({ method }) => method.replace("session/", ""),
  );
}

describe("what agents remember, in the real VS Code", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        keeper: agent("keeper", "Keeper"),
        other: agent("other", "Other"),
        shaky: agent("shaky", "Shaky", ["--resume=once"]),
        loader: agent("loader", "Loader", ["--resume=no"]),
        forgetter: agent("forgetter", "Forgetter", [
          "--load=no",
          "--resume=no",
          "--plain",
        ]),
      },
      "turnline.defaultAgent": "keeper",
      "turnline.userName": "alice",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
  });

  /** Another window on the same folder, once the old one and its agents are gone. */
  async function reload(): Promise<void> {
    await lab().reload();
    chat = new Chat(await lab().chat());
    await chat.batches().first().waitFor({ timeout: 60_000 });
    await until(() => agentProcesses(lab().folder).length === 0);
  }

  async function ask(text: string): Promise<void> {
    const before = await chat.batches("completed").count();
    await chat.send(text);
    await chat.ended(before + 1);
  }

  async function choose(label: string): Promise<void> {
    await lab().command("Turnline: Choose Agent");
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: label })
      .click();
    await chat.part("agent-status").filter({ hasText: label }).waitFor();
  }

  async function begin(label: string): Promise<void> {
    await lab().command("Turnline: New Thread");
    await chat.focused();
    await chat.until(
      () => chat.batches().count(),
      (count) => count === 0,
    );
    await choose(label);
  }

  const rebuilt = () => chat.frame.getByText("memory rebuilt", { exact: true });

  it("I41: after a reload the agent is resumed, and receives only the new message", async () => {
    await ask("the first thing");
    await reload();
    await ask("the second thing");
    assert.deepEqual(prompts(record("keeper")), [
      "the first thing",
      "the second thing",
    ]);
    assert.deepEqual(opened("keeper"), ["new", "resume"]);
    assert.equal(await rebuilt().count(), 0);
  });

  it("I44: its session deleted, it receives the whole history once, and the user is told", async () => {
    await lab().closeWindow();
    await until(() => agentProcesses(lab().folder).length === 0);
    rmSync(sessions("keeper"), { recursive: true });
    await lab().open();
    chat = new Chat(await lab().chat());
    await chat.batches().nth(1).waitFor({ timeout: 60_000 });
    await ask("the third thing");
    await rebuilt().waitFor();
    await chat.frame
      .getByText(/Memory rebuilt: .*no longer has its session/)
      .waitFor();
    await ask("the fourth thing");
    const [, , full = "", last] = prompts(record("keeper"));
    assert.match(
      full,
      /^\[Conversation so far: 4 messages[\s\S]*the first thing[\s\S]*echo: the first thing[\s\S]*the second thing[\s\S]*\nthe third thing$/,
    );
    assert.equal(last, "the fourth thing");
    assert.deepEqual(opened("keeper").slice(2), ["resume", "new"]);
    assert.equal(await rebuilt().count(), 1);
  });

  it("I44: an agent with neither load nor resume gets everything after a restart, and only what is new while it lives", async () => {
    await begin("Forgetter");
    await ask("alpha");
    await ask("beta");
    await reload();
    await ask("gamma");
    await ask("delta");
    const [first = "", second, full = "", last] = prompts(record("forgetter"));
    // It takes no system prompt: what it has to know leads its first prompt.
    assert.match(
      first,
      /^\[System Context\]: You are reached through Turnline/,
    );
    assert.match(first, /\nalpha$/);
    assert.deepEqual([second, last], ["beta", "delta"]);
    assert.match(
      full,
      /Conversation so far[\s\S]*alpha[\s\S]*beta[\s\S]*echo: beta[\s\S]*\ngamma$/,
    );
    assert.deepEqual(opened("forgetter"), ["new", "new"]);
    await rebuilt().waitFor();
    assert.equal(await rebuilt().count(), 1);
  });

  it("I43: a resume that fails for now keeps the session and sends nothing; retried, it goes on", async () => {
    await begin("Shaky");
    await ask("one word");
    await reload();
    await chat.send("another word");
    const retry = chat.part("notice").getByRole("button", { name: "Retry" });
    await retry.waitFor({ timeout: 30_000 });
    assert.deepEqual(prompts(record("shaky")), ["one word"]);
    await chat.queues("another word");
    await retry.click();
    await chat.ended(2);
    assert.deepEqual(prompts(record("shaky")), ["one word", "another word"]);
    assert.deepEqual(opened("shaky"), ["new", "resume", "resume"]);
    assert.equal(await rebuilt().count(), 0);
  });

  it("a loaded session's replay is never shown twice", async () => {
    await begin("Loader");
    await ask("here we go");
    await reload();
    await ask("and on");
    assert.deepEqual(opened("loader"), ["new", "load"]);
    assert.deepEqual(prompts(record("loader")), ["here we go", "and on"]);
    assert.deepEqual(await chat.messages("agent").allInnerTexts(), [
      "echo: here we go",
      "echo: and on",
    ]);
  });

  it("I41: two agents in one thread, there and back, each told what it missed", async () => {
    const before = prompts(record("keeper")).length;
    await begin("Keeper");
    await ask("red");
    await choose("Other");
    await ask("green");
    await choose("Keeper");
    await ask("blue");
    await choose("Other");
    await ask("white");
    const keeper = prompts(record("keeper")).slice(before);
    const other = prompts(record("other"));
    assert.equal(keeper[0], "red");
    assert.match(other[0] ?? "", /red[\s\S]*echo: red[\s\S]*\ngreen$/);
    assert.match(
      keeper[1] ?? "",
      /^\[Transcript with "Other": 2 messages[\s\S]*green[\s\S]*\nblue$/,
    );
    assert.match(
      other[1] ?? "",
      /^\[Transcript with "Keeper": 2 messages[\s\S]*blue[\s\S]*\nwhite$/,
    );
    assert.equal(await rebuilt().count(), 1, "only the newcomer is told all");
  });

  it("a system prompt goes with the session, new or resumed", () => {
    const given = received(record("keeper"), /^session\/(new|resume)$/).map(
      ({ params }) => JSON.stringify(params["systemPrompt"] ?? null),
    );
    for (const text of given)
      assert.match(text, /Turnline.*Workspace folder: .*package\.json/);
  });
});
