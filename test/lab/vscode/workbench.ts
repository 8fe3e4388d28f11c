import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  type Browser,
  chromium,
  type ConsoleMessage,
  type Frame,
  type Page,
} from "playwright-core";
import { browserArgs, findBrowser } from "../chromium.ts";
import type { RunningServer } from "./server.ts";

export interface WorkbenchOptions {
  readonly server: RunningServer;
  readonly folder?: string;
  readonly payload?: readonly (readonly [string, string])[];
  readonly size?: { readonly width: number; readonly height: number };
  /** Pixels of the picture for each of the page. */
  readonly scale?: number;
  readonly onConsole?: (message: ConsoleMessage) => void;
  /** Called before the page loads, to expose functions to it. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly motion?: boolean;
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser((line) => console.log(line)),
    args: [...browserArgs],
  });
}

/** Opens VS Code's own page on a folder and answers when the workbench stands. */
export async function openWorkbench(
  browser: Browser,
  options: WorkbenchOptions,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 900 },
    deviceScaleFactor: options.scale ?? 1,
    reducedMotion: options.motion === true ? "no-preference" : "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  if (options.onConsole !== undefined) page.on("console", options.onConsole);
  await options.prepare?.(page);
  await page.goto(workbenchUrl(options));
  await page.waitForSelector(".monaco-workbench .part.statusbar", {
    timeout: 60_000,
  });
  return page;
}

export function workbenchUrl(
  options: Pick<WorkbenchOptions, "server" | "folder" | "payload">,
): string {
  const url = new URL(options.server.url);
  if (options.folder !== undefined)
    url.searchParams.set("folder", options.folder);
  else url.searchParams.set("ew", "true");
  url.searchParams.set(
    "payload",
    JSON.stringify([["skipWelcome", "true"], ...(options.payload ?? [])]),
  );
  return url.href;
}

/** Runs a command as a user does, from the palette; asks again while its extension is still being read. */
export async function runCommand(
  page: Page,
  title: string,
  limitMs = 60_000,
): Promise<void> {
  const rows = page.locator(".quick-input-list .monaco-list-row");
  const row = rows
    .filter({ has: page.getByText(title, { exact: true }) })
    .first();
  const none = rows.filter({ hasText: /No matching/ }).first();
  const end = Date.now() + limitMs;
  // What is typed into a palette that has just opened may be lost: the first tries are short.
  for (let patience = 500; Date.now() < end; patience *= 2) {
    await page.keyboard.press("F1");
    const input = page.locator(".quick-input-widget input");
    try {
      // A page that takes the focus as it loads closes the palette again.
      await input.fill(`>${title}`, { timeout: 2_000 });
      const timeout = Math.min(patience, 4_000);
      await row.or(none).first().waitFor({ timeout });
      if (await row.isVisible()) {
        await row.click({ timeout: 1_000 });
        return;
      }
    } catch {
      // Closed, or slow to fill: once more.
    }
    await page.keyboard.press("Escape");
    await page.waitForTimeout(100);
  }
  throw new Error(`The palette has no command "${title}".`);
}

/** The webview's innermost frame that holds an element: webviews live in nested frames. */
export async function frameWith(
  page: Page,
  selector: string,
  timeout = 30_000,
  not?: Frame,
): Promise<Frame> {
  const end = Date.now() + timeout;
  for (;;) {
    for (const frame of page.frames().filter((one) => one !== not)) {
      const found = await frame.$(selector).catch(() => null);
      if (found !== null) return frame;
    }
    if (Date.now() > end) throw new Error(`No frame holds ${selector}`);
    await page.waitForTimeout(50);
  }
}

/** Keeps a picture, for a failed test or for the eye. */
export async function picture(
  page: Page,
  folder: string,
  name: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(
    folder,
    `${name.replace(/[^\w.-]+/g, "-").slice(0, 100)}.png`,
  );
  await page.screenshot({ path: file });
  return file;
}
