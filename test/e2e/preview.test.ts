import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { faultAgent, received } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-preview-"));
const record = path.join(home, "record.jsonl");
const agent = (label: string): Record<string, unknown> =>
  faultAgent(label, [], {
    FAULT_RECORD: record,
    FAULT_SESSIONS: path.join(home, "sessions"),
  });

interface Written {
  readonly text?: string;
  readonly resource?: { readonly text: string };
}

/** The texts of each prompt the agents were really written, in order, those of embedded files included. */
function written(): readonly (readonly string[])[] {
  return received(record, "session/prompt").map(({ params }) =>
    (params["prompt"] as readonly Written[]).map(
      ({ text, resource }) => text ?? resource?.text ?? "",
    ),
  );
}

describe("previews", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { one: agent("One"), two: agent("Two") },
      "turnline.defaultAgent": "one",
      "turnline.userName": "alice",
      "turnline.context.nudges": ["Keep it short."],
      "turnline.context.budgetTokens": 2000,
      "[markdown]": { "editor.wordWrap": "off" },
    },
    size: { width: 1600, height: 1400 },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
  });

  /** The text of the editor in front, once it says what is waited for. */
  async function editor(title: string, says: RegExp): Promise<string> {
    const { page } = lab();
    await page
      .locator(".tab.active", { hasText: title })
      .waitFor({ timeout: 30_000 });
    const lines = page.locator(".editor-group-container .view-line");
    return chat.until(
      () =>
        lines.evaluateAll((found) =>
          found
            .map((line) => ({
              top: Number.parseFloat((line as HTMLElement).style.top),
              text: line.textContent.replaceAll("\u00a0", " "),
            }))
            .sort((a, b) => a.top - b.top)
            .map(({ text }) => text)
            .join("\n"),
        ),
      (text) => says.test(text),
    );
  }

  /** What stands in fences, in order. */
  function fenced(text: string): readonly string[] {
    return [...text.matchAll(/^```\n([\s\S]*?)\n```$/gmu)].map(
      ([, inside = ""]) => inside,
    );
  }

  async function whatWasSent(row: RegExp): Promise<string> {
    const { page } = lab();
    await lab().command("Turnline: Show What Was Sent...");
    await page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: row })
      .first()
      .click();
    return editor(
      "What was sent",
      new RegExp(`checked: its SHA-256[\\s\\S]*${row.source}`, "u"),
    );
  }

  it("the eye over the queue shows what the next turn will send, and why", async () => {
    await chat.send("do:chunks=100,100");
    await chat.status("busy").waitFor();
    await chat.send("and then this");
    await chat.send("and that");
    await chat.part("queue-item").nth(1).waitFor();
    await chat.part("queue-preview").click();
    const text = await editor("Next turn", /and that/);
    assert.match(text, /^# Next turn to One/);
    assert.match(
      text,
      /\*\*Delta\*\*, \d+ bytes, ≈ \d+ tokens\. The session remembers everything before this\./,
    );
    assert.match(text, /\| 1 \| Messages \| 2 \| \d+ bytes \| \d+ \|/);
    await chat.ended(2);
    const [, sent] = written();
    assert.deepEqual(fenced(text), sent, "what was foreseen is what was sent");
  });

  it("I54: what was sent is shown byte for byte, checked against its hash", async () => {
    const text = await whatWasSent(/and then this/);
    assert.deepEqual(fenced(text), written()[1]);
  });

  it("I54: also a full prompt, with the system prompt it began with and its fragments", async () => {
    await lab().command("Turnline: Choose Agent");
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Two" })
      .click();
    await chat.part("agent-status").filter({ hasText: "Two" }).waitFor();
    await chat.send("hello you");
    await chat.ended(3);
    const text = await whatWasSent(/hello you/);
    assert.match(text, /\*\*Full context\*\*/);
    const [system = "", ...blocks] = fenced(text);
    const given = JSON.stringify(received(record, "session/new").at(-1));
    assert.ok(given.includes(JSON.stringify(system).slice(1, -1)));
    assert.deepEqual(blocks, written().at(-1));
    assert.match(blocks[0] ?? "", /^\[System Context\]: Keep it short\./);
  });

  it("I54: what hangs on a draft is in the preview as it is then sent", async () => {
    const { page } = lab();
    const chooser = page.waitForEvent("filechooser");
    await chat.part("attach").click();
    await (
      await chooser
    ).setFiles({
      name: "a log.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("all of\nthe log\n"),
    });
    await chat.part("composer").pressSequentially("  look at it");
    await lab().command("Turnline: Preview Next Turn");
    const text = await editor("Next turn", /look at it[\s\S]*the log/);
    await chat.part("send").click();
    await chat.ended(4);
    assert.deepEqual(fenced(text), written().at(-1));
  });

  it("savings are estimates, and say so", async () => {
    await lab().command("Turnline: Show Savings");
    const text = await editor("Savings", /avoided/);
    assert.match(text, /≈ 1 turn avoided/);
  });

  it("I45: compaction lets a summary stand for the oldest turns, and can be undone", async () => {
    const bell = lab().page.locator('[id="status.notifications"]');
    const notified = lab().page.locator(
      ".notifications-center .notification-list-item",
    );
    await lab().command("Turnline: Reset the Agent's Session");
    await lab().command("Turnline: Preview Next Turn");
    const whole = await editor("Next turn", /session was reset/);
    assert.match(whole, /Conversation so far \| 9 /);
    await lab().command("Turnline: Compact History");
    await bell.click();
    const told = notified.filter({ hasText: "A summary of ≈" });
    await told.waitFor();
    await lab().command("Turnline: Show Savings");
    await lab().command("Turnline: Preview Next Turn");
    const short = await editor("Next turn", /Summary/);
    assert.match(short, /Digest of \d+ earlier exchange/);
    assert.doesNotMatch(short, /said by="One"/);
    if (!(await told.isVisible())) await bell.click();
    await told.getByRole("button", { name: "Undo" }).click();
    await lab().command("Turnline: Show Savings");
    await lab().command("Turnline: Preview Next Turn");
    assert.match(
      await editor("Next turn", /said by="One"/),
      /Conversation so far \| 9 /,
    );
  });
});
