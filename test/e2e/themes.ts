import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Frame } from "playwright-core";
import { folderSettings } from "./folderSettings.ts";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** A kind of theme, one theme of it, and how a page knows it. */
const themes = [
  ["dark", "Dark Modern", "vscode-dark"],
  ["light", "Light Modern", "vscode-light"],
  ["high contrast", "Default High Contrast", "vscode-high-contrast"],
  [
    "light high contrast",
    "Default High Contrast Light",
    "vscode-high-contrast-light",
  ],
] as const;

/** Axe counts only Tab; in a list that is one stop for it, arrows reach what scrolls. */
const byArrows = "scrollable-region-focusable";

/** A frame, or a locator of one. */
type Inside = Pick<Frame, "locator">;

/** Every rule of axe, on what is in the frame now. */
export async function violations(frame: Inside): Promise<readonly string[]> {
  const inside = frame.locator("html");
  // Evaluated, not linked: the page's own policy lets no other script in.
  await inside
    .evaluate((_, source) => {
      if (!("axe" in window)) (0, eval)(source);
    }, axe)
    .catch(() => undefined);
  const results = await inside.evaluate(
    async () =>
      await (
        window as unknown as {
          axe: { run: (options: unknown) => Promise<AxeResults> };
        }
      ).axe.run({ resultTypes: ["violations"] }),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(
        ({ html }) => !(id === byArrows && html.includes('tabindex="-1"')),
      )
      .map(
        ({ html, failureSummary }) =>
          `${id}: ${html.slice(0, 160)} ${failureSummary ?? ""}`,
      ),
  );
}

/** Looks in each kind of theme at each of the things there are to see; ends in the first. */
export async function inAllThemes(
  folder: string,
  frame: Inside,
  looks: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const wrong: string[] = [];
  for (const [name, theme, kind] of themes) {
    await setTheme(folder, frame, theme, kind);
    for (const [what, show] of Object.entries(looks)) {
      await show();
      for (const one of await violations(frame))
        wrong.push(`${what}, ${name}: ${one}`);
    }
  }
  assert.deepEqual(wrong, []);
  const [[, theme, kind]] = themes;
  await setTheme(folder, frame, theme, kind);
}

async function setTheme(
  folder: string,
  frame: Inside,
  theme: string,
  kind: string,
): Promise<void> {
  folderSettings(folder, { "workbench.colorTheme": theme });
  await frame.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
}
