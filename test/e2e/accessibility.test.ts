import assert from "node:assert/strict";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { folderSettings } from "./folderSettings.ts";
import { withLab } from "./lab.ts";
import { inAllThemes } from "./themes.ts";

describe("for everyone", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [
          "--commands=plan,review",
          "--config",
        ]),
        nobody: { label: "Nobody", command: "no-such-agent-command" },
      },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.part("composer").waitFor();
  });

  const looked = (what: string): Promise<void> =>
    inAllThemes(lab().folder, chat.frame, {
      [what]: () => Promise.resolve(),
    });

  it("axe finds nothing wrong with the empty panel, in any kind of theme", () =>
    looked("empty"));

  it("axe finds nothing wrong with a thread at work, in any kind of theme", async () => {
    await chat.send(
      "**look** at `this` do:thought=hmm do:plan do:tool=ok do:tool=fail do:diff=src/cart.ts do:say=[a](https://example.test)+`b`+**c** do:usage=40,100",
    );
    await chat.ended(1);
    await chat.send("do:tool=open do:permission");
    await chat.part("permission").waitFor();
    await chat.send("and then this");
    await chat.send("/plan it");
    await chat.part("queue-item").nth(1).waitFor();
    for (const row of await chat.part("tool-call").locator("> button").all())
      if ((await row.getAttribute("aria-expanded")) === "false")
        await row.click();
    await chat.part("composer").fill("/");
    await chat.frame.getByRole("option").first().waitFor();
    await looked("working");
  });

  it("nothing moves where motion is reduced", async () => {
    const moving = (): Promise<number> =>
      chat.frame
        .locator("body")
        .evaluate(
          (body) =>
            body.ownerDocument
              .getAnimations()
              .filter(({ playState }) => playState === "running").length,
        );
    const { page, folder } = lab();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await chat.until(moving, (now) => now > 0);
    // By itself, without VS Code's word for it.
    folderSettings(folder, { "workbench.reduceMotion": "off" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await chat.until(moving, (now) => now === 0);
    await chat.frame.locator("body:not(.vscode-reduce-motion)").waitFor();
    assert.equal(await moving(), 0);
  });

  it("axe finds nothing wrong with an edited message, an open menu and what @ offers, in any kind of theme", async () => {
    await chat.part("composer").fill("");
    await chat.item("and then this").press("Enter");
    await chat.part("queue-edit-text").waitFor();
    await looked("edit");
    await chat.part("queue").getByRole("button", { name: "More" }).click();
    await chat.frame.getByRole("menuitem").first().waitFor();
    await looked("menu");
    await chat.frame.getByRole("menuitem").first().press("Escape");
    await chat.part("queue-edit-text").press("Escape");
    await chat.frame.locator('[data-testid="queue-item"]:focus').waitFor();
    await chat.part("composer").pressSequentially("@cart");
    await chat.part("mentions").waitFor();
    await looked("mentions");
  });

  it("axe finds nothing wrong with the list of threads, in any kind of theme", async () => {
    await chat.part("composer").fill("");
    await chat.frame.locator(".head-title").click();
    await chat.part("threads").waitFor();
    await looked("threads");
    await chat.frame.locator(".head-title").click();
  });

  it("axe finds nothing wrong with a find box over a code fence, in any kind of theme", async () => {
    await lab().command("Turnline: New Thread");
    await chat.part("empty").waitFor();
    await chat.send(
      'do:code=const+total:+number+=+sum("a",+1);+//+cents do:say=the+`total`',
    );
    await chat.ended(1);
    await chat.focused();
    const find = await chat.find();
    await find.fill("total");
    await chat.part("find-count").filter({ hasText: "1 of" }).waitFor();
    await looked("find and fence");
    await find.press("Escape");
  });

  it("axe finds nothing wrong with a form, in any kind of theme", async () => {
    await chat.send("do:elicit");
    await chat.part("elicitation").waitFor();
    await looked("form");
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
  });

  it("axe finds nothing wrong with an interrupted turn and what was restored, in any kind of theme", async () => {
    await chat.send("do:say=at+work do:silent");
    await chat.answered("at work");
    await chat.send("what waits");
    await chat.queues("what waits");
    await lab().reload();
    chat = new Chat(await lab().chat());
    await chat.batches("interrupted").first().waitFor();
    await chat.part("notice").first().waitFor();
    await looked("interrupted");
  });

  it("axe finds nothing wrong with a notice, in any kind of theme", async () => {
    await lab().command("Turnline: New Thread");
    await chat.focused();
    await lab().command("Turnline: Choose Agent");
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Nobody" })
      .click();
    await chat.part("agent-status").filter({ hasText: "Nobody" }).waitFor();
    await chat.send("hello");
    await chat.part("notice").first().waitFor();
    await looked("notice");
  });
});
