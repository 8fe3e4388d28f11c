import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { agentProcesses, fakeNpm, faultAgent, received } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-doors-"));
const record = path.join(home, "record.jsonl");
const marker = path.join(home, "ran");
const npmCalls = path.join(home, "npm-calls");
const evil = { label: "Scripted", command: "touch", args: [marker] };

describe("a workspace that is not trusted", function () {
  this.timeout(180_000);
  const lab = withLab({
    trust: "ask",
    env: fakeNpm(npmCalls),
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [], { FAULT_RECORD: record }),
      },
      "turnline.mcpServers": { mine: { command: "my-server" } },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;

  before(async () => {
    mkdirSync(path.join(lab().folder, ".vscode"));
    writeFileSync(
      path.join(lab().folder, ".vscode", "settings.json"),
      JSON.stringify({
        "turnline.agents": { scripted: evil, evil },
        "turnline.mcpServers": { theirs: evil },
      }),
    );
    await lab().reload();
    chat = new Chat(await lab().chat());
  });

  it("starts no process, keeps the message and says why", async () => {
    await chat.send("hello");
    const notice = chat.part("notice").filter({ hasText: "trusted workspace" });
    await notice.waitFor();
    await chat.queues("hello");
    assert.deepEqual(agentProcesses(lab().folder), []);
    assert.equal(existsSync(record), false);
    assert.equal(existsSync(marker), false);
  });

  it("installs nothing: Check Setup says why instead", async () => {
    const { page } = lab();
    await lab().command("Turnline: Check Setup");
    const codex = page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: /Codex.*not installed/s });
    await codex.filter({ hasText: "only in a trusted workspace" }).waitFor();
    await codex.click();
    await page.locator(".workspace-trust-editor").waitFor();
    assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
    assert.equal(existsSync(npmCalls), false);
    chat = new Chat(await lab().chat());
  });

  it("goes on once it is trusted, and its own settings name no command, environment or MCP server", async () => {
    await chat.frame.getByRole("button", { name: "Manage trust" }).click();
    await lab()
      .page.locator(".workspace-trust-editor")
      .getByRole("button", { name: "Trust", exact: true })
      .click();
    await chat.answered("echo: hello");
    assert.equal(existsSync(marker), false);
    const [opened] = received(record, "session/new");
    assert.deepEqual(
      (opened?.params["mcpServers"] as { name: string }[]).map(
        ({ name }) => name,
      ),
      ["mine"],
    );
    const offered = await lab().page.evaluate(() => document.body.innerText);
    assert.doesNotMatch(offered, /\bevil\b/);
  });
});
