import { type ChildProcess, spawn } from "node:child_process";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atExit, exitOnSignals } from "../ending.ts";
import { installServer } from "./install.ts";
import { installedOnce, quietBuiltins } from "./ready.ts";

export interface ServerOptions {
  /** `--server-data-dir`: settings, extensions and storage of this run. */
  readonly data: string;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly vsix?: string;
  /** Without the built-in extensions that run code. */
  readonly quiet?: boolean;
  /** Ends the start; without one, a signal to this process ends both. */
  readonly signal?: AbortSignal;
  readonly trust?: "ask" | "off";
  /** Wished for; another one is taken where it is in use. */
  readonly port?: number;
  /** Added to the environment of VS Code, as the user's session would have it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly say?: (line: string) => void;
}

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  readonly data: string;
  readonly log: string;
  /** Ends the server and every process it started. */
  stop(): Promise<void>;
}

/** Starts the headless VS Code and answers when it serves pages. */
export async function startServer(
  options: ServerOptions,
): Promise<RunningServer> {
  const { folder } = await installServer(
    options.say ?? (() => undefined),
    options.signal,
  );
  const main = path.join(folder, "out", "server-main.js");
  const machine = path.join(options.data, "data", "Machine");
  await mkdir(machine, { recursive: true });
  await writeFile(
    path.join(machine, "settings.json"),
    JSON.stringify({ ...quietSettings, ...options.machineSettings }, null, 2),
  );
  if (options.vsix !== undefined)
    await takeExtension(main, options.vsix, options.data);
  const builtins =
    options.quiet === true
      ? ["--builtin-extensions-dir", await quietBuiltins(folder)]
      : [];
  const port = await freePort(options.port).catch(() => freePort());
  options.signal?.throwIfAborted();
  const child = launch(
    [
      main,
      ...["--host", "127.0.0.1", "--port", String(port)],
      ...["--server-data-dir", options.data],
      ...builtins,
      "--without-connection-token",
      "--accept-server-license-terms",
      "--disable-telemetry",
      "--enable-smoke-test-driver",
      ...(options.trust === "ask" ? [] : ["--disable-workspace-trust"]),
    ],
    options.env,
  );
  const log = path.join(options.data, "server.log");
  const file = createWriteStream(log, { flags: "a" });
  child.stdout?.pipe(file, { end: false });
  child.stderr?.pipe(file, { end: false });
  const url = `http://127.0.0.1:${port}/`;
  const forget = atExit(() => killTree(child, options.data));
  if (options.signal === undefined) exitOnSignals();
  const stop = async (): Promise<void> => {
    await endTree(child, options.data);
    forget();
  };
  try {
    await answers(url, child, log, options.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, url, data: options.data, log, stop };
}

/** VS Code installs the VSIX itself; what it made of it is kept and copied. */
async function takeExtension(
  main: string,
  vsix: string,
  data: string,
): Promise<void> {
  const installed = await installedOnce(vsix, (work) =>
    finished(
      launch([
        main,
        ...["--install-extension", vsix, "--force"],
        ...["--server-data-dir", work],
      ]),
    ),
  );
  const own = path.join(data, "extensions");
  await rm(own, { recursive: true, force: true });
  await cp(installed, own, { recursive: true });
}

/**
 * A home of its own, for tests: VS Code and Turnline ask the login shell for its environment, and wait for it.
 * What the user's own start-up files do must neither hold that up nor be cut off in the middle.
 */
export function ownHome(parent: string): { readonly HOME: string } {
  const home = path.join(parent, "home");
  mkdirSync(home, { recursive: true });
  return { HOME: home };
}

const quietSettings = {
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "chat.disableAIFeatures": true,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "security.workspace.trust.startupPrompt": "never",
};

function launch(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, ...more };
  for (const name of Object.keys(env))
    if (
      name === "ELECTRON_RUN_AS_NODE" ||
      name === "NODE_OPTIONS" ||
      name.startsWith("VSCODE_")
    )
      Reflect.deleteProperty(env, name);
  return spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env,
    detached: true,
  });
}

function finished(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: Buffer[] = [];
    child.stdout?.on("data", (data: Buffer) => said.push(data));
    child.stderr?.on("data", (data: Buffer) => said.push(data));
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `VS Code did not install the extension:\n${Buffer.concat(said).toString()}\nRun \`npm run package\`, then the same command again.`,
          ),
        );
    });
  });
}

async function answers(
  url: string,
  child: ChildProcess,
  log: string,
  signal?: AbortSignal,
): Promise<void> {
  const again = "Run the same command again; if it stays so, delete";
  for (let tries = 0; tries < 600; tries++) {
    signal?.throwIfAborted();
    if (child.exitCode !== null)
      throw new Error(
        `The VS Code server ended at once:\n${lastLines(log)}\n${again} ${path.dirname(log)}.`,
      );
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not listening yet.
    }
    await sleep(100);
  }
  throw new Error(
    `The VS Code server did not answer at ${url}:\n${lastLines(log)}\n${again} ${path.dirname(log)}.`,
  );
}

function lastLines(log: string): string {
  const said = existsSync(log) ? readFileSync(log, "utf8").trim() : "";
  return said.split("\n").slice(-20).join("\n");
}

function freePort(wished = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on("error", reject);
    probe.listen(wished, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no free port")),
      );
    });
  });
}

async function endTree(child: ChildProcess, data: string): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
  const tree = descendants(child.pid ?? -1);
  signal(-(child.pid ?? 0), "SIGTERM");
  await Promise.race([gone, sleep(3000)]);
  killTree(child, data, tree);
}

/** The server's helpers leave its process group, so what still names its data folder is ended too. */
function killTree(
  child: ChildProcess,
  data: string,
  tree: readonly number[] = descendants(child.pid ?? -1),
): void {
  signal(-(child.pid ?? 0), "SIGKILL");
  for (const pid of [...tree, ...mentioning(data)]) signal(pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (pid === 0) return;
  try {
    process.kill(pid, name);
  } catch {
    // Gone already.
  }
}

/** All processes below this one; empty where there is no /proc. */
function descendants(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const pid of pids()) {
    const stat = told(`/proc/${pid}/stat`);
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(pid, Number(parent));
  }
  const below = (pid: number): number[] =>
    [...parents]
      .filter(([, parent]) => parent === pid)
      .flatMap(([child]) => [child, ...below(child)]);
  return below(root);
}

function mentioning(text: string): readonly number[] {
  return pids().filter((pid) => {
    const line = told(`/proc/${pid}/cmdline`);
    return (
      line.includes("server-main") && line.includes(text) && pid !== process.pid
    );
  });
}

function pids(): readonly number[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function told(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
