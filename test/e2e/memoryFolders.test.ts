import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { workbenchUrl } from "../lab/vscode/workbench.ts";
import { faultAgent, prompts, received } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-folders-"));
const record = path.join(home, "record.jsonl");
const [first, second] = [path.join(home, "first"), path.join(home, "second")];

describe("where agents work, in the real VS Code", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [], { FAULT_RECORD: record }),
      },
      "turnline.defaultAgent": "scripted",
    },
  });

  async function open(workspace?: string): Promise<Chat> {
    const url = new URL(workbenchUrl({ server: lab().server }));
    if (workspace !== undefined) {
      url.searchParams.delete("ew");
      url.searchParams.set("workspace", workspace);
    }
    await lab().page.goto(url.href);
    await lab().page.waitForSelector(".monaco-workbench .part.statusbar", {
      timeout: 60_000,
    });
    return new Chat(await lab().chat());
  }

  const opened = () =>
    received(record, "session/new").map(({ params }) => params);

  it("with no folder open, in an empty one, and the chat says so", async () => {
    const chat = await open();
    await chat.frame.getByText("No folder is open.").waitFor();
    await chat.send("anyone there?");
    await chat.ended(1);
    const [{ cwd, systemPrompt } = {}] = opened();
    assert.match(String(cwd), /no-folder$/);
    assert.match(JSON.stringify(systemPrompt), /No folder is open in VS Code/);
  });

  it("of several folders, which may come after the chat, in the first, told of the others; another can be chosen, with a new session that is told all", async () => {
    for (const folder of [first, second]) mkdirSync(folder);
    const file = path.join(home, "both.code-workspace");
    writeFileSync(
      file,
      JSON.stringify({ folders: [{ path: first }, { path: second }] }),
    );
    const chat = await open(file);
    await chat.send("in the first");
    await chat.ended(1);
    assert.deepEqual(
      opened()
        .slice(1)
        .map(({ cwd, additionalDirectories }) => [cwd, additionalDirectories]),
      [[first, [second]]],
    );
    await lab().command("Turnline: Choose the Thread's Folder...");
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "second" })
      .click();
    await chat.send("in the second");
    await chat.ended(2);
    assert.deepEqual(
      opened()
        .slice(2)
        .map(({ cwd, additionalDirectories }) => [cwd, additionalDirectories]),
      [[second, [first]]],
    );
    assert.match(
      prompts(record).at(-1) ?? "",
      /echo: in the first[\s\S]*\nin the second$/,
    );
    await chat.frame
      .getByText(/Memory rebuilt: .*session belongs to another folder/)
      .waitFor();
  });
});
