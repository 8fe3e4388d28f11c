import { type ChildProcess, spawn } from "node:child_process";
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { cacheFolder } from "../lab/cache.ts";
import { atExit, exitOnSignals } from "../lab/ending.ts";
import { installServer } from "../lab/vscode/install.ts";
import { hostComplaints } from "../lab/vscode/hostLog.ts";
import { openBrowser, picture } from "../lab/vscode/workbench.ts";
import { agentProcesses, processesNaming, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { chatFrame } from "./lab.ts";

/** The start's own, so that no answer of an earlier one is taken for this one's. */
const home = mkdtempSync(path.join(os.tmpdir(), "turnline-start-"));
const root = path.resolve(import.meta.dirname, "..", "..");

describe("npm start", function () {
  this.timeout(180_000);
  let child: ChildProcess;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  it("prints a URL where the chat is up, answers, and leaves nothing behind when stopped", async () => {
    let said = "";
    child = start(home, (text) => (said += text));
    await until(() => /open http\S+\s/.test(said), 120_000);
    // The package was made before: a further start does not build again.
    assert.match(said, /nothing has changed since the last build/);
    assert.doesNotMatch(said, /building/);
    const page = await browser.newPage();
    try {
      await page.goto(/open (http\S+)/.exec(said)?.[1] ?? "");
      const chat = new Chat(chatFrame(page));
      await chat.send("what is in this workspace?");
      await chat.answered(/corner-shop|Corner shop/);
    } catch (error) {
      await picture(
        page,
        process.env["TURNLINE_RESULTS"] ?? path.join(root, "out", "results"),
        "npm start",
      );
      throw error;
    }
    // A second start leaves the first alone, and tells where it is.
    let second = "";
    await ended(start(home, (text) => (second += text)));
    assert.match(second, /already running \(process \d+\): open http/);
    child.kill("SIGINT");
    await until(() => child.exitCode !== null);
    assert.deepEqual(hostComplaints(path.join(home, "vscode")), []);
    await until(
      () =>
        agentProcesses(path.join(home, "sample")).length === 0 &&
        processesNaming(path.join(home, "vscode")).length === 0,
    );
  });

  it("leaves nothing behind when it is stopped while VS Code starts", async () => {
    let said = "";
    child = start(home, (text) => (said += text));
    await until(() => said.includes("starting VS Code"), 60_000);
    await until(() => processesNaming(path.join(home, "vscode")).length > 0);
    child.kill("SIGINT");
    await until(() => child.exitCode !== null);
    await until(() => processesNaming(path.join(home, "vscode")).length === 0);
  });
});

/** What it was told while it had nothing to end yet. */
describe("npm start, stopped before VS Code runs", function () {
  this.timeout(60_000);

  it("while another run fetches the same: at once, without a complaint", async () => {
    const cache = path.join(home, "cache");
    const lock = path.join(cache, `${await serverName()}.lock`);
    mkdirSync(lock, { recursive: true });
    writeFileSync(path.join(lock, "pid"), String(process.pid));
    try {
      let said = "";
      const waiting = start(path.join(home, "b"), (text) => (said += text), {
        TURNLINE_CACHE: cache,
      });
      await until(() => said.includes("waiting for another run"));
      waiting.kill("SIGINT");
      assert.equal(await ended(waiting), 0);
      assert.match(said, /stopping …\s*$/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

/** The name of the headless VS Code's folder in the cache. */
async function serverName(): Promise<string> {
  const { folder } = await installServer(() => undefined);
  return path.relative(cacheFolder(), folder).split(path.sep)[0] ?? "";
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
}

function start(
  at: string,
  hear: (text: string) => void,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(
    process.execPath,
    [path.join(root, "scripts", "run.mjs"), "start"],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        DISPLAY: undefined,
        WAYLAND_DISPLAY: undefined,
        TURNLINE_HOME: at,
        ...env,
      },
    },
  );
  atExit(() => child.kill());
  exitOnSignals();
  child.stdout.on("data", (data: Buffer) => hear(data.toString()));
  return child;
}
