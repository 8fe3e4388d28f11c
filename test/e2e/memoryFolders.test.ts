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

  /** Nothing, a workspace by its file, or a folder. */
  async function open(what?: string): Promise<Chat> {
    const url = new URL(workbenchUrl({ server: lab().server }));
    if (what !== undefined) {
      url.searchParams.delete("ew");
      const kind = what.endsWith(".code-workspace") ? "workspace" : "folder";
      url.searchParams.set(kind, what);
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

  it("threads of a folder are brought along when it is opened by itself, and stay where they were", async () => {
    const chat = await open(first);
    assert.equal(await chat.part("batch").count(), 0);
    // VS Code shows no toasts to its own test driver; the bell has them all.
    await lab().page.locator('[id="status.notifications"]').click();
    await lab()
      .page.locator(".notifications-center .notification-list-item")
      .filter({ hasText: "Turnline knows threads of this folder" })
      .getByRole("button", { name: "Bring Them Here" })
      .click();
    await chat.frame.locator(".head-title").click();
    await chat.frame
      .locator("[data-thread]")
      .filter({ hasText: "in the first" })
      .first()
      .click();
    await chat
      .messages("user")
      .filter({ hasText: "in the second" })
      .first()
      .waitFor();
    const before = await open(path.join(home, "both.code-workspace"));
    await before
      .messages("user")
      .filter({ hasText: "in the second" })
      .first()
      .waitFor();
  });
});
