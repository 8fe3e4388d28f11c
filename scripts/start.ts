// Builds Turnline and opens it in VS Code on a small sample workspace.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { lockOrHolder } from "../test/lab/cache.ts";
import { stopOnSignals } from "../test/lab/ending.ts";
import { startServer } from "../test/lab/vscode/server.ts";
import { workbenchUrl } from "../test/lab/vscode/workbench.ts";
import { placeOf, shellArgs } from "./desktop.ts";
import { fromRoot, root, run } from "./tools.ts";
import { currentVsix } from "./vsix.ts";

/** Where the sample workspace and VS Code's own data are kept between starts. */
const home = process.env["TURNLINE_HOME"] ?? fromRoot("out");
const sample = path.join(home, "sample");
/** A development extension that opens the chat at the start, so that a newcomer need not look for it. */
const opener = fromRoot("test", "lab", "opener");
const say = (line: string): void => console.log(`Turnline: ${line}`);

try {
  if (!existsSync(sample))
    cpSync(fromRoot("test", "fixtures", "workspace"), sample, {
      recursive: true,
    });
  await open();
} catch (error) {
  console.error(
    `Turnline: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}

async function open(): Promise<void> {
  const { platform, env } = process;
  const place = placeOf({
    platform,
    env,
    code: codeVersion(),
    wanted: wanted(),
  });
  switch (place.kind) {
    case "desktop":
      return openDesktop();
    case "headless":
      say(`${place.reason} Using a headless one, in your browser.`);
      return serveHeadless();
    case "nowhere":
      throw new Error(place.reason);
  }
}

async function openDesktop(): Promise<void> {
  say("building …");
  if (!(await run(process.execPath, [fromRoot("esbuild.mjs")])))
    throw new Error(
      "the build failed; the errors are above. Mend them, then run the same command again.",
    );
  say("opening VS Code …");
  const args = [
    "--new-window",
    `--extensionDevelopmentPath=${root}`,
    `--extensionDevelopmentPath=${opener}`,
    sample,
  ];
  spawn("code", shellArgs(process.platform, args), {
    stdio: "inherit",
    shell: process.platform === "win32",
  }).on("exit", (code) => process.exit(code ?? 1));
}

/** One at a time: a second would take the extension and the data away from under the first. */
async function serveHeadless(): Promise<void> {
  const stop = new AbortController();
  stopOnSignals(() => {
    say("stopping …");
    stop.abort();
  });
  const lock = path.join(home, "start.lock");
  const release = await lockOrHolder(lock);
  if (typeof release !== "function") {
    say(alreadyRunning(release, lock));
    return;
  }
  try {
    await serve(lock, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await release();
  }
  process.exit(0);
}

/** Serves until it is stopped. */
async function serve(lock: string, signal: AbortSignal): Promise<void> {
  const vsix = await currentVsix(say);
  signal.throwIfAborted();
  say("starting VS Code …");
  const server = await startServer({
    data: path.join(home, "vscode"),
    vsix,
    port: Number(process.env["PORT"] ?? 8139),
    machineSettings: {
      "workbench.secondarySideBar.defaultVisibility": "visible",
    },
    signal,
    say,
  });
  try {
    const payload = [
      [
        "extensionDevelopmentPath",
        `vscode-remote://127.0.0.1:${server.port}${opener}`,
      ],
    ] as const;
    const url = workbenchUrl({ server, folder: sample, payload });
    writeFileSync(path.join(lock, "url"), url);
    say(`open ${url}`);
    say("the chat opens in the secondary side bar. Ctrl-C stops everything.");
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await server.stop();
  }
}

function alreadyRunning(holder: number | "unknown", lock: string): string {
  const url = path.join(lock, "url");
  return existsSync(url)
    ? `already running (process ${holder}): open ${readFileSync(url, "utf8")}`
    : `another start (process ${holder}) is under way.`;
}

function codeVersion(): string | undefined {
  const { status, stdout } = spawnSync("code", ["--version"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return status === 0 ? stdout : undefined;
}

function wanted(): string {
  const manifest = JSON.parse(
    readFileSync(fromRoot("package.json"), "utf8"),
  ) as { engines: { vscode: string } };
  return manifest.engines.vscode;
}
