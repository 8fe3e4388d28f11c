import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { watchProgress } from "./installProgress.ts";
import type { KnownAgent } from "./knownAgents.ts";
import { t } from "../util/l10n.ts";

export type Installed =
  { readonly ok: true } | { readonly ok: false; readonly why: string };

export interface InstallOptions {
  /** Global storage. */
  readonly storage: string;
  /** The folder with the agent's `package.json` and `package-lock.json`. */
  readonly locked: string;
  readonly npm?: string;
  /** Where npm and what it needs are looked for; where the host looks when absent. */
  readonly searchPath?: string;
  /** Hears how much is in place, from 0 to 1. */
  readonly progress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/** The script of an agent that was installed whole; undefined when it was not, or at another version. */
export function installedScript(
  storage: string,
  agent: KnownAgent,
): string | undefined {
  const script = path.join(
    folderOf(storage, agent),
    "node_modules",
    ...agent.package.split("/"),
    "dist",
    "index.js",
  );
  return existsSync(script) ? script : undefined;
}

/**
 * Installs exactly what the lockfile names, each package checked against its hash, with the user's own npm.
 * It is made beside its place and moved there when whole, so that a broken download is never taken for an agent.
 */
export async function installAgent(
  agent: KnownAgent,
  options: InstallOptions,
): Promise<Installed> {
  const place = folderOf(options.storage, agent);
  const work = `${place}.part`;
  try {
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { recursive: true });
    for (const name of ["package.json", "package-lock.json"])
      await cp(path.join(options.locked, name), path.join(work, name));
    const stop = watchProgress(work, options.progress);
    const done = await npmCi(work, options).finally(stop);
    if (!done.ok) return done;
    await rm(place, { recursive: true, force: true });
    await rename(work, place);
    return { ok: true };
  } catch (error) {
    return { ok: false, why: String(error) };
  } finally {
    // What stays is no agent, and is removed before the next try: not worth hiding the answer for.
    await rm(work, { recursive: true, force: true, maxRetries: 3 }).catch(
      () => undefined,
    );
  }
}

function folderOf(storage: string, { id, version }: KnownAgent): string {
  return path.join(storage, "agents", `${id}-${version}`);
}

function npmCi(work: string, options: InstallOptions): Promise<Installed> {
  const windows = process.platform === "win32";
  const { npm = windows ? "npm.cmd" : "npm", signal, searchPath } = options;
  if (signal?.aborted === true) return Promise.resolve(stopped);
  return new Promise((resolve) => {
    const child = spawn(
      npm,
      ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
      {
        cwd: work,
        stdio: ["ignore", "pipe", "pipe"],
        shell: windows,
        // A group of its own, to be ended whole.
        detached: !windows,
        windowsHide: true,
        env: {
          ...process.env,
          ...(searchPath === undefined ? {} : { PATH: searchPath }),
        },
      },
    );
    const stop = (): void => endAll(child.pid);
    signal?.addEventListener("abort", stop, { once: true });
    let said = "";
    const hear = (piece: Buffer): void => {
      said = (said + piece.toString()).slice(-2_000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (error) => resolve({ ok: false, why: why(error) }));
    // Closed, and not only ended: nothing of it writes any more.
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      const last = said.trim().split("\n").slice(-4).join("\n");
      if (code === 0) resolve({ ok: true });
      else
        resolve(signal?.aborted === true ? stopped : { ok: false, why: last });
    });
  });
}

const stopped: Installed = { ok: false, why: t("Stopped.") };

/** npm with all it started: what it made is thrown away, so that it needs no time to end well. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

function why(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return t("npm was not found. Install Node.js first.");
  return error.message;
}
