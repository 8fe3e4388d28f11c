import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { faultAgent, prompts, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { answerFileDialog } from "./fileDialog.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-palette-"));
const record = path.join(home, "record.jsonl");

describe("from the editor and the palette into the chat", function () {
  this.timeout(180_000);
  const lab = withLab({
    builtins: true,
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [], { FAULT_RECORD: record }),
      },
      "turnline.defaultAgent": "scripted",
      "turnline.prompts.explain": "Tell me what this is:",
    },
  });
  let chat: Chat;
  const rows = (): Locator =>
    lab().page.locator(".quick-input-list .monaco-list-row");
  const draft = (will: (text: string) => boolean): Promise<string> =>
    chat.until(() => chat.part("composer").inputValue(), will);
  const emptied = async (): Promise<void> => {
    await chat.part("composer").fill("");
  };
  const editor = (): Locator =>
    lab().page.locator(".editor-instance .view-lines").first();
  /** Asks again while something else still takes the focus, which closes the list. */
  const openFile = async (name: string): Promise<void> => {
    const { page } = lab();
    for (let tries = 0; tries < 10; tries++)
      try {
        await page.keyboard.press("Control+P");
        await page
          .locator(".quick-input-widget input")
          .fill(name, { timeout: 2_000 });
        await rows()
          .filter({ hasText: name })
          .first()
          .click({ timeout: 3_000 });
        break;
      } catch {
        await page.keyboard.press("Escape");
      }
    await page.locator(".tab.active").filter({ hasText: name }).waitFor();
    await page.locator(".monaco-editor.focused").waitFor();
  };
  const selectAll = async (): Promise<void> => {
    const selected = lab().page.locator(".monaco-editor .selected-text");
    // A key before the editor listens is lost, and a chat that has just opened may take the focus back.
    await chat.until(
      async () => {
        await lab().page.locator(".monaco-editor .view-lines").first().click();
        await lab().page.keyboard.press("Control+a");
        return selected.count();
      },
      (count) => count > 0,
    );
  };

  before(async () => {
    execFileSync("git", ["init", "-q"], { cwd: lab().folder });
    chat = new Chat(await lab().chat());
    await openFile("cart.ts");
  });

  it("adds the selection to the composer, by command and by key", async () => {
    await selectAll();
    await lab().command("Turnline: Add Selection to Chat");
    assert.match(
      await draft((text) => text.includes("```")),
      /src\/cart\.ts:1-\d+\n```typescript\n/,
    );
    await emptied();
    await editor().click();
    await lab().page.keyboard.press("Control+Home");
    await lab().page.keyboard.press("Control+k");
    await lab().page.keyboard.press("a");
    assert.match(await draft((text) => text !== ""), /^src\/cart\.ts:1\n/);
    await emptied();
  });

  it("adds a file, the problems and the changes, and says why when there are none", async () => {
    await editor().click();
    await lab().command("Turnline: Add File to Chat");
    assert.equal((await draft((text) => text !== "")).trim(), "@src/cart.ts");
    await emptied();
    await lab().command("Turnline: Add Problems to Chat");
    await lab().page.getByText("There are no problems.").first().waitFor();
    await lab().command("Turnline: Add Git Changes to Chat");
    assert.match(
      await draft((text) => text !== ""),
      /Not tracked yet: src\/cart\.ts/,
    );
    await emptied();
    await lab().command("Terminal: Create New Terminal");
    await lab()
      .page.locator(".terminal-wrapper .xterm")
      .first()
      .waitFor({ state: "attached" });
    await lab().command("Turnline: Add Terminal Selection to Chat");
    await lab()
      .page.getByText("Nothing is selected in the terminal.")
      .first()
      .waitFor();
  });

  it("asks about the selection with a prompt from the settings", async () => {
    await openFile("cart.ts");
    for (const [n, [title, prompt]] of [
      ["Turnline: Explain Selection", "Tell me what this is:"],
      ["Turnline: Fix Selection", "Find and fix what is wrong here."],
      ["Turnline: Write Tests for Selection", "Write tests for this code."],
      ["Turnline: Document Selection", "Document this code."],
    ].entries()) {
      await selectAll();
      await lab().command(title ?? "");
      await until(() => prompts(record).length === n + 1);
      const said = prompts(record).at(-1) ?? "";
      assert.ok(said.includes(prompt ?? ""), said);
      assert.match(said, /src\/cart\.ts:1-\d+/);
      await chat.status("ready").waitFor();
    }
  });

  it("offers to fix a problem where the problem is", async () => {
    writeFileSync(path.join(lab().folder, "broken.json"), '{ "a": 1, }\n');
    await openFile("broken.json");
    const problem = lab().page.locator(".squiggly-error, .squiggly-warning");
    await problem.first().waitFor({ timeout: 30_000 });
    const fix = lab().page.getByText("Fix with Turnline").first();
    // A menu asked for while the language server still thinks about it closes again.
    for (let tries = 0; tries < 6 && !(await fix.isVisible()); tries++) {
      for (const key of ["Escape", "Control+End", "F8", "Control+."])
        await lab().page.keyboard.press(key);
      await fix.waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
    const before = prompts(record).length;
    await fix.click();
    await until(() => prompts(record).length > before);
    assert.match(prompts(record).at(-1) ?? "", /broken\.json:1/);
    await lab().page.keyboard.press("Escape");
    await lab().command("Turnline: Add Problems to Chat");
    assert.match(await draft((text) => text !== ""), /broken\.json/);
    await emptied();
  });

  it("offers them in the menus of an editor and of a file, by short names", async () => {
    const { page } = lab();
    const item = (name: string): Locator =>
      page.locator(".monaco-menu .action-label").getByText(name, {
        exact: true,
      });
    await editor().click({ button: "right" });
    await item("Turnline").hover();
    await item("Explain Selection").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page
      .locator(".explorer-folders-view .monaco-list-row")
      .filter({ hasText: "package.json" })
      .click({ button: "right" });
    // A menu takes no click in its first instants: it may be the one that opened it.
    await item("Add File to Chat").hover();
    await page.keyboard.press("Enter");
    assert.equal((await draft((text) => text !== "")).trim(), "@package.json");
    await emptied();
  });

  it("switches, archives and finds threads again; shows the log; goes to the chat by key", async () => {
    await lab().command("Turnline: New Thread");
    await chat.part("batch").first().waitFor({ state: "detached" });
    await chat.send("a second thread");
    await chat.ended(1);
    await lab().command("Turnline: Switch Thread...");
    await rows().filter({ hasText: "Tell me" }).first().click();
    await chat
      .messages("user")
      .filter({ hasText: "cart.ts" })
      .first()
      .waitFor();
    await lab().command("Turnline: Archive Thread or Bring It Back");
    await chat.frame.locator(".head-title").click();
    await chat.frame.getByText("Archived", { exact: true }).waitFor();
    await chat.frame.locator(".head-title").click();
    await lab().command("Turnline: Show Log");
    await lab().page.locator(".part.panel .output-view").waitFor();
    await editor().click();
    await lab().page.keyboard.press("Control+k");
    await lab().page.keyboard.press("l");
    await chat.focused();
  });

  it("inspects a turn, copies and exports it, and tries it again from there", async () => {
    await lab().command("Turnline: New Thread");
    await chat.part("batch").first().waitFor({ state: "detached" });
    await chat.send("break please do:error");
    await chat.ended(1, "failed");
    await lab().command("Turnline: Inspect Turn");
    await editor().filter({ hasText: "Messages: 1" }).waitFor();
    await lab().command("Turnline: Copy Turn");
    await chat.until(
      () => lab().page.evaluate(() => navigator.clipboard.readText()),
      (copied) => copied.includes("break please"),
    );
    const file = path.join(lab().folder, "turn.json");
    await lab().command("Turnline: Export Turn...");
    await answerFileDialog(lab().page, file);
    await until(() => existsSync(file) && readFileSync(file).length > 0);
    const exported = JSON.parse(readFileSync(file, "utf8")) as {
      readonly status: string;
      readonly prompts: readonly { readonly blocks: unknown }[];
      readonly records: readonly unknown[];
    };
    assert.equal(exported.status, "failed");
    assert.ok(JSON.stringify(exported.prompts).includes("break please"));
    assert.ok(exported.records.length >= 3);
    const before = prompts(record).length;
    await lab().command("Turnline: Retry This Turn");
    await until(() => prompts(record).length > before);
    await chat.ended(2, "failed");
  });
});
