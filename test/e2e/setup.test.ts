import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  statSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import {
  agentProcesses,
  fakeNpm,
  faultAgent,
  received,
  until,
} from "./agents.ts";
import { Chat } from "./chat.ts";
import { answerFileDialog } from "./fileDialog.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-setup-"));
const record = path.join(home, "record.jsonl");
const account = path.join(home, "account");
const npmCalls = path.join(home, "npm-calls");

describe("Turnline: Check Setup", function () {
  this.timeout(180_000);
  const lab = withLab({
    env: fakeNpm(npmCalls),
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", ["--auth", "--config"], {
          FAULT_RECORD: record,
        }),
        wanting: faultAgent("Wanting", [
          "--auth",
          "--ask=prompt",
          `--signedin=${account}`,
        ]),
        secretive: faultAgent("Secretive", [], {
          FAULT_RECORD: record,
          MY_TOKEN: "${secret:e2e}",
        }),
        shy: faultAgent("Shy", ["--auth", "--new=signin"]),
        broken: faultAgent("Broken", ["--initialize=exit,3"]),
      },
      "turnline.defaultAgent": "scripted",
    },
  });
  const row = (text: string | RegExp): Locator =>
    lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: text });

  it("opening the panel starts and fetches nothing", async () => {
    await new Chat(await lab().chat()).focused();
    assert.equal(existsSync(record), false);
  });

  it("says of each agent how it stands, and leaves none running", async () => {
    await lab().command("Turnline: Check Setup");
    await row(/Scripted 1\.0\.0.*goes on after a restart/s).waitFor();
    await row(/Shy 1\.0\.0.*Choose to sign in/s).waitFor();
    await row(/Broken.*code 3.*log/s).waitFor();
    await row(/Built-in/).waitFor();
    await row(/Codex.*not installed/s).waitFor();
    await until(() => agentProcesses(lab().data).length === 0);
    assert.equal(received(record, "session/prompt").length, 0);
  });

  const answerInstall = async (button: string | RegExp): Promise<void> => {
    // By keys: a list that still fills loses clicks.
    const input = lab().page.locator(".quick-input-widget input");
    await input.fill("Codex");
    await row(/Built-in/).waitFor({ state: "detached" });
    await row(/Codex.*not installed/s).waitFor();
    await input.press("Enter");
    const dialog = lab().page.locator(".monaco-dialog-box");
    await dialog
      .filter({ hasText: "@agentclientprotocol/codex-acp" })
      .waitFor();
    await dialog.getByRole("button", { name: button }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const installed = (): readonly string[] =>
    globSync("data/User/globalStorage/*turnline/agents/*", {
      cwd: lab().data,
    }).map((folder) => path.basename(folder));

  it("asks before it installs, and a no fetches nothing", async () => {
    await answerInstall("Cancel");
    assert.deepEqual(installed(), []);
    assert.equal(existsSync(npmCalls), false);
  });

  it("installs what its lockfile names once the user agrees, and then has it", async () => {
    await lab().command("Turnline: Check Setup");
    await answerInstall(/^Install/);
    await until(() => installed().includes("codex-2.6.0"));
    assert.equal(
      readFileSync(npmCalls, "utf8"),
      "ci --ignore-scripts --no-audit --no-fund\n",
    );
    await lab().command("Turnline: Check Setup");
    await row(/Codex 1\.0\.0.*goes on after a restart/s).waitFor();
    await lab().page.keyboard.press("Escape");
  });

  it("an option that was chosen is set again in the next session", async () => {
    const chat = new Chat(await lab().chat());
    await chat.send("hello");
    await chat.answered("echo: hello");
    await lab().command("Turnline: Switch Model...");
    await row(/Large/).first().click();
    await until(
      () => received(record, "session/set_config_option").length === 1,
    );
    await lab().command("Turnline: New Thread");
    await chat.focused();
    await chat.send("once more");
    await chat.answered("echo: once more");
    const set = received(record, "session/set_config_option");
    assert.deepEqual(
      set.map(({ params }) => [params["configId"], params["value"]]),
      [
        ["model", "large"],
        ["model", "large"],
      ],
    );
  });

  const use = async (agent: string): Promise<Chat> => {
    const chat = new Chat(await lab().chat());
    await lab().command("Turnline: New Thread");
    await chat.focused();
    await lab().command("Turnline: Choose Agent");
    await row(agent).first().click();
    await chat.frame
      .getByText(`Ask ${agent}`)
      .or(chat.frame.getByPlaceholder(`Ask ${agent}`))
      .first()
      .waitFor();
    return chat;
  };
  const type = async (text: string): Promise<void> => {
    const input = lab().page.locator(".quick-input-widget input");
    await input.waitFor();
    await input.fill(text);
    await input.press("Enter");
  };

  it("signs in from the notice, with a key, and what waited goes on in a new process", async () => {
    const chat = await use("Wanting");
    await chat.send("let me in");
    const notice = chat.part("notice").filter({ hasText: "sign in" });
    await notice.getByRole("button", { name: "Sign in" }).click();
    await row("API key").click();
    await type("k-e2e-1");
    await chat.answered("echo: let me in");
    assert.equal(readFileSync(account, "utf8"), "k-e2e-1");
  });

  it("says who is signed in, and signs out", async () => {
    await lab().command("Turnline: Check Setup");
    await row(/Wanting.*Signed in \(/s).waitFor();
    await lab().picture("check setup");
    await lab().page.keyboard.press("Escape");
    await lab().command("Turnline: Sign out of an Agent...");
    await row("Wanting").click();
    await lab().page.getByText("Signed out of Wanting.").first().waitFor();
    assert.equal(existsSync(account), false);
  });

  it("signs in with a page: shows the code and where it leads, opens it through VS Code's own check", async () => {
    const chat = await use("Wanting");
    await chat.send("let me in again");
    const notice = chat.part("notice").filter({ hasText: "sign in" });
    await notice.getByRole("button", { name: "Sign in" }).click();
    await row("With a code").click();
    const dialog = lab().page.locator(".monaco-dialog-box");
    const asked = dialog.filter({ hasText: "visit example.test." });
    await asked.filter({ hasText: "FAUL-T123" }).waitFor();
    await lab().picture("sign in with a page");
    await asked.getByRole("button", { name: "Open page" }).click();
    const check = dialog.filter({ hasText: "https://example.test/device" });
    await check.waitFor();
    await lab().page.getByText("Enter this code: FAUL-T123").first().waitFor();
    const opened = lab().page.waitForEvent("popup");
    await check.getByRole("button", { name: "Open", exact: true }).click();
    await (await opened).close();
    await chat.answered("echo: let me in again");
    assert.equal(readFileSync(account, "utf8"), "FAUL-T123");
  });

  it("a secret that settings name is asked for once and told nowhere, with the trace on", async () => {
    const chat = await use("Secretive");
    await chat.send("hello there");
    const notice = chat.part("notice").filter({ hasText: '"e2e" is not set' });
    await lab().command("Turnline: Start or Stop the Protocol Trace");
    await notice.getByRole("button", { name: "Set secret" }).click();
    await type("v4lue-e2e");
    await chat.answered("echo: hello there");
    await chat.send("it is v4lue-e2e");
    await chat.answered("echo: it is v4lue-e2e");
    await lab().command("Turnline: Show Protocol Trace");
    const logs = (): string =>
      globSync("data/logs/**/*", { cwd: lab().data })
        .map((name) => path.join(lab().data, name))
        .filter((file) => statSync(file).isFile())
        .map((file) => readFileSync(file, "utf8"))
        .join("\n");
    await until(() => logs().includes("it is [redacted]"));
    assert.match(logs(), /session\/prompt/);
    assert.doesNotMatch(logs(), /v4lue-e2e/);
  });

  for (const [command, name] of [
    ["Turnline: Export Thread...", "thread.jsonl"],
    ["Turnline: Export Thread as Markdown...", "thread.md"],
  ] as const)
    it(`that secret leaves with no export: ${name}`, async () => {
      const file = path.join(home, name);
      await lab().command(command);
      await answerFileDialog(lab().page, file);
      // It is written a page at a time.
      const text = (): string =>
        existsSync(file) ? readFileSync(file, "utf8") : "";
      await until(() => text().includes("echo: it is [redacted]"));
      assert.doesNotMatch(text(), /v4lue-e2e/);
    });
});
