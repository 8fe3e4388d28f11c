// Pictures of the product in a real VS Code, for the documents and for the eye: docs/screenshots.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { Chat } from "../test/e2e/chat.ts";
import { Lab } from "../test/e2e/lab.ts";
import { widen } from "../test/e2e/width.ts";
import { frameWith } from "../test/lab/vscode/workbench.ts";
import { fromRoot } from "./tools.ts";
import { importStory } from "./timelineStory.ts";
import { layOut, Story, storySettings } from "./screenshotStory.ts";
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
const tallest = 1020;
const out = fromRoot("docs", "screenshots");

await packageVsix();
mkdirSync(out, { recursive: true });
let lab = await start();
let { page } = lab;
try {
  const chat = new Chat(await lab.chat());
  const story = new Story(lab, chat);
  await theme("dark", chat);
  await widen(page, wide);
  await story.toThread("claude-code");
  await tall(720);
  await picture("empty-dark", "panel");
  await story.review();
  await story.interrupted();
  await picture("restored-dark", "panel");
  await tall(tallest);
  await story.docs();
  await story.upgrade();
  await story.build();
  for (const name of ["dark", "light"] as const) {
    await theme(name, chat);
    await picture(`turn-${name}`, "panel");
  }
  await theme("dark", chat);
  await story.tests();
  for (const name of Object.keys(themes) as (keyof typeof themes)[]) {
    await theme(name, chat);
    await picture(`chat-${name}`, "panel");
  }
  await theme("dark", chat);
  for (const [name, width] of Object.entries(widths)) {
    await widen(page, width);
    await picture(`chat-${name}`, "panel");
  }
  await widen(page, wide);
  await picture("window", "window");
  await story.edit();
  await picture("edit-dark", "panel");
  await page.keyboard.press("Escape");
  await chat.frame.locator(".head-title").click();
  await chat.part("threads").waitFor();
  await tall(720);
  await picture("threads-dark", "panel");
  await story.fill();
  await picture("full-dark", "panel");
} finally {
  await lab.stop();
}

// The timeline tells of one thread at work, and of a past day.
lab = await start();
({ page } = lab);
try {
  const chat = new Chat(await lab.chat());
  const story = new Story(lab, chat);
  await story.build();
  await story.tests();
  await lab.command("View: Close All Editors");
  await widen(page, widths.usual);
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

async function start(): Promise<Lab> {
  const started = await Lab.start({
    motion: true,
    size: { width: 1360, height: tallest },
    scale: 2,
    settings: storySettings,
  });
  layOut(started.folder);
  return started;
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

function tall(height: number): Promise<void> {
  return page.setViewportSize({ width: 1360, height });
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
  // Nothing is pointed at.
  await page.mouse.move(300, 18);
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
