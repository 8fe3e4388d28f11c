import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { faultAgent, prompts, received, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { answerFileDialog } from "./fileDialog.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-history-"));
const sessions = path.join(home, "sessions");
const record = path.join(home, "record.jsonl");

describe("threads as things to keep", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", ["--page=1"], {
          FAULT_SESSIONS: sessions,
          FAULT_RECORD: record,
        }),
        plain: faultAgent("Plain", ["--plain"]),
      },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("remember the apples do:tool=ok do:say=three+apples");
    await chat.ended(1);
    await chat.send("and the pears");
    await chat.ended(2);
  });

  it("exports as Markdown", async () => {
    const file = path.join(lab().folder, "thread.md");
    await lab().command("Turnline: Export Thread as Markdown...");
    await answerFileDialog(lab().page, file);
    await until(() => existsSync(file));
    const text = readFileSync(file, "utf8");
    assert.match(text, /remember the apples/);
    assert.match(text, /three apples/);
  });

  it("exports, deletes and imports a thread without loss; importing again adds nothing", async () => {
    const file = path.join(lab().folder, "thread.jsonl");
    const before = await chat.frame
      .locator('[data-testid="message"]')
      .evaluateAll(places);
    await lab().command("Turnline: Export Thread...");
    await answerFileDialog(lab().page, file);
    await until(
      () =>
        existsSync(file) && readFileSync(file, "utf8").includes('"kind":"end"'),
    );
    await lab().command("Turnline: Delete Thread");
    await chat.batches().first().waitFor({ state: "detached" });
    await lab().command("Turnline: Import Thread...");
    await answerFileDialog(lab().page, file);
    await chat.ended(2);
    assert.deepEqual(
      await chat.frame.locator('[data-testid="message"]').evaluateAll(places),
      before,
    );
    await lab().command("Turnline: Import Thread...");
    await answerFileDialog(lab().page, file);
    await lab()
      .page.getByText("This thread was here already; nothing was added.")
      .first()
      .waitFor();
  });

  it("renames", async () => {
    await lab().command("Turnline: Rename Thread...");
    const input = lab().page.locator(".quick-input-widget input");
    await input.fill("Fruit");
    await input.press("Enter");
    await chat.frame.getByText("Fruit").first().waitFor();
  });

  it("forks from a turn's menu: a new thread up to there, which a new session is told", async () => {
    const foot = chat.batches().first().locator(".foot");
    await foot.hover();
    await foot.getByRole("button", { name: "Turn actions" }).click();
    await lab().picture("fork menu");
    await chat.frame.getByRole("menuitem", { name: "Fork from here" }).click();
    await chat.frame.getByText("Fruit (fork)").first().waitFor();
    assert.equal(await chat.batches().count(), 1);
    await chat.send("what do you remember?");
    await chat.ended(2);
    const told = prompts(record).at(-1) ?? "";
    assert.match(told, /three apples/);
    assert.doesNotMatch(told, /pears/);
  });

  it("forks by the palette; the newest turn of an agent that can is its own copy", async () => {
    await lab().command("Turnline: Fork into a New Thread...");
    const rows = lab().page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "what do you remember?" }).click();
    await until(() => received(record, "session/fork").length === 1);
    // Its own process starts with the first message.
    await chat.status("none").waitFor();
    await chat.ended(2);
    await chat.send("and now?");
    await chat.ended(3);
    assert.equal(prompts(record).at(-1), "and now?");
  });

  it("imports a session of the agent's own, and goes on in it", async () => {
    // The agent lists by id, a few at a time: this one comes before any that is drawn by lot.
    const id = "00000000-imported";
    const said = [
      { cwd: lab().folder },
      { role: "user", text: "count the plums" },
      { role: "agent", text: "seven plums" },
    ];
    writeFileSync(
      path.join(sessions, `${id}.jsonl`),
      said.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const rows = lab().page.locator(".quick-input-list .monaco-list-row");
    const bring = async (): Promise<void> => {
      await lab().command("Turnline: Import a Session of an Agent...");
      await rows.filter({ hasText: "Scripted" }).click();
      await rows.filter({ hasText: id.slice(0, 4) }).waitFor();
      await rows.filter({ hasText: "Load more" }).waitFor();
      await lab().picture("import a session");
      await rows.filter({ hasText: id.slice(0, 4) }).click();
    };
    await bring();
    await chat.answered("seven plums");
    assert.equal(await chat.batches().count(), 1);
    await chat.send("and the cherries");
    await chat.ended(2);
    assert.equal(prompts(record).at(-1), "and the cherries");
    const resumed = received(record, "session/resume").at(-1);
    assert.equal(resumed?.params["sessionId"], id);
    await bring();
    await lab()
      .page.getByText("This session is here already; nothing was added.")
      .first()
      .waitFor();
    assert.equal(await chat.batches().count(), 2);
  });

  it("says so when an agent tells of no sessions", async () => {
    await lab().command("Turnline: Import a Session of an Agent...");
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Plain" })
      .click();
    await lab()
      .page.getByText("Plain does not tell of its earlier sessions.")
      .first()
      .waitFor();
  });

  it("deletes all data of this workspace once that is confirmed", async () => {
    const files = (): readonly string[] =>
      globSync("data/User/workspaceStorage/*/turnline.turnline/turnline.db", {
        cwd: lab().data,
      });
    assert.equal(files().length, 1);
    await lab().command(
      "Turnline: Delete All Turnline Data of This Workspace...",
    );
    await lab().whileReloading(() =>
      lab()
        .page.locator(".monaco-dialog-box")
        .getByText("Delete", { exact: true })
        .click(),
    );
    chat = new Chat(await lab().chat());
    await chat.frame.getByText("Keep typing while it works").waitFor();
    assert.equal(await chat.batches().count(), 0);
  });

  it("deletes all data of every workspace once that is confirmed", async () => {
    await chat.send("soon gone");
    await chat.ended(1);
    await lab().command(
      "Turnline: Delete All Turnline Data of Every Workspace...",
    );
    await lab().whileReloading(() =>
      lab()
        .page.locator(".monaco-dialog-box")
        .getByText("Delete", { exact: true })
        .click(),
    );
    chat = new Chat(await lab().chat());
    await chat.frame.getByText("Keep typing while it works").waitFor();
    assert.equal(await chat.batches().count(), 0);
  });
});

const places = (rows: Element[]): (string | null)[] =>
  rows.map((row) => row.getAttribute("data-position"));
