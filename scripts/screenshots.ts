// Pictures of the product in a real VS Code, for the documents and for the eye: docs/screenshots.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { Chat } from "../test/e2e/chat.ts";
import { Lab } from "../test/e2e/lab.ts";
import { frameWith } from "../test/lab/vscode/workbench.ts";
import { importStory } from "./timelineStory.ts";
import { fromRoot } from "./tools.ts";
import { packageVsix } from "./vsix.ts";

const themes = {
  dark: ["Dark Modern", "vscode-dark"],
  light: ["Light Modern", "vscode-light"],
  "high-contrast": ["Default High Contrast", "vscode-high-contrast"],
  "high-contrast-light": [
    "Default High Contrast Light",
    "vscode-high-contrast-light",
  ],
} as const;
const widths = { narrow: 216, usual: 300 } as const;
const wide = 460;
const out = fromRoot("docs", "screenshots");

const storyAgent = {
  command: process.execPath,
  args: [fromRoot("test/fixtures/storyAgent/storyAgent.mjs")],
};

await packageVsix();
mkdirSync(out, { recursive: true });
const lab = await Lab.start({
  size: { width: 1360, height: 960 },
  settings: {
    "turnline.agents": {
      story: { label: "Claude Code", ...storyAgent },
      other: { label: "Codex", ...storyAgent },
    },
    "files.simpleDialog.enable": true,
    "turnline.defaultAgent": "story",
    "turnline.userName": "Ada",
    "workbench.colorTheme": "Dark Modern",
  },
});
const { page } = lab;
try {
  const chat = new Chat(await lab.chat());
  await theme("dark", chat);
  await widen(wide);
  await picture("empty-dark", "panel");
  await tellStory(chat);
  await lab.command("View: Close All Editors").catch(() => undefined);
  for (const name of Object.keys(themes) as (keyof typeof themes)[]) {
    await theme(name, chat);
    await picture(`chat-${name}`, "panel");
  }
  await theme("dark", chat);
  for (const [name, width] of Object.entries(widths)) {
    await widen(width);
    await picture(`chat-${name}`, "panel");
  }
  await widen(wide);
  await picture("window", "window");
  await chat.frame.locator(".head-title").click();
  await chat.part("threads").waitFor();
  await picture("threads-dark", "panel");
  await chat.frame.locator(".head-title").click();
  await widen(widths.usual);
  await lab.command("View: Toggle Primary Side Bar Visibility");
  await lab.command("Turnline: Show Batch Timeline");
  const timeline = await frameWith(page, '[data-testid="timeline"]');
  await importStory(lab);
  await raise(420);
  const turns = timeline.locator('[data-testid="timeline-batch"]');
  await turns.nth(14).waitFor();
  for (const name of Object.keys(themes) as (keyof typeof themes)[]) {
    await theme(name, chat);
    await timeline.getByLabel(/^Turn 3, 4 messages/).focus();
    await timeline.getByTestId("timeline-card").waitFor();
    await picture(`timeline-${name}`, "timeline");
  }
} finally {
  await lab.stop();
}
console.log(`Pictures are in ${out}.`);
process.exit(0);

/** Three turns, the last one waiting for a permission, with a queue behind it. */
async function tellStory(chat: Chat): Promise<void> {
  await chat.send("What does checkout do with the cart?");
  await chat.status("busy").waitFor();
  await chat.send(
    "CI fails in `tsc -b`: `string | undefined` is not assignable to `string`, src/config/env.ts. Please fix it.",
  );
  await chat.send("and run the unit tests once it compiles");
  await chat.ended(2);
  await chat.send("Now run the e2e tests and fix what breaks in checkout");
  await chat.part("permission").waitFor();
  for (const text of [
    "Skip the visual regression project for now",
    "Use the cart in e2e/fixtures/cart.json instead of calling the API",
    "Draft the PR description from the diff",
  ])
    await chat.send(text);
  await chat.part("queue-item").nth(2).waitFor();
  await chat.item("Draft the PR").focus();
  await page.keyboard.press("s");
  await chat.part("composer").fill("and keep the retries at 2 in CI");
}

async function theme(name: keyof typeof themes, chat: Chat): Promise<void> {
  const [title, kind] = themes[name];
  const folder = path.join(lab.folder, ".vscode");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, "settings.json"),
    JSON.stringify({ "workbench.colorTheme": title }),
  );
  await chat.frame.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
}

/** Drags the side bar's edge, as a user does. */
async function widen(width: number): Promise<void> {
  const bar = page.locator(".part.auxiliarybar");
  const box = await bar.boundingBox();
  if (box === null) throw new Error("The side bar is not there.");
  await page.mouse.move(box.x - 1, box.y + 400);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - width, box.y + 400, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(600, 300);
}

/** Drags the panel's edge, as a user does. */
async function raise(height: number): Promise<void> {
  const box = await page.locator(".part.panel").boundingBox();
  if (box === null) throw new Error("The panel is not there.");
  await page.mouse.move(box.x + 300, box.y - 1);
  await page.mouse.down();
  const to = box.y + box.height - height;
  await page.mouse.move(box.x + 300, to, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(600, 20);
}

async function picture(
  name: string,
  what: "panel" | "timeline" | "window",
): Promise<void> {
  const part: Record<typeof what, string> = {
    panel: ".part.auxiliarybar",
    timeline: ".part.panel",
    window: ".monaco-workbench",
  };
  await settled(page);
  await page
    .locator(part[what])
    .screenshot({ path: path.join(out, `${name}.png`) });
}

/** Two frames in a row in which nothing is drawn anew would be best; two frames will do. */
async function settled(on: Page): Promise<void> {
  for (let n = 0; n < 20; n++)
    await on.evaluate(() => new Promise(requestAnimationFrame));
}
