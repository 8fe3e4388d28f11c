import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator, Request } from "playwright-core";
import { agentProcesses } from "./agents.ts";
import { Chat } from "./chat.ts";
import { chatFrame, withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-panel-"));
const shellRan = path.join(home, "shell-ran");
const shell = path.join(home, "shell");
// A user's login shell that is noticed when it is run.
writeFileSync(
  shell,
  `#!/bin/sh\necho "$@" >> ${shellRan}\nexec /bin/sh "$@"\n`,
);
chmodSync(shell, 0o755);

// What is looked for on the PATH comes by here first, and is written down.
const commands = path.join(home, "commands");
const commandsRan = path.join(home, "commands-ran");
mkdirSync(commands);
for (const name of ["git", "npm", "npx", "node", "sh", "bash"]) {
  const file = path.join(commands, name);
  writeFileSync(
    file,
    `#!/bin/sh\necho "${name} $*" >> ${commandsRan}\nPATH=\${PATH#*:} exec ${name} "$@"\n`,
  );
  chmodSync(file, 0o755);
}
// VS Code takes its PATH from the login shell.
writeFileSync(path.join(home, ".profile"), `PATH=${commands}:$PATH\n`);

const ran = (): string =>
  existsSync(commandsRan) ? readFileSync(commandsRan, "utf8") : "";

/** VS Code itself may ask the shell too; only our own question has our mark. */
const shellAsked = (): boolean =>
  existsSync(shellRan) &&
  readFileSync(shellRan, "utf8").includes("__turnline_path__");

describe("the panel", function () {
  this.timeout(90_000);
  const lab = withLab({
    env: { SHELL: shell, HOME: home },
  });

  const asked: string[] = [];
  before(() => {
    // The workbench asks for its own things; a panel is a frame in it.
    lab().page.on("request", (request) => {
      if (request.serviceWorker() === null && inPanel(request))
        asked.push(request.url());
    });
  });

  it("opens in the secondary side bar with an empty state that teaches", async () => {
    const chat = new Chat(await lab().chat());
    await chat.part("composer").waitFor();
    await chat.status("none").waitFor();
    const text = await chat.frame.locator("body").innerText();
    assert.match(text, /Keep typing while it works/);
    assert.match(text, /Built-in/);
    const side = await box(lab().page.locator(".part.auxiliarybar"));
    const view = await box(lab().page.locator("iframe.webview.ready"));
    assert.ok(view.x >= side.x && view.y >= side.y);
    assert.ok(view.x + view.width <= side.x + side.width);
  });

  it("spawns and fetches nothing when it is opened; the first message does", async () => {
    await lab().command("Turnline: Open Chat in Editor");
    await lab().page.locator("iframe.webview.ready").nth(1).waitFor();
    assert.deepEqual(agentProcesses(lab().folder), []);
    assert.equal(shellAsked(), false);
    assert.equal(ran(), "");
    assert.ok(asked.length > 0);
    const strangers = asked.filter(
      (url) =>
        !/^(https?:\/\/(127\.0\.0\.1|localhost)|data:|blob:|vscode-|https:\/\/[^/]*vscode-cdn\.net\/)/.test(
          url,
        ),
    );
    assert.deepEqual(strangers, []);
    await lab().command("View: Close Editor");
    const chat = new Chat(chatFrame(lab().page));
    await chat.send("what is in this workspace?");
    await chat.ended(1);
    assert.equal(agentProcesses(lab().folder).length, 1);
    assert.equal(shellAsked(), true);
    // The user's name is git's to tell: what runs is seen here.
    assert.match(ran(), /^git .*user\.name/m);
  });

  it("lets nothing but its own script run", async () => {
    const policy = await chatFrame(lab().page)
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .first()
      .getAttribute("content");
    assert.match(policy ?? "", /^default-src 'none'; script-src 'nonce-/);
    assert.doesNotMatch(policy ?? "", /unsafe/);
  });
});

function inPanel(request: Request): boolean {
  return (
    !request.isNavigationRequest() && request.frame().parentFrame() !== null
  );
}

async function box(
  locator: Locator,
): Promise<{ x: number; y: number; width: number }> {
  const found = await locator.first().boundingBox();
  assert.ok(found);
  return found;
}
