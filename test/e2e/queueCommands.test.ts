import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { recordingAgent, prompts, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("the queue, from the palette", function () {
  this.timeout(120_000);
  const lab = withLab({ settings });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.focused();
  });

  const rows = (): Locator =>
    lab().page.locator(".quick-input-list .monaco-list-row");
  const pick = async (title: string, text: string): Promise<void> => {
    await lab().command(`Turnline: ${title}`);
    await rows().filter({ hasText: text }).first().click();
  };
  const offers = async (title: string): Promise<boolean> => {
    await lab().page.keyboard.press("F1");
    await lab()
      .page.locator(".quick-input-widget input")
      .fill(`>Turnline: ${title}`);
    await rows().first().waitFor();
    const found = await rows().locator(".label-name").allInnerTexts();
    await lab().page.keyboard.press("Escape");
    return found.includes(`Turnline: ${title}`);
  };
  /** VS Code shows no toasts to its own test driver; the bell has them all. */
  const notified = async (text: string): Promise<Locator> => {
    const bell = lab().page.locator('[id="status.notifications"]');
    const found = lab()
      .page.locator(".notifications-center .notification-list-item")
      .filter({ hasText: text })
      .first();
    const centre = lab().page.locator(".notifications-center.visible");
    if (!(await centre.isVisible())) await bell.click();
    await found.waitFor();
    return found;
  };
  const about = [
    "Stop the Running Turn",
    "Hold the Queue",
    "Send the Queue Now",
    "Move a Queued Message Up...",
    "Reset the Agent's Session",
  ];

  it("offers only what there is something to do about", async () => {
    for (const title of about) assert.equal(await offers(title), false, title);
    await chat.send("do:say=at+work do:silent");
    await chat.answered("at work");
    for (const text of ["one", "two", "three"]) await chat.send(text);
    await chat.queues("one", "two", "three");
    for (const title of about) assert.equal(await offers(title), true, title);
    assert.equal(await offers("Resume the Queue"), false);
    assert.equal(await offers("Retry the Interrupted Turn"), false);
  });

  it("moves, separates, edits and removes what is picked", async () => {
    await pick("Move a Queued Message Up...", "3: three");
    await chat.queues("one", "three", "two");
    await pick("Move a Queued Message Down...", "1: one");
    await chat.queues("three", "one", "two");
    await pick("Separate a Queued Message or Join It Again...", "1: three");
    await chat
      .item("three")
      .and(chat.frame.locator("[data-separate=true]"))
      .waitFor();
    await pick("Edit a Queued Message...", "2: one");
    const box = chat.frame.locator('[data-testid="queue-edit-text"]:focus');
    await box.waitFor();
    await box.fill("one more");
    await box.press("Enter");
    await chat.queues("three", "one more", "two");
    await pick("Remove a Queued Message...", "3: two");
    await chat.queues("three", "one more");
    const removed = await notified("Removed 1 message");
    await removed.getByText("Restore", { exact: true }).click();
    await chat.queues("three", "one more", "two");
  });

  it("holds, clears with Restore, and resumes", async () => {
    await lab().command("Turnline: Hold the Queue");
    await chat.part("queue").getByText("On hold").waitFor();
    await lab().command("Turnline: Stop the Running Turn and Clear the Queue");
    await chat.batches("cancelled").first().waitFor();
    await chat.queues();
    await lab().command("Turnline: Restore Removed Messages...");
    await rows().filter({ hasText: "three" }).first().click();
    await rows().filter({ hasText: "two" }).first().click();
    await lab().page.keyboard.press("Enter");
    await chat.queues("three", "two");
    const before = prompts(record).length;
    await lab().command("Turnline: Resume the Queue");
    await until(() => prompts(record).length === before + 2);
    assert.deepEqual(prompts(record).slice(before), ["three", "two"]);
  });

  it("sends one now, then all", async () => {
    await chat.status("ready").waitFor();
    await chat.send("do:say=busy do:silent");
    await chat.answered("busy");
    for (const text of ["later do:silent", "urgent do:silent"])
      await chat.send(text);
    await chat.queues("later do:silent", "urgent do:silent");
    const before = prompts(record).length;
    await pick("Send a Queued Message Now...", "urgent");
    await until(() => prompts(record).length === before + 1);
    await chat.queues("later do:silent");
    await lab().command("Turnline: Send the Queue Now");
    await until(() => prompts(record).length === before + 2);
    assert.deepEqual(prompts(record).slice(before), [
      "urgent do:silent",
      "later do:silent",
    ]);
    await lab().command("Turnline: Stop the Running Turn");
    await chat.status("ready").waitFor();
  });

  it("retries, continues and discards the last turn that did not end well", async () => {
    const before = prompts(record).length;
    await lab().command("Turnline: Continue the Stopped Turn");
    await until(() => prompts(record).length === before + 1);
    await chat.status("ready").waitFor();
    await lab().command("Turnline: Retry the Interrupted Turn");
    await notified("No turn of this thread was interrupted");
    await chat.send("do:say=about+to+die do:die");
    await chat.batches("failed").first().waitFor();
    await chat.status("none").waitFor();
    await lab().command("Turnline: Retry the Interrupted Turn");
    await chat.batches("failed").nth(1).waitFor();
    await lab().command("Turnline: Discard the Interrupted Turn");
    await chat.until(
      () => chat.frame.locator('[data-action="discard"]').count(),
      (count) => count === 0,
    );
  });

  it("resets the session: the agent begins anew, the history stays", async () => {
    await lab().command("Turnline: New Thread");
    await chat.until(
      () => chat.batches().count(),
      (count) => count === 0,
    );
    await chat.send("keep this in mind");
    await chat.ended(1);
    await lab().command("Turnline: Reset the Agent's Session");
    await notified("begins anew");
    assert.equal(await chat.batches().count(), 1);
    await chat.send("still there?");
    await chat.ended(2);
    await chat.frame
      .getByText(/Memory rebuilt/)
      .first()
      .waitFor();
    assert.match(
      prompts(record).at(-1) ?? "",
      /keep this in mind[^]*still there/,
    );
  });
});
