import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";

/** Processes a turn has started, each the head of a group of its own. None outlives the turn, nor this process. */
export class Children {
  readonly #groups = new Set<number>();

  /** Runs a command line in the user's shell, with nothing to read. */
  start(command: string, cwd: string): ChildProcess {
    const child = spawn(command, {
      cwd,
      shell: true,
      detached: !isWindows,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(),
    });
    if (child.pid !== undefined) {
      this.#groups.add(child.pid);
      everyGroup.add(child.pid);
    }
    return child;
  }

  /** Whether anything of the group is left after its head has gone. */
  leftBehind(child: ChildProcess): boolean {
    return child.pid !== undefined && !isWindows && isAlive(child.pid);
  }

  /** Ends what still runs, politely and then not, and waits until it has. */
  async end(): Promise<void> {
    const groups = [...this.#groups];
    this.#groups.clear();
    await Promise.all(groups.map(endGroup));
  }
}

/** At once and without waiting: for when this process itself goes. */
export function endAllChildren(): void {
  for (const group of everyGroup) signalGroup(group, "SIGKILL");
  everyGroup.clear();
}

const isWindows = process.platform === "win32";
const everyGroup = new Set<number>();
const graceMs = 200;
/** What was killed can't stay, but may take a moment; a dead process nobody has collected looks alive for ever. */
const deathMs = 100;
const lookMs = 10;

async function endGroup(group: number): Promise<void> {
  signalGroup(group, "SIGTERM");
  await untilGone(group, graceMs);
  signalGroup(group, "SIGKILL");
  await untilGone(group, deathMs);
  everyGroup.delete(group);
}

async function untilGone(group: number, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (isAlive(group) && performance.now() < deadline)
    await setTimeout(lookMs);
}

function signalGroup(group: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (isWindows) {
    if (isAlive(group))
      spawnSync("taskkill", ["/pid", String(group), "/T", "/F"], {
        windowsHide: true,
      });
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

function isAlive(group: number): boolean {
  try {
    process.kill(isWindows ? group : -group, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ours is not for the commands of others, but the mark by which a left-over process is found stays. */
function environment(): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(
    ([name]) =>
      name !== "ELECTRON_RUN_AS_NODE" && !name.startsWith("TURNLINE_BUILTIN_"),
  );
  return { ...Object.fromEntries(env), NO_COLOR: "1", TERM: "dumb" };
}
