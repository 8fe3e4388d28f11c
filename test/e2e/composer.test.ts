import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { faultAgent, received, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";
import { storedText } from "./stored.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-composer-"));
const record = path.join(home, "record.jsonl");
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly uri?: string;
  readonly resource?: { readonly text: string; readonly uri: string };
}

describe("the composer", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent(
          "Scripted",
          ["--commands=plan,review", "--config"],
          {
            FAULT_RECORD: record,
          },
        ),
      },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;
  const chips = (): Locator => chat.frame.locator(".box .chip");
  const composer = (): Locator => chat.part("composer");
  const offered = (kind: string): Locator =>
    chat.part("mentions").locator(`[data-kind="${kind}"]`);
  const carries = (count: number): Promise<number> =>
    chat.until(
      () => chips().count(),
      (now) => now === count,
    );
  const lastPrompt = (): readonly SentBlock[] =>
    (received(record, "session/prompt").at(-1)?.params["prompt"] ??
      []) as readonly SentBlock[];
  const pick = async (query: string, kind: string): Promise<void> => {
    await composer().pressSequentially(`@${query}`);
    await offered(kind).first().waitFor();
    // The list is the one for what has been typed, not for a part of it.
    await offered(kind).first().click();
    await chat.part("mentions").waitFor({ state: "detached" });
  };

  const attach = async (
    files: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const chooser = lab().page.waitForEvent("filechooser");
    await chat.part("attach").click();
    await (
      await chooser
    ).setFiles(
      Object.entries(files).map(([name, text]) => ({
        name,
        mimeType: "text/plain",
        buffer: Buffer.from(text),
      })),
    );
  };

  before(async () => {
    const { folder } = lab();
    for (const [name, text] of Object.entries({
      "node_modules/x/cart.ts": "",
      "built/cart.ts": "",
      "deep/er/well.ts": "",
      ".gitignore": "built/\n",
    })) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
    git("init");
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-m", "start");
    writeFileSync(path.join(folder, "README.md"), "# Changed\n");
    chat = new Chat(await lab().chat());
    await composer().waitFor();
  });

  it("sends with Enter, adds lines with Shift+Enter, grows with them, and goes back with Up", async () => {
    const height = async (): Promise<number> =>
      (await composer().boundingBox())?.height ?? 0;
    const low = await height();
    await composer().pressSequentially("first");
    await composer().press("Shift+Enter");
    await composer().pressSequentially("second");
    await composer().press("Shift+Enter");
    assert.ok((await height()) > low);
    await composer().pressSequentially("do:usage=40,100");
    await composer().press("Enter");
    await chat.ended(1);
    assert.equal(await height(), low);
    assert.match(lastPrompt()[0]?.text ?? "", /first\nsecond/);
    await composer().press("ArrowUp");
    await chat.until(
      () => composer().inputValue(),
      (now) => now.startsWith("first\nsecond"),
    );
    await composer().press("ArrowDown");
    assert.equal(await composer().inputValue(), "");
    await chat.part("usage").filter({ hasText: "40%" }).waitFor();
  });

  it("offers the agent's commands after a slash, and its options in the bar", async () => {
    await composer().pressSequentially("/re");
    await chat.frame.getByRole("option", { name: "/review" }).waitFor();
    await composer().press("Tab");
    assert.equal(await composer().inputValue(), "/review ");
    await composer().fill("");
    const option = chat.frame.locator("select[data-testid=option]").first();
    const values = await option
      .locator("option")
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    const now = await option.inputValue();
    const other = values.find((value) => value !== now) ?? "";
    await option.selectOption(other);
    await until(() => received(record, /set_config_option/).length > 0);
    assert.equal(await option.inputValue(), other);
    const careful = chat.frame.getByRole("switch", { name: "Careful" });
    const before = await careful.getAttribute("aria-checked");
    await careful.click();
    await chat.until(
      () => careful.getAttribute("aria-checked"),
      (now) => now !== before,
    );
    await until(() =>
      received(record, /set_config_option/).some(
        ({ params }) => params["configId"] === "careful",
      ),
    );
  });

  it("offers the project's files and folders, not what is installed, built or ignored", async () => {
    const named = async (query: string): Promise<readonly string[]> => {
      await composer().fill("");
      await composer().pressSequentially(`@${query}`);
      const rows = chat.part("mentions").locator("[data-kind]");
      await rows.first().waitFor();
      const found = await rows.evaluateAll((all) =>
        all.map((row) => row.textContent.replaceAll(/\s+/gu, " ").trim()),
      );
      return found.filter((row) => row.includes(query));
    };
    const carts = await named("cart.ts");
    assert.equal(carts.length, 1, carts.join("; "));
    assert.match(carts[0] ?? "", /src/);
    assert.match((await named("deep")).join("; "), /deep\//);
    await composer().fill("");
  });

  it("takes files, pictures, folders, the selection and past threads along", async () => {
    const { page } = lab();
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill("cart.ts");
    await page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "cart.ts" })
      .first()
      .click();
    const code = page.locator(".editor-instance .view-lines").first();
    await code.click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await chat.frame.getByRole("button", { name: "New thread" }).click();
    await chat.frame.locator('[data-testid="message"]').waitFor({
      state: "detached",
    });
    await composer().click();
    await composer().fill("look at  now");
    // The cursor stays where the name stood.
    for (let i = 0; i < 4; i++) await composer().press("ArrowLeft");
    await pick("checkout", "file");
    await composer().pressSequentially("this");
    assert.equal(await composer().inputValue(), "look at this now");
    await composer().press("End");
    await composer().pressSequentially(" ");
    await pick("src", "folder");
    await pick("sel", "selection");
    await pick("first", "thread");
    await pick("cart.ts", "editor");
    await carries(5);

    const chooser = page.waitForEvent("filechooser");
    await chat.part("attach").click();
    await (
      await chooser
    ).setFiles([
      {
        name: "a log.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("all of the log"),
      },
      { name: "shot.png", mimeType: "image/png", buffer: png },
      {
        name: "report.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from([0x25, 0x50, 0xff, 0]),
      },
    ]);
    await chat.frame
      .getByRole("alert")
      .filter({ hasText: "report.pdf was not attached" })
      .waitFor();
    await carries(7);
    await chips()
      .filter({ hasText: "shot.png" })
      .getByRole("button", { name: "Remove shot.png" })
      .click();
    await carries(6);
    await chat.focused();
    await lab().picture("composer-chips");
  });

  it("I46: keeps what hangs on a draft when the thread is switched and the window reloaded", async () => {
    const toFirst = async (): Promise<void> => {
      await chat.frame.locator(".head-title").click();
      await chat.part("threads").getByText("first").first().click();
      await chat.messages("user").first().waitFor();
    };
    await toFirst();
    await carries(0);
    await composer().fill("half a thought");
    await attach({ "a log.txt": "all of the log" });
    await carries(1);
    await chat.frame.getByRole("button", { name: "New thread" }).click();
    // The one that was begun before, with what hangs on it.
    await chat.messages("user").first().waitFor({ state: "detached" });
    await carries(6);
    await toFirst();
    await carries(1);
    assert.equal(await composer().inputValue(), "half a thought");
    await composer().fill("half a thought more");
    // What a view keeps is written a moment after it changed: with this, also where it is.
    await chat.until(
      () => storedText(lab().page),
      (stored) =>
        /half a thought more[^}]*"attachments":[^\]]*a log\.txt/u.test(stored),
    );
    await lab().reload();
    chat = new Chat(await lab().chat());
    await carries(1);
    assert.equal(await composer().inputValue(), "half a thought more");
  });

  it("drops what is dragged over the panel, with a cue, and takes a pasted file", async () => {
    const { folder } = lab();
    const uri = `file://${path.join(folder, "src", "cart.ts")}`;
    const over = (type: string, bytes?: string): Promise<void> =>
      chat.frame.locator("main").evaluate(
        (main, [name, dragged, base64]) => {
          const dataTransfer = new DataTransfer();
          if (base64 === undefined)
            dataTransfer.setData("text/uri-list", dragged);
          else {
            const data = Uint8Array.from(atob(base64), (one) =>
              one.charCodeAt(0),
            );
            dataTransfer.items.add(
              new File([data], "dropped.png", { type: "image/png" }),
            );
          }
          main.dispatchEvent(
            new DragEvent(name, {
              dataTransfer,
              // VS Code takes files for itself where it is not held.
              shiftKey: true,
              bubbles: true,
              cancelable: true,
            }),
          );
        },
        [type, uri, bytes] as const,
      );
    await carries(1);
    await over("dragover");
    await chat.part("drop").waitFor();
    await over("drop");
    await chat.part("drop").waitFor({ state: "detached" });
    await carries(2);
    await chips().filter({ hasText: "cart.ts" }).waitFor();
    await over("dragover", png.toString("base64"));
    await over("drop", png.toString("base64"));
    await chips().filter({ hasText: "dropped.png" }).waitFor();
    await composer().evaluate((field) => {
      const clipboardData = new DataTransfer();
      const type = "text/plain";
      clipboardData.items.add(
        new File(["pasted words"], "pasted.txt", { type }),
      );
      field.dispatchEvent(
        new ClipboardEvent("paste", {
          clipboardData,
          bubbles: true,
          cancelable: true,
        }),
      );
    });
    await chips().filter({ hasText: "pasted.txt" }).waitFor();
    await carries(4);
  });

  it("sends what hangs on it, keeps it through an edit in the queue, and opens it again", async () => {
    const { page } = lab();
    await composer().fill("do:late=3000");
    await composer().press("Enter");
    await chat.status("busy").waitFor();
    await carries(0);
    const dropped = lastPrompt();
    assert.ok(dropped.some(({ type }) => type === "image"));
    assert.ok(
      dropped.some(({ resource }) => resource?.text === "pasted words"),
    );
    await attach({ "a log.txt": "all of the log", "b.txt": "b" });
    await carries(2);
    await composer().fill("queued words");
    await composer().press("Enter");
    await chat.item("queued words").dblclick();
    const edit = chat.part("queue-edit-text");
    await edit.fill("edited words");
    await chat
      .part("queue-item")
      .getByRole("button", { name: "Remove b.txt" })
      .click();
    await edit.press("Enter");
    await chat.ended(3);
    const [words, ...rest] = lastPrompt();
    assert.equal(words?.text, "edited words");
    assert.deepEqual(
      rest.map(({ resource }) => resource?.text),
      ["all of the log"],
    );
    const chip = chat.messages("user").last().getByTestId("attachment");
    assert.equal(await chip.innerText(), "a log.txt");
    await chip.click();
    await page.locator(".tab").filter({ hasText: "a log.txt" }).waitFor();
    await page
      .locator(".view-line")
      .filter({ hasText: "all of the log" })
      .first()
      .waitFor();
    await chat
      .messages("user")
      .getByTestId("attachment")
      .filter({ hasText: "cart.ts" })
      .click();
    await page.locator(".tab.active").filter({ hasText: "cart.ts" }).waitFor();
  });

  it("tells the agent what each of the things that went along is", async () => {
    await chat.frame.getByRole("button", { name: "New thread" }).click();
    // The one that was begun before, with what hangs on it.
    await carries(6);
    await composer().fill("all of it");
    await composer().press("Enter");
    await chat.done("all of it");
    const sent = JSON.stringify(lastPrompt());
    for (const part of [
      /checkout\.ts/u,
      /\/src"/u,
      /src\/cart\.ts:1-2/u,
      /first\\nsecond/u,
      /all of the log/u,
    ])
      assert.match(sent, part);
  });
});
