import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

describe("several threads at once", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { scripted: faultAgent("Scripted") },
      "turnline.defaultAgent": "scripted",
      "turnline.notifications": "all",
    },
  });
  let chat: Chat;
  const row = (title: string): Locator =>
    chat.part("thread").filter({ hasText: title });
  const marked = (title: string, mark: string): Locator =>
    chat.frame
      .locator(`[data-testid="thread"][data-mark="${mark}"]`)
      .filter({ hasText: title });
  const openList = (): Promise<void> =>
    chat.frame.locator(".head-title").click();
  /** Among all that VS Code has to tell, also what is no longer on top. */
  const told = async (text: string | RegExp): Promise<Locator> => {
    await lab().command("Notifications: Show Notifications");
    const found = lab()
      .page.locator(".notifications-center .notification-list-item")
      .filter({ hasText: text });
    await found.waitFor();
    return found;
  };
  const badge = (): Locator =>
    lab().page.locator(
      ".part.auxiliarybar .composite-bar .badge-content, .part.auxiliarybar .badge-content",
    );
  const begin = async (text: string): Promise<void> => {
    await lab().command("Turnline: New Thread");
    await chat.part("batch").first().waitFor({ state: "detached" });
    await chat.send(text);
    await chat.part("batch").first().waitFor();
  };

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("alpha asks do:late=6000 do:permission do:say=many+thanks");
    await chat.status("busy").waitFor();
    await begin("beta ends do:late=8000 do:say=ready");
    await begin("gamma runs on do:say=still do:silent");
    await chat.status("busy").waitFor();
  });

  it("shows each at work, which needs the user, and what ended unseen", async () => {
    await openList();
    await marked("alpha", "needsYou").waitFor();
    await marked("gamma", "working").waitFor();
    await marked("beta", "unread").waitFor();
    await row("beta").getByText("done in").waitFor();
    assert.equal(await row("alpha").locator("b").count(), 1);
    await row("alpha").getByTitle("Needs you").first().waitFor();
    await row("beta").getByRole("img", { name: "Unread" }).waitFor();
    await badge().first().filter({ hasText: "1" }).waitFor();
    await lab().picture("threads");
  });

  it("tells once of each thread one does not look at, and goes there", async () => {
    await told(/"beta ends.*" is done after/);
    assert.equal(
      await lab()
        .page.locator(".notification-list-item")
        .filter({ hasText: "gamma" })
        .count(),
      0,
    );
    const asks = await told(/"alpha asks.*" needs you/);
    await lab().picture("notifications");
    await asks.click();
    await asks.getByText("Show", { exact: true }).click();
    await chat.frame.locator(".ask").waitFor();
    await lab().command("Notifications: Clear All Notifications");
    await chat.part("permission-option").first().click();
    await chat.answered("many thanks");
    await badge().first().waitFor({ state: "hidden" });
  });

  it("finds by title and by what was said, and opens the chat there", async () => {
    await openList();
    const search = chat.frame.locator(".threads input");
    await search.fill("many thanks");
    await chat.part("thread").first().waitFor({ state: "detached" });
    await chat
      .part("thread-text")
      .filter({ hasText: "many thanks" })
      .first()
      .click();
    await chat.frame.locator(".batch:focus").waitFor();
    await openList();
    await search.fill("BETA");
    await chat.until(
      () => chat.part("thread").count(),
      (count) => count === 1,
    );
    await search.press("ArrowDown");
    await lab().page.keyboard.press("Enter");
    await chat.answered("ready");
    await openList();
    await marked("beta", "none").waitFor();
  });

  it("renames, archives, deletes and takes back by keyboard and by mouse", async () => {
    await row("beta").hover();
    await row("beta").getByRole("button", { name: "Rename" }).click();
    await chat.part("thread-rename").fill("Beta by mouse");
    await lab().page.keyboard.press("Enter");
    await row("Beta by mouse").locator(".thread-open:focus").waitFor();
    await lab().page.keyboard.press("F2");
    await chat.part("thread-rename").fill("Second");
    await lab().page.keyboard.press("Enter");
    await row("Second").locator(".thread-open:focus").waitFor();
    await lab().page.keyboard.press("a");
    await chat.frame.locator(".label", { hasText: "Archived" }).waitFor();
    await row("Second").locator(".thread-open:focus").waitFor();
    await row("Second").hover();
    await row("Second").getByRole("button", { name: "Unarchive" }).click();
    await chat.frame
      .locator(".label", { hasText: "Archived" })
      .waitFor({ state: "detached" });
    await row("Second").locator(".thread-open").focus();
    await lab().page.keyboard.press("Delete");
    await chat.frame.locator('[data-testid="thread-undo"]:focus').waitFor();
    await lab().picture("thread deleted");
    assert.equal(await row("Second").count(), 0);
    await lab().page.keyboard.press("Enter");
    await row("Second").locator(".thread-open:focus").waitFor();
    await row("gamma").hover();
    await row("gamma").getByRole("button", { name: "Delete" }).click();
    await row("gamma").waitFor({ state: "detached" });
    await chat.part("thread-undo").click();
    await marked("gamma", "interrupted").waitFor();
  });

  it("keeps what is unread over a reload, and counts a hidden chat as not looked at", async () => {
    await lab().page.keyboard.press("Escape");
    await begin("delta ends do:late=6000 do:say=unseen");
    await begin("epsilon runs on do:say=still do:silent");
    await lab().command("View: Toggle Secondary Side Bar Visibility");
    await told(/"delta ends.*" is done after/);
    await lab().command("Notifications: Clear All Notifications");
    await lab().reload();
    chat = new Chat(await lab().chat());
    await chat.answered("still");
    await openList();
    await marked("delta", "unread").waitFor();
    await marked("epsilon", "interrupted").waitFor();
    await row("delta").click();
    await chat.answered("unseen");
    await openList();
    await marked("delta", "none").waitFor();
  });
});
