import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { folderSettings } from "./folderSettings.ts";
import { withLab } from "./lab.ts";

const code = "do:code=const+made+=+1;";

describe("the transcript", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { scripted: faultAgent("Scripted") },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;
  const tab = (name: string): Locator =>
    lab().page.locator(".tab.active").filter({ hasText: name });
  const focusedIn = (selector: string): Promise<void> =>
    chat.frame
      .locator(`:is(${selector}):focus, :is(${selector}) :focus`)
      .first()
      .waitFor();

  before(async () => {
    chat = new Chat(await lab().chat());
    const file = path.join(lab().folder, "src/cart.ts");
    await chat.send(
      `look do:thought=because+of+this do:plan do:diff=${file} do:tool=ok ${code}`,
    );
    await chat.ended(1);
  });

  it("shows what was done: receipt, plan, thought with its duration, duration of the turn", async () => {
    assert.equal(
      await chat.messages("user").first().getAttribute("data-state"),
      "delivered",
    );
    await chat
      .messages("user")
      .first()
      .getByTitle(/^Delivered/)
      .first()
      .waitFor();
    const plan = chat.messages("plan");
    assert.equal(await plan.getByRole("listitem").count(), 2);
    assert.equal(
      await plan.locator("li.done").filter({ hasText: "Look" }).count(),
      1,
    );
    await chat.frame.getByLabel("Plan, 1 of 2 done").waitFor();
    const thought = chat.messages("thought").getByRole("button");
    assert.match(await thought.innerText(), /Thought for/);
    await thought.click();
    await chat.frame
      .locator(".thought-text")
      .filter({ hasText: "because of this" })
      .waitFor();
    await chat.batches("completed").getByText(/^Done/).waitFor();
  });

  it("opens changes, files and outputs in the editor", async () => {
    const edit = chat.part("tool-call").filter({ hasText: "Edit" });
    await edit.getByRole("button").first().click();
    await edit.locator(".diff .del").filter({ hasText: "old" }).waitFor();
    await edit.locator(".diff .add").filter({ hasText: "new" }).waitFor();
    await edit.getByTestId("open-diff").first().click();
    await tab("cart.ts (change)").waitFor();
    await lab().page.locator(".monaco-diff-editor").first().waitFor();
    const run = chat.part("tool-call").filter({ hasText: "Tool" });
    const icon = (card: Locator): Promise<string> =>
      card.locator(".tool-row .codicon").first().innerHTML();
    assert.notEqual(await icon(edit), await icon(run));
    await run.getByRole("button").first().click();
    writeFileSync("/tmp/file.txt", "1\n2\n3\n");
    await run.getByTestId("location").click();
    await tab("file.txt").waitFor();
    await lab()
      .page.locator('[id="status.editor.selection"]')
      .filter({ hasText: "Ln 3" })
      .waitFor();
  });

  it("copies code, opens it as a file and puts it at the cursor", async () => {
    const block = chat.messages("agent").locator(".code").first();
    await block.locator(".hljs-keyword").filter({ hasText: "const" }).waitFor();
    await block.getByRole("button", { name: "Copy" }).click();
    await chat.part("live-polite").filter({ hasText: "Copied" }).waitFor();
    assert.equal(
      await lab().page.evaluate(() => navigator.clipboard.readText()),
      "const made = 1;\n",
    );
    await block.getByRole("button", { name: "Open as file" }).click();
    await tab("Untitled").waitFor();
    await lab()
      .page.locator(".view-line")
      .filter({ hasText: "const made = 1;" })
      .first()
      .waitFor();
    await block.getByRole("button", { name: "Insert at cursor" }).click();
    await chat.until(
      () =>
        lab()
          .page.locator(".view-line")
          .filter({ hasText: "const made" })
          .count(),
      (now) => now >= 2,
    );
  });

  it("opens a change that is asked about and does not fit its card", async () => {
    const { page } = lab();
    await chat.send("do:permitdiff=src/long.ts,900");
    const card = chat.part("permission");
    await chat
      .part("live-assertive")
      .filter({ hasText: "Permission asked" })
      .waitFor();
    const whole = card.getByTestId("open-diff-whole");
    await whole.waitFor();
    await lab().picture("a long change to allow");
    await page.keyboard.press("Alt+p");
    await focusedIn('[data-testid="permission"]');
    await whole.focus();
    await page.keyboard.press("Enter");
    await tab("long.ts (change)").waitFor();
    await page
      .locator(".monaco-diff-editor .view-line")
      .filter({ hasText: "a line" })
      .first()
      .waitFor();
    assert.equal(await card.count(), 1);
    await card.locator('[data-kind="reject_once"]').click();
    await chat.answered("chose reject-once");
    await chat.ended(2);
  });

  it("answers a question by keyboard alone, and leaves the focus where it was", async () => {
    const { page } = lab();
    await chat.send("do:permission=allow_once,reject_once");
    await chat.part("permission").waitFor();
    // A question takes no focus, and typing does not answer it.
    await chat.focused();
    await page.keyboard.type("1");
    assert.equal(await composerText(chat), "1");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Alt+p");
    await focusedIn('[data-testid="permission"]');
    await page.keyboard.press("1");
    await chat.answered("chose allow-once");
    await chat.ended(3);
    await chat.focused();
  });

  it("goes around its parts by F6 and finds by Ctrl+F, also right after an editor had the keyboard", async () => {
    const { page } = lab();
    await chat.send("do:silent");
    await chat.status("busy").waitFor();
    await chat.send("waits");
    await chat.part("queue-item").waitFor();
    await page.locator(".editor-group-container .monaco-editor").last().click();
    await page.locator(".monaco-editor.focused").first().waitFor();
    await chat.part("composer").click();
    await (await chat.find()).press("Escape");
    await chat.focused();
    for (const region of [".head", ".log", ".queue", ".composer"]) {
      await page.keyboard.press("F6");
      await focusedIn(region);
    }
    for (const region of [".queue", ".log", ".head", ".composer"]) {
      await page.keyboard.press("Shift+F6");
      await focusedIn(region);
    }
    await chat.part("queue-item").press("Delete");
    await chat.part("stop").click();
    await chat.ended(1, "cancelled");
  });

  it("moves nothing where the editor is to move nothing", async () => {
    await lab().page.emulateMedia({ reducedMotion: "no-preference" });
    await chat.frame.locator("body:not(.vscode-reduce-motion)").waitFor();
    folderSettings(lab().folder, { "workbench.reduceMotion": "on" });
    await chat.frame.locator("body.vscode-reduce-motion").waitFor();
    await chat.send("do:late=3000");
    await chat.status("busy").waitFor();
    const moving = await chat.frame
      .locator("body")
      .evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
    await chat.done("do:late=3000");
    await lab().page.emulateMedia({ reducedMotion: "reduce" });
  });

  it("shows a tool's output on demand, and how long it took and what became of it", async () => {
    const long = path.join(lab().folder, "long.json");
    writeFileSync(
      long,
      JSON.stringify([
        {
          sessionUpdate: "tool_call",
          toolCallId: "long",
          title: "Long output",
          status: "completed",
          content: [
            {
              type: "content",
              content: { type: "text", text: "y\n".repeat(15_000) },
            },
          ],
        },
      ]),
    );
    await chat.send(`do:tool=silent,1200 do:tool=fail do:updates=${long}`);
    const turn = await chat.done("do:tool=silent");
    await turn
      .locator(".foot")
      .getByText(/^Done in \d/)
      .waitFor();
    const card = (n: number): Locator => turn.getByTestId("tool-call").nth(n);
    await card(0)
      .getByText(/^\d\.\d s$/)
      .waitFor();
    await card(0)
      .getByRole("img", { name: /^Done in/ })
      .waitFor();
    assert.equal(await card(0).locator(".term").count(), 0);
    await card(0).getByRole("button").first().click();
    await card(0).locator(".term").filter({ hasText: "result" }).waitFor();
    await card(1).getByRole("img", { name: "Failed" }).waitFor();
    await card(1).locator(".term").filter({ hasText: "result" }).waitFor();
    await card(2).getByRole("button").first().click();
    await card(2).getByTestId("open-output").click();
    await tab("output.txt").waitFor();
  });

  it("fits 200 px and 200 % zoom", async () => {
    for (const zoom of [1, 2]) {
      const wide = await chat.frame.locator("body").evaluate((body, factor) => {
        body.style.width = "200px";
        body.style.zoom = String(factor);
        const out = [...body.querySelectorAll<HTMLElement>("main, main *")]
          .filter((one) => {
            const box = one.closest(".diff, .term, pre, .sr, table");
            const { right, width } = one.getBoundingClientRect();
            return box === null && width > 0 && right > 200 * factor + 1;
          })
          .map((one) => `${one.tagName}.${one.className}`);
        return out.slice(0, 10);
      }, zoom);
      await lab().picture(`narrow-${zoom}`);
      assert.deepEqual(wide, []);
    }
    await chat.frame.locator("body").evaluate((body) => {
      body.removeAttribute("style");
    });
  });
});

const composerText = (chat: Chat): Promise<string> =>
  chat.part("composer").inputValue();
