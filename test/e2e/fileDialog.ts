import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";

/** VS Code's own file dialog in the browser: it offers a path first, then takes another. */
export async function answerFileDialog(
  page: Page,
  file: string,
): Promise<void> {
  const input = page.locator(".quick-input-widget input");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  const busy = page.locator(
    ".quick-input-widget .monaco-progress-container.active",
  );
  await input.waitFor();
  // It lists the folder of the path it offers before it takes another.
  await rows.first().waitFor();
  await busy.waitFor({ state: "hidden" });
  await stays(input, file);
  await busy.waitFor({ state: "hidden" });
  await input.press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** The dialog puts its own path back while it still reads the folder: what is typed counts once it is left alone. */
async function stays(input: Locator, text: string): Promise<void> {
  for (let same = 0, tries = 0; same < 8 && tries < 200; tries++) {
    if ((await input.inputValue()) === text) same++;
    else {
      same = 0;
      await input.fill(text);
    }
    await sleep(50);
  }
}
