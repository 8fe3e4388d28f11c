import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { received, recordingAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly text: string };
}

describe("what a message takes along from VS Code", function () {
  this.timeout(180_000);
  // Git, and a language server that knows problems and symbols.
  const lab = withLab({
    builtins: true,
    settings: {
      ...settings,
      // The headless VS Code comes without a language service of its own.
      "typescript.tsdk": path.resolve("node_modules", "typescript", "lib"),
      // Drawn as text, which can be read.
      "terminal.integrated.gpuAcceleration": "off",
    },
  });
  let chat: Chat;
  const composer = (): Locator => chat.part("composer");
  const chips = (): Locator => chat.frame.locator(".box .chip");
  const offered = (kind: string): Locator =>
    chat.part("mentions").locator(`[data-kind="${kind}"]`).first();

  before(async () => {
    const { folder } = lab();
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
    git("init");
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-m", "start");
    writeFileSync(path.join(folder, "README.md"), "# Changed for the test\n");
    writeFileSync(
      path.join(folder, "src", "broken.ts"),
      'export const brokenNumber: number = "seven";\n',
    );
    chat = new Chat(await lab().chat());
    await composer().waitFor();
  });

  async function open(name: string): Promise<void> {
    const { page } = lab();
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill(name);
    await page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: name })
      .first()
      .click();
    await page.locator(".tab").filter({ hasText: name }).waitFor();
  }

  /** Types it anew until it is offered: the editor learns of some things in its own time. */
  async function pick(
    query: string,
    kind: string,
    detail: string,
  ): Promise<void> {
    const before = await chips().count();
    await composer().click();
    await chat.until(
      async () => {
        await composer().fill("");
        await composer().pressSequentially(`@${query}`);
        return offered(kind)
          .filter({ hasText: detail })
          .waitFor({ timeout: 3_000 })
          .then(
            () => true,
            () => false,
          );
      },
      (is) => is,
      90_000,
    );
    await offered(kind).click();
    await chat.until(
      () => chips().count(),
      (now) => now === before + 1,
    );
    assert.equal(await composer().inputValue(), "", "the word is taken away");
  }

  /** Sends what hangs on the composer, and answers what the agent got of it. */
  async function sent(words: string): Promise<readonly SentBlock[]> {
    const before = received(record, "session/prompt").length;
    await composer().fill(words);
    await composer().press("Enter");
    await until(() => received(record, "session/prompt").length > before);
    await chat.done(words);
    const prompt = received(record, "session/prompt").at(-1)?.params["prompt"];
    return (prompt ?? []) as readonly SentBlock[];
  }

  it("@ offers the problems, with their places", async () => {
    await open("broken.ts");
    await pick("prob", "problems", "1 problem");
    const blocks = await sent("with problems");
    assert.match(
      blocks.at(-1)?.resource?.text ?? "",
      /src\/broken\.ts:1.*'string' is not assignable to type 'number'/u,
    );
  });

  it("@ offers a symbol, and the agent gets where it is", async () => {
    await pick("brokenNumb", "symbol", "brokenNumber");
    const blocks = JSON.stringify(await sent("with a symbol"));
    assert.match(blocks, /broken\.ts/u);
  });

  it("@ offers what git knows to be changed", async () => {
    await pick("git", "changes", "2 files");
    const blocks = await sent("with changes");
    const diff = blocks.at(-1)?.resource?.text ?? "";
    assert.match(diff, /^\+# Changed for the test$/mu);
    assert.match(diff, /^Not tracked yet: src\/broken\.ts$/mu);
  });

  it("@ offers what is selected in the terminal", async () => {
    const { page } = lab();
    await lab().command("Terminal: Create New Terminal");
    const rows = page.locator(".terminal-wrapper.active .xterm-rows");
    await page.locator(".terminal-wrapper.active .xterm.focus").waitFor();
    // What is typed before the shell's prompt is there may be lost on its way.
    await rows.filter({ hasText: /[#$%>]/u }).waitFor();
    await page.keyboard.type("echo marked-$((40+2))");
    await page.keyboard.press("Enter");
    await rows.filter({ hasText: "marked-42" }).waitFor();
    await lab().command("Terminal: Select All");
    await pick("term", "terminal", "");
    const blocks = await sent("with a terminal");
    assert.match(blocks.at(-1)?.resource?.text ?? "", /marked-42/u);
  });

  it("a text is pasted as it is, with its lines", async () => {
    const { page } = lab();
    await composer().fill("one\ntwo <b>three</b>");
    await composer().press("Control+a");
    await composer().press("Control+x");
    assert.equal(await composer().inputValue(), "");
    await page.keyboard.press("Control+v");
    await chat.until(
      () => composer().inputValue(),
      (now) => now === "one\ntwo <b>three</b>",
    );
    assert.equal(await chips().count(), 0);
    await composer().fill("");
  });

  it("a picture of the clipboard is pasted as one, and sent", async () => {
    const { page } = lab();
    await composer().click();
    await composer().evaluate(async (_, data) => {
      const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
      const type = "image/png";
      await navigator.clipboard.write([
        new ClipboardItem({ [type]: new Blob([bytes], { type }) }),
      ]);
    }, png);
    await page.keyboard.press("Control+v");
    await chips().first().waitFor();
    assert.equal(await chips().count(), 1);
    const blocks = await sent("with a picture");
    assert.deepEqual(
      blocks.map(({ type }) => type).filter((type) => type === "image"),
      ["image"],
    );
    const thumb = chat.messages("user").last().locator("img.thumb");
    await chat.until(
      () => thumb.evaluate((image) => (image as HTMLImageElement).naturalWidth),
      (width) => width === 1,
    );
  });
});
