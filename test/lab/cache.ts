import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Where downloads stay between clones: outside what git tracks. */
export function cacheFolder(): string {
  return (
    process.env["TURNLINE_CACHE"] ??
    path.join(
      process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"),
      "turnline",
    )
  );
}

export interface Install {
  readonly name: string;
  /** The folder of the lockfile. */
  readonly source: string;
  /** Further files there that what is installed is made of. */
  readonly also?: readonly string[];
  readonly install: (folder: string) => Promise<void>;
  readonly say?: Say;
  readonly signal?: AbortSignal | undefined;
}

export type Say = (line: string) => void;

/**
 * Installs a lockfile into the cache, once per content of it, and answers its folder.
 * It appears whole or not at all, also when several runs want it at once.
 */
export async function installed(what: Install): Promise<string> {
  const { name, source, install, say } = what;
  const key = createHash("sha256");
  for (const file of ["package-lock.json", ...(what.also ?? [])])
    key.update(await readFile(path.join(source, file)));
  const target = path.join(
    cacheFolder(),
    `${name}-${key.digest("hex").slice(0, 12)}`,
  );
  if (existsSync(target)) return target;
  const release = await exclusive(
    `${target}.lock`,
    (pid) =>
      say?.(`waiting for another run that fetches the same (process ${pid}) …`),
    what.signal,
  );
  try {
    if (existsSync(target)) return target;
    await removeLeftovers(target);
    const work = `${target}.${process.pid}`;
    await rm(work, { recursive: true, force: true });
    await mkdir(work, { recursive: true });
    for (const file of ["package.json", "package-lock.json"])
      await cp(path.join(source, file), path.join(work, file));
    await install(work);
    await rename(work, target);
    return target;
  } finally {
    await release();
  }
}

/** Runs npm in a folder on this process's own Node; quiet unless it fails. */
export function npm(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: Buffer[] = [];
    const cli = process.env["npm_execpath"];
    const [command, first] =
      cli === undefined
        ? [process.platform === "win32" ? "npm.cmd" : "npm", []]
        : [process.execPath, [cli]];
    const child = spawn(
      command,
      [...first, ...args, "--no-audit", "--no-fund"],
      {
        cwd: folder,
        env: {
          ...process.env,
          PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
        },
        stdio: ["ignore", "pipe", "pipe"],
        shell: command.endsWith(".cmd"),
        ...(signal === undefined ? {} : { signal }),
      },
    );
    const end = (): boolean => child.kill();
    process.once("exit", end);
    child.stdout.on("data", (data: Buffer) => said.push(data));
    child.stderr.on("data", (data: Buffer) => said.push(data));
    child.on("error", reject);
    child.on("exit", (code) => {
      process.off("exit", end);
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `npm ${args.join(" ")} failed in ${folder}:\n${Buffer.concat(said).toString().slice(-4000)}\nCheck the connection to your npm registry and the space on the disk, then run the same command again.`,
          ),
        );
    });
  });
}

/** Lets the lock go. */
export type Release = () => Promise<void>;

/** Waits for a lock; an abort ends the wait. */
export async function exclusive(
  folder: string,
  waits: (holder: number) => void,
  signal?: AbortSignal,
): Promise<Release> {
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    const got = await lockOrHolder(folder);
    if (typeof got === "function") return got;
    if (!told && got !== "unknown") waits(got);
    told ||= got !== "unknown";
    await sleep(200, undefined, signal === undefined ? {} : { signal });
  }
}

/** A lock by making a folder with the holder's process id in it, or else who holds it; one left by a dead run is taken over. */
export async function lockOrHolder(
  folder: string,
): Promise<Release | number | "unknown"> {
  await mkdir(path.dirname(folder), { recursive: true });
  for (;;) {
    try {
      await mkdir(folder);
      await writeFile(path.join(folder, "pid"), String(process.pid));
      return () => rm(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = await holderOf(folder);
    if (holder !== "dead") return holder;
    await takeAway(folder);
  }
}

/** One that has only just made the folder has not yet written who it is. */
async function holderOf(folder: string): Promise<number | "dead" | "unknown"> {
  const pid = Number(
    await readFile(path.join(folder, "pid"), "utf8").catch(() => ""),
  );
  if (pid > 0) return isAlive(pid) ? pid : "dead";
  const made = await stat(folder).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > 10_000
    ? "dead"
    : "unknown";
}

/** Two may find the same dead holder: what was taken away by mistake, a new lock, is put back. */
async function takeAway(folder: string): Promise<void> {
  const aside = `${folder}.${process.pid}`;
  try {
    await rename(folder, aside);
  } catch {
    return;
  }
  if ((await holderOf(aside)) === "dead")
    await rm(aside, { recursive: true, force: true });
  else await rename(aside, folder).catch(() => undefined);
}

/** What an interrupted fetch left, which may be hundreds of megabytes. */
async function removeLeftovers(target: string): Promise<void> {
  const folder = path.dirname(target);
  const name = path.basename(target);
  for (const found of await readdir(folder)) {
    const pid = /^\.(\d+)$/.exec(found.slice(name.length))?.[1];
    if (found.startsWith(name) && pid !== undefined && !isAlive(Number(pid)))
      await rm(path.join(folder, found), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
