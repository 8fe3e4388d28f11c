import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Chat } from "../test/e2e/chat.ts";
import type { Lab } from "../test/e2e/lab.ts";
import { fromRoot } from "./tools.ts";

const agent = (label: string): Record<string, unknown> => ({
  label,
  command: process.execPath,
  args: [fromRoot("test/fixtures/storyAgent/storyAgent.mjs")],
});

export const storySettings = {
  "turnline.agents": {
    "claude-code": agent("Claude Code"),
    codex: agent("Codex"),
  },
  "turnline.defaultAgent": "claude-code",
  "turnline.userName": "Ada",
  "files.simpleDialog.enable": true,
  "workbench.colorTheme": "Dark Modern",
  "files.exclude": { "**/.vscode": true },
  "editor.minimap.enabled": false,
} as const;

const files: Readonly<Record<string, string>> = {
  "src/config/env.ts": `import type { Env } from "./types.ts";

// Read once, at start.
export const env: Env = {
  baseUrl: process.env.BASE_URL,
  retries: process.env.CI ? 2 : 0,
};
`,
  "src/config/types.ts": `export interface Env {
  readonly baseUrl: string;
  readonly retries: number;
}
`,
  "e2e/fixtures/cart.json": `[{ "name": "Tea", "cents": 450, "count": 2 }]\n`,
  "e2e/checkout.spec.ts": `import { expect, test } from "@playwright/test";
import cart from "./fixtures/cart.json" with { type: "json" };

test.describe("checkout", () => {
  test.beforeEach(async ({ page }) => {
    await page.goto("/cart");
  });

  test("shows what it costs", async ({ page }) => {
    await expect(page.getByTestId("total")).toHaveText("9.00");
  });

  test("pays", async ({ page }) => {
    await page.getByRole("button", { name: "Check out" }).click();
    await page.getByLabel("Card").fill("4242 4242 4242 4242");
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page).toHaveURL(/thanks/);
    await expect(page.getByRole("listitem")).toHaveCount(cart.length);
  });
});
`,
  "playwright.config.ts": `import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  timeout: 30_000,
});
`,
};

/** The files the story is about. */
export function layOut(folder: string): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** A day with agents: a thread in every state, and one to look at closely. */
export class Story {
  readonly #lab: Lab;
  readonly #chat: Chat;

  constructor(lab: Lab, chat: Chat) {
    this.#lab = lab;
    this.#chat = chat;
  }

  /** A new thread, with the agent it is for. */
  async toThread(agentId: string): Promise<void> {
    const { frame } = this.#chat;
    await frame.locator('.head .ico[title="New thread"]').click();
    await this.#chat.part("empty").waitFor();
    const row = frame.locator(`[data-agent="${agentId}"]`);
    await row.click();
    await frame
      .locator(`[data-agent="${agentId}"][aria-checked="true"]`)
      .waitFor();
  }

  async review(): Promise<void> {
    await this.toThread("codex");
    await this.#chat.send("Review PR 412, please");
    await this.#chat.ended(1);
  }

  /** A turn that was at work, and a queue, when the window closed. */
  async interrupted(): Promise<void> {
    await this.toThread("claude-code");
    await this.#chat.send(
      "The checkout test pays only sometimes. Find out why",
    );
    await this.#chat.answered("raised the timeout");
    await this.#queue(
      "Skip the visual regression project for now",
      "Use the cart in e2e/fixtures/cart.json",
      "Keep the retries at 2 in CI",
    );
    await this.#lab.reload();
    await this.#lab.chat();
    await this.#chat.part("notice").getByText("Restored 3 messages").waitFor();
    await this.#chat.batches("interrupted").waitFor();
  }

  async docs(): Promise<void> {
    await this.toThread("claude-code");
    await this.#chat.send("List our environment variables in the README");
    await this.#chat.status("busy").waitFor();
    await this.#queue("And say which CI sets", "Link it from CONTRIBUTING.md");
    await this.#chat
      .part("queue")
      .getByRole("button", { name: "Hold" })
      .click();
    await this.#chat.ended(1);
  }

  async upgrade(): Promise<void> {
    await this.toThread("codex");
    await this.#chat.send("Upgrade us to Vite 7");
    await this.#chat.answered("First the plugins");
    await this.#queue("Keep the dev server on 5173", "Then run the e2e tests");
  }

  /** Two messages that went as one turn, with a change, a command and code. */
  async build(): Promise<void> {
    await this.toThread("claude-code");
    await this.#chat.send("What does checkout do with the cart?");
    await this.#chat.status("busy").waitFor();
    await this.#queue(
      "CI fails in `tsc -b`: `string | undefined` is not assignable to `string`, src/config/env.ts. Please fix it.",
      "and run the unit tests once it compiles",
    );
    await this.#chat.ended(2);
    await this.#chat.frame.locator(".diff").waitFor();
    await this.#toEnd();
  }

  /** The next turn waits for a permission; more is queued, and more is being written. */
  async tests(): Promise<void> {
    const { page } = this.#lab;
    await this.#chat.send(
      "Now run the e2e tests and fix what breaks in checkout",
    );
    await this.#chat.part("permission").waitFor();
    await this.#queue(
      "Skip the visual regression project for now",
      "Use the cart in e2e/fixtures/cart.json instead of calling the API",
      "Draft the PR description from the diff",
    );
    await this.#chat.item("Draft the PR").focus();
    await page.keyboard.press("s");
    await this.#chat.part("queue").getByText("Then, on its own").waitFor();
    await this.#select("checkout.spec.ts", 13, 6);
    const composer = this.#chat.part("composer");
    await composer.click();
    await composer.pressSequentially("@sel");
    await this.#chat
      .part("mentions")
      .locator('[data-kind="selection"]')
      .first()
      .click();
    const chips = this.#chat.frame.locator(".box .chip");
    await chips.first().waitFor();
    const chooser = page.waitForEvent("filechooser");
    await this.#chat.part("attach").click();
    await (
      await chooser
    ).setFiles([{ name: "trace.png", mimeType: "image/png", buffer: pixel }]);
    await chips.nth(1).waitFor();
    await composer.fill("and keep the retries at 2 in CI");
    await this.#toEnd();
  }

  /** A queued message, changed where it stands. */
  async edit(): Promise<void> {
    await this.#chat.item("Skip the visual").press("Enter");
    await this.#chat.part("queue-edit-text").waitFor();
  }

  /** More than one turn takes. */
  async fill(): Promise<void> {
    await this.#chat.part("threads").getByText("Upgrade to Vite 7").click();
    await this.#chat.item("Keep the dev server").waitFor();
    for (const text of [
      "Drop the legacy plugin",
      "Use the new environment API",
      "Keep sourcemaps in staging",
      "Check the bundle size before and after",
      "Leave postcss.config.js alone",
      "Pin the Node version in .nvmrc",
      "Update the Dockerfile to match",
      "Rename vite.config.js to .ts",
      "And update the README section on builds",
    ])
      await this.#chat.send(text);
    await this.#chat.part("queue").getByText("Waits for room").waitFor();
  }

  async #queue(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await this.#chat.send(text);
      await this.#chat
        .part("queue-item")
        .filter({ hasText: text.split("`")[0] ?? "" })
        .waitFor();
    }
  }

  async #toEnd(): Promise<void> {
    await this.#chat.frame
      .locator(".log")
      .evaluate((log) => log.scrollTo(0, log.scrollHeight));
  }

  async #select(name: string, line: number, lines: number): Promise<void> {
    const { page } = this.#lab;
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill(`${name}:${line}`);
    await page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: name })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page
      .locator(".editor-instance .view-line")
      .filter({ hasText: "pays" })
      .waitFor();
    for (let n = 0; n < lines; n++)
      await page.keyboard.press("Shift+ArrowDown");
  }
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
