import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  agentProcesses,
  recordingAgent,
  killExtensionHost,
  prompts,
  until,
} from "./agents.ts";
import { migrations } from "../../src/history/schema.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("history in the real VS Code", function () {
  this.timeout(180_000);
  const lab = withLab({ settings });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("first");
    await chat.ended(1);
  });

  it("I7: a second tab reads, says so, and takes over when the first is closed", async () => {
    const first = lab().page;
    const second = await lab().open();
    const other = new Chat(await lab().chat(second));
    await other.ended(1);
    await other.frame
      .getByText(/Another window has this workspace open/)
      .waitFor();
    await lab().command(
      "Turnline: Delete All Turnline Data of This Workspace...",
    );
    await second.getByText(/Nothing was deleted\. Another window/).waitFor();
    assert.ok(existsSync(database()));
    await first.goto("about:blank");
    await other.frame
      .getByText(/Another window has this workspace open/)
      .waitFor({ state: "detached", timeout: 60_000 });
    await other.send("second");
    await other.answered("echo: second");
    await other.ended(2);
    await first.close();
    chat = other;
  });

  it("I1: what was accepted is there after the browser was killed in mid-turn, and a lost window strands nothing", async () => {
    await chat.send("do:say=half+an+answer do:silent");
    await chat.answered("half an answer");
    await chat.send("typed meanwhile");
    await chat.part("queue-item").first().waitFor();
    await lab().crashBrowser();
    chat = new Chat(await lab().chat());
    await chat.batches("interrupted").first().waitFor({ timeout: 60_000 });
    await chat
      .part("queue-item")
      .filter({ hasText: "typed meanwhile" })
      .waitFor();
    await said("Restored 1 message. Nothing was sent.");
    assert.equal(
      prompts(record).filter((text) => text.includes("typed meanwhile")).length,
      0,
    );
    await chat.frame.getByRole("button", { name: "Go on" }).click();
    await chat.answered("echo: typed meanwhile");
    await until(() => agentProcesses(lab().folder).length === 1);
  });

  it("I1: what was accepted is there after the extension host was killed in mid-turn", async () => {
    const batches = await chat.batches().count();
    await chat.send("do:say=seen do:silent");
    await chat.answered("seen");
    await chat.send("after the crash");
    await chat.part("queue-item").first().waitFor();
    killExtensionHost(lab());
    await lab().reload();
    chat = new Chat(await lab().chat());
    await chat.batches().nth(batches).waitFor({ timeout: 60_000 });
    const last = chat.batches().last();
    assert.equal(await last.getAttribute("data-status"), "interrupted");
    assert.equal(
      await last
        .locator('[data-testid="message"][data-role="user"]')
        .getAttribute("data-state"),
      "seenAborted",
    );
    assert.match(await last.innerText(), /seen/);
    await chat
      .part("queue-item")
      .filter({ hasText: "after the crash" })
      .waitFor();
    await until(() => agentProcesses(lab().folder).length === 0);
    await chat.frame.getByRole("button", { name: "Go on" }).click();
    await chat.answered("echo: after the crash");
  });

  /** Closes the window and waits until its record is closed too. */
  async function closed(): Promise<void> {
    await lab().closeWindow();
    await until(() => agentProcesses(lab().folder).length === 0);
    const names = (): readonly string[] =>
      readdirSync(path.dirname(database()));
    await until(() => !names().some((name) => name.endsWith("-wal")));
  }

  const database = (n = 1): string => {
    const [folder] = globSync(
      "data/User/workspaceStorage/*/turnline.turnline",
      {
        cwd: lab().data,
      },
    );
    assert.ok(folder);
    const name = n === 1 ? "turnline.db" : `turnline-${n}.db`;
    return path.join(lab().data, folder, name);
  };

  async function reopened(): Promise<void> {
    await lab().open();
    chat = new Chat(await lab().chat());
  }

  const said = (text: string): Promise<void> =>
    chat.part("notice").filter({ hasText: text }).first().waitFor();

  let whole: Buffer;

  it("I8: a damaged database is left as it is, and new threads still work", async () => {
    await closed();
    whole = readFileSync(database());
    const damaged = Buffer.from(whole).fill(0x5a, 0, 4096);
    writeFileSync(database(), damaged);
    await reopened();
    await said("was left as it is");
    assert.deepEqual(readFileSync(database()), damaged);
    await chat.send("a new beginning");
    await chat.answered("echo: a new beginning");
    assert.deepEqual(readFileSync(database()), damaged);
  });

  it("I8: so is an empty one, and one of a newer Turnline", async () => {
    await closed();
    writeFileSync(database(), "");
    versionOf(database(2), 99);
    const newer = readFileSync(database(2));
    await reopened();
    await said("A history of a newer Turnline was left as it is.");
    await said("A history that could not be read was left as it is.");
    await chat.send("once more");
    await chat.answered("echo: once more");
    assert.equal(readFileSync(database()).length, 0);
    assert.deepEqual(readFileSync(database(2)), newer);
  });

  it("I6: I8: a folder that cannot be written to is read, new threads go elsewhere, and all come back", async () => {
    await closed();
    writeFileSync(database(), whole);
    versionOf(database(2), migrations.length);
    const folder = path.dirname(database());
    const release = readOnly(folder);
    try {
      await reopened();
      await said("This workspace's history can be read but not written to.");
      await chat.frame
        .getByRole("button", { name: "Keep new threads elsewhere" })
        .click();
      await said("New threads are kept elsewhere.");
      await chat.part("empty").waitFor();
      await chat.send("while away");
      await chat.answered("echo: while away");
      await lab().picture("durability kept elsewhere");
      await lab().closeWindow();
      await until(() => agentProcesses(lab().folder).length === 0);
    } finally {
      release();
    }
    await reopened();
    await said("3 threads came back that were kept elsewhere.");
    await lab().picture("durability came back");
    assert.ok(existsSync(`${database(3)}.adopted`));
    await chat.frame.getByText("while away").first().waitFor();
  });
});

function versionOf(file: string, version: number): void {
  // The window that was just closed may hold it for an instant longer than its log file is there.
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

/** File modes bind everyone but root, for whom the folder is mounted so. */
function readOnly(folder: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o555);
    return () => chmodSync(folder, 0o755);
  }
  execFileSync("mount", ["--bind", folder, folder]);
  execFileSync("mount", ["-o", "remount,bind,ro", folder]);
  return () => execFileSync("umount", ["-l", folder]);
}
