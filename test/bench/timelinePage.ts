import { readFileSync } from "node:fs";
import path from "node:path";
import esbuild from "esbuild";
import type { Browser, Page } from "playwright-core";
import type {
  TimelineBatch,
  TimelineThread,
  ToTimeline,
} from "../../src/protocol/timeline.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

export type Theme = "dark" | "light" | "high-contrast";

/** The real timeline in a page of its own, told what there is by a stub of its host. */
export async function openTimeline(
  browser: Browser,
  messages: readonly ToTimeline[],
  theme: Theme = "dark",
  size = { width: 1100, height: 360 },
): Promise<Page> {
  const page = await browser.newPage({ viewport: size });
  const { css, script } = await bundle();
  const file = theme === "high-contrast" ? theme : `${theme}-modern`;
  const colours = readFileSync(
    path.join(root, `test/fixtures/webviewDev/themes/${file}.css`),
    "utf8",
  );
  await page.setContent(`<!doctype html><html lang="en"><head><title>Timeline</title>
    <style>${colours}${css}</style></head>
    <body class="vscode-${theme}"><div id="root"></div></body></html>`);
  await page.evaluate((told) => {
    const heard: unknown[] = [];
    const tell = (body: unknown): void =>
      window.postMessage({ kind: "post", body });
    Object.assign(window, {
      heard,
      tell,
      acquireVsCodeApi: () => ({
        postMessage: (data: { body: { type: string } }) => {
          heard.push(data.body);
          if (data.body.type === "ready") for (const body of told) tell(body);
        },
        getState: () => undefined,
        setState: () => undefined,
      }),
    });
  }, messages as ToTimeline[]);
  await page.addScriptTag({ content: script, type: "module" });
  await page.getByTestId("timeline").waitFor();
  return page;
}

/** Threads with this many turns in all, one after the other, of a few seconds each. */
export function manyTurns(count: number, now: number): readonly ToTimeline[] {
  const lanes = 5;
  const threads = Array.from({ length: lanes }, (_, index): TimelineThread => ({
    id: `t${index}`,
    title: `Thread ${index}`,
    agent: "Built-in",
    mark: "none",
    held: false,
    queued: [],
  }));
  const batches = Array.from({ length: count }, (_, n): TimelineBatch => {
    const from = now - (count - n) * 6_000;
    return {
      id: from.toString(16).padStart(12, "0").padEnd(16, "0"),
      thread: `t${n % lanes}`,
      type: "user_request",
      parent: null,
      retry: false,
      status: n % 17 === 0 ? "failed" : "completed",
      typed: [from - 3_000, from - 1_000],
      parts: [
        { kind: "think", from: from + 20, to: from + 4_000 },
        { kind: "tool", from: from + 4_000, to: from + 20_000 },
        { kind: "permission", from: from + 20_000, to: from + 22_000 },
        { kind: "think", from: from + 22_000, to: from + 25_000 },
      ],
      claimed: from,
      turns: [{ messages: 2, claimed: from, firstOutput: from + 900 }],
      agent: "Built-in",
      sent: { kind: "delta", bytes: 2_000 },
      stop: "end_turn",
      tools: 1,
    };
  });
  const told: ToTimeline[] = [{ type: "threads", now, threads }];
  for (let at = 0; at < batches.length; at += 500)
    told.push({ type: "batches", batches: batches.slice(at, at + 500) });
  told.push({ type: "complete", older: false, before: {} });
  return told;
}

interface Bundle {
  readonly css: string;
  readonly script: string;
}
let built: Promise<Bundle> | undefined;

function bundle(): Promise<Bundle> {
  built ??= esbuild
    .build({
      absWorkingDir: root,
      entryPoints: ["webview/timeline/main.tsx"],
      bundle: true,
      write: false,
      minify: true,
      outdir: "out/timeline",
      format: "esm",
      target: "chrome134",
      jsx: "automatic",
      jsxImportSource: "preact",
      define: { "process.env.NODE_ENV": '"production"' },
    })
    .then(({ outputFiles }) => ({
      css: text(outputFiles, ".css"),
      script: text(outputFiles, ".js"),
    }));
  return built;
}

function text(
  files: readonly { readonly path: string; readonly text: string }[],
  end: string,
): string {
  return files.find((file) => file.path.endsWith(end))?.text ?? "";
}
