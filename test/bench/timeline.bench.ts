import type { Page } from "playwright-core";
import { openBrowser } from "../lab/vscode/workbench.ts";
import type { Figure } from "./figure.ts";
import { manyTurns, openTimeline } from "./timelinePage.ts";

const [few, many] = [100, 10_000];
const paints = 41;
const wheels = 60;
/** After so many steps one way, the wheel turns the other way. */
const turnsBack = 10;

/** How painting grows with what there is, all of it in view, and whether zooming ever holds the page up. */
export async function bench(): Promise<readonly Figure[]> {
  const browser = await openBrowser();
  try {
    const now = Date.now();
    const small = await openTimeline(browser, manyTurns(few, now));
    const large = await openTimeline(browser, manyTurns(many, now));
    const times: [number[], number[]] = [[], []];
    await fitted(small, few);
    await fitted(large, many);
    // In turn, so that whatever else the machine does meets both.
    for (let round = 0; round < 5; round++) {
      times[0].push(await paintMs(small));
      times[1].push(await paintMs(large));
    }
    const [one, other] = [median(times[0]), median(times[1])];
    return [
      {
        name: "timeline.paint.growth",
        value: other / one,
        unit: "x",
        limit: 3,
      },
      { name: "timeline.paint.ms", value: other, unit: "ms", limit: null },
      {
        name: "timeline.zoom.longtasks",
        // The median of three: a task's length is wall time, so whatever else runs on the machine may lengthen
        // some of one round, but what our own work holds up shows in most.
        value: median([
          await longTasks(large),
          await longTasks(large),
          await longTasks(large),
        ]),
        unit: "tasks",
        limit: 0,
      },
    ];
  } finally {
    await browser.close();
  }
}

async function fitted(page: Page, count: number): Promise<void> {
  await page
    .getByTestId("timeline-count")
    .filter({ hasText: `${count} turns` })
    .waitFor();
  await page.keyboard.press("0");
}

/** From a change of the view to the picture of it, without the wait for the screen: the median of many. */
async function paintMs(page: Page): Promise<number> {
  return page.evaluate(async (count) => {
    const frame = (): Promise<number> =>
      new Promise((resolve) =>
        requestAnimationFrame(() => resolve(performance.now())),
      );
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      await frame();
      const key = n % 2 === 0 ? "+" : "0";
      // Asked for first, so it begins the frame in which the picture is drawn.
      const begun = frame();
      const start = performance.now();
      document.dispatchEvent(new KeyboardEvent("keydown", { key }));
      await new Promise<void>(queueMicrotask);
      const script = performance.now() - start;
      const began = await begun;
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      times.push(script + (performance.now() - began));
    }
    times.sort((a, b) => a - b);
    return times[count >> 1] ?? 0;
  }, paints);
}

/** Tasks above 50 ms while the wheel turns; that it did zoom is part of the answer. */
async function longTasks(page: Page): Promise<number> {
  await page.evaluate(() => {
    const seen: number[] = [];
    const watch = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.push(duration);
    });
    watch.observe({ type: "longtask" });
    Object.assign(window, { seen, watch });
  });
  await page.mouse.move(600, 120);
  const shown = new Set<string>();
  for (let n = 0; n < wheels; n++) {
    await page.mouse.wheel(0, n % (2 * turnsBack) < turnsBack ? -120 : 120);
    shown.add(await afterFrame(page));
  }
  // Without a view for nearly every step one way there was nothing to hold the page up.
  if (shown.size < turnsBack - 2)
    throw new Error(`The wheel made ${shown.size} different views only`);
  return page.evaluate(() => {
    const { seen, watch } = window as unknown as {
      readonly seen: readonly number[];
      readonly watch: PerformanceObserver;
    };
    watch.disconnect();
    return seen.length;
  });
}

/** What part of the whole is in view, once it is drawn. */
function afterFrame(page: Page): Promise<string> {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    return document.querySelector(".over .win")?.getAttribute("style") ?? "";
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
