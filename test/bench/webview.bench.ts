import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "./figure.ts";
import { wholeRenderMs } from "./wholeRender.ts";
import { WebviewLab } from "./webviewLab.ts";
import { heapOf, scrollThrough } from "./webviewHeap.ts";

const opens = 9;
const keys = 120;
/** Milliseconds after a key: ten a second, as fast as anyone types, with a pause after each word. */
const pauseAfter = (key: number): number => (key % 6 === 5 ? 300 : 100);
const rounds = 3;

/** The chat in the real VS Code: how it keeps up with a stream, with a long thread, and with who types. */
export async function bench(): Promise<readonly Figure[]> {
  const web = await WebviewLab.start();
  try {
    return [
      await burstLag(web),
      await streamVersusRerender(web),
      await typingDelay(web),
      await openGrowth(web),
      ...(await longThread(web)),
    ];
  } finally {
    await web.stop();
  }
}

/** From the agent's last chunk to its text on the screen, against the time the agent took. */
async function burstLag(web: WebviewLab): Promise<Figure> {
  await web.newThread();
  const marks = path.join(web.home, "burst");
  const shown = painted(web, "that was the last");
  await web.chat.send(
    `do:mark=${marks} do:chunks=2000,2 do:mark=${marks} do:say=that+was+the+last`,
  );
  const at = await shown;
  const [first = 0, last = 0] = readFileSync(marks, "utf8")
    .trim()
    .split("\n")
    .map(Number);
  return {
    name: "webview.burst.lag",
    value: Math.max(0, at - last) / (last - first),
    unit: "×",
    limit: 0.05,
  };
}

/**
 * Both on a main thread: what a streamed answer costs, all that VS Code does for it included,
 * and what writing it anew in each frame of the same time would.
 */
async function streamVersusRerender(web: WebviewLab): Promise<Figure> {
  const values: number[] = [];
  // A page that has just started has other work too: the middle one of several counts.
  for (let round = 0; round < rounds; round++)
    values.push(await oneStream(web));
  return {
    name: "webview.stream.vs-rerender",
    value: median(values),
    unit: "×",
    limit: 0.05,
  };
}

async function oneStream(web: WebviewLab): Promise<number> {
  await web.newThread();
  const text = answerOf(100_000);
  const [size, everyMs, framesPerSecond] = [20, 1, 60];
  const file = path.join(web.home, "answer.md");
  writeFileSync(file, text);
  await web.chat.send("do:say=ready");
  await web.chat.ended(1);
  const shown = painted(web, "that was the last");
  const before = await web.worked();
  await web.chat.send(
    `do:play=${file},${size},${everyMs} do:say=that+was+the+last`,
  );
  await shown;
  const worked = (await web.worked()) - before;
  const seconds = ((text.length / size) * everyMs) / 1000;
  const whole = await wholeRenderMs(
    web.lab.browser,
    text,
    Math.round(seconds * framesPerSecond),
  );
  return worked / whole;
}

/** From a key to the picture of it: while an answer streams in, and at rest. */
async function typingDelay(web: WebviewLab): Promise<Figure> {
  await web.newThread();
  const file = path.join(web.home, "long.md");
  writeFileSync(file, answerOf(2_000_000));
  const idle: number[] = [];
  const busy: number[] = [];
  // By turns: what else goes on in the page weighs on both.
  for (let round = 0; round < rounds; round++) {
    idle.push(...(await typed(web)));
    await web.chat.send(`do:play=${file},40,2`);
    await web.chat.status("busy").waitFor();
    await web.chat.answered("Step 3");
    busy.push(...(await typed(web)));
    await web.chat.part("stop").click();
    await web.chat.status("ready").waitFor();
  }
  return {
    name: "webview.typing.delay",
    value: p95(busy) / p95(idle),
    unit: "×",
    limit: 2,
  };
}

async function openGrowth(web: WebviewLab): Promise<Figure> {
  const times = { few: [] as number[], many: [] as number[] };
  for (let n = 0; n < opens; n++) {
    times.few.push(await web.openMs("few"));
    times.many.push(await web.openMs("many"));
  }
  return {
    name: "webview.open.growth",
    value: median(times.many) / median(times.few),
    unit: "×",
    limit: 1.5,
  };
}

/** A page holds the workbench too: what is the chat's is what goes when it is closed. */
async function longThread(web: WebviewLab): Promise<readonly Figure[]> {
  await web.openMs("few");
  await scrollThrough(web.frame);
  const short = await heapOf(web.cdp);
  await web.openMs("many");
  const elements = await scrollThrough(web.frame);
  const long = await heapOf(web.cdp);
  await web.lab.command("View: Toggle Secondary Side Bar Visibility");
  await web.frame
    .waitForSelector("body", { state: "detached" })
    .catch(() => undefined);
  const closed = await heapOf(web.cdp);
  return [
    {
      name: "webview.dom.elements",
      value: elements,
      unit: "",
      limit: 3_000,
    },
    {
      name: "memory.webview.growth",
      value: (long - closed) / (short - closed),
      unit: "×",
      limit: 2,
    },
  ];
}

/** When a text has been painted, on the clock the agent's marks are on. Looks only where something came in. */
function painted(web: WebviewLab, text: string): Promise<number> {
  return web.frame.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        // Looked at with every change: it must cost nothing beside what is measured.
        const parts = document.getElementsByClassName("part");
        const tail = (): string =>
          parts.item(parts.length - 1)?.lastElementChild?.textContent ?? "";
        const watch = new MutationObserver(() => {
          if (!tail().includes(wanted)) return;
          watch.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(Date.now());
            port2.postMessage(null);
          });
        });
        watch.observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
        });
      }),
    text,
  );
}

/** Types into the composer by real keys; answers how long each took to be seen. */
async function typed(web: WebviewLab): Promise<readonly number[]> {
  const composer = web.chat.part("composer");
  await composer.click();
  await web.frame.evaluate(() => {
    const delays: number[] = [];
    const listened = "delays" in window;
    Object.assign(window, { delays });
    if (listened) return;
    const field = document.querySelector('[data-testid="composer"]');
    // When the key went down, not when the page got round to it: the wait in between is what is measured.
    let pressed = 0;
    field?.addEventListener("keydown", ({ timeStamp }) => {
      pressed = timeStamp;
    });
    field?.addEventListener("input", () => {
      const at = pressed;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          (window as unknown as { delays: number[] }).delays.push(
            performance.now() - at,
          );
        port2.postMessage(null);
      });
    });
  });
  for (let n = 0; n < keys; n++) {
    await web.lab.page.keyboard.press("abcdefghij"[n % 10] ?? "a");
    await sleep(pauseAfter(n));
  }
  await web.chat.until(
    () => web.frame.evaluate(delays),
    (now) => now.length === keys,
  );
  const found = await web.frame.evaluate(delays);
  await composer.fill("");
  return found;
}

const delays = (): number[] =>
  (window as unknown as { delays: number[] }).delays;

/** Paragraphs, lists, code and tables, as agents write them. */
function answerOf(length: number): string {
  const part = (n: number): string =>
    [
      `## Step ${n}`,
      `The **checkout** specs time out before the page loads, because nothing listens on port \`5432\`. See [cart.ts](src/cart.ts#L${n}) for how it is called.`,
      `- \`pnpm build\`: 0 errors\n- Unit tests: ${n} passed, 2 skipped\n- One more thing to look at`,
      "```ts\nfunction required(name: string): string {\n  const value = process.env[name];\n  if (!value) throw new Error(`Set ${name}`);\n  return value;\n}\n```",
      `| file | lines |\n|---|---|\n| a.ts | ${n} |\n| b.ts | ${n + 1} |`,
    ].join("\n\n");
  let text = "";
  for (let n = 1; text.length < length; n++) text += `${part(n)}\n\n`;
  return text.slice(0, length);
}

function p95(values: readonly number[]): number {
  return (
    values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
