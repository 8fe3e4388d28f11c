import path from "node:path";
import { variable, type Environment } from "./environment.ts";

export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already: Windows must pass them as they are. */
  readonly verbatim: boolean;
}

export interface CommandWorld {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  readonly folder: string;
  isFile(path: string): boolean;
}

/**
 * What to spawn for a configured command. POSIX looks commands up by itself; on Windows `npm` and its kin
 * install `.cmd` shims, which only `cmd.exe` can run and whose arguments it would otherwise read as its own.
 */
export function spawnCommand(
  command: string,
  args: readonly string[],
  world: CommandWorld,
): SpawnCommand {
  if (world.platform !== "win32")
    return { file: command, args, verbatim: false };
  const file = findOnWindows(command, world) ?? command;
  if (!/\.(?:cmd|bat)$/iu.test(file)) return { file, args, verbatim: false };
  const line = [
    escapeForShell(file),
    ...args.map((arg) => escapeForShell(escapeForShell(quote(arg)))),
  ].join(" ");
  return {
    file: variable(world.environment, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    verbatim: true,
  };
}

function findOnWindows(
  command: string,
  world: CommandWorld,
): string | undefined {
  const { win32 } = path;
  const folders = /[\\/]/u.test(command)
    ? [world.folder]
    : (variable(world.environment, "PATH") ?? "").split(";").filter(Boolean);
  const endings = (
    variable(world.environment, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD"
  )
    .split(";")
    .filter(Boolean);
  // A bare `npx` beside `npx.cmd` is a shell script: without an ending of its own, only the listed ones count.
  const names =
    win32.extname(command) === ""
      ? endings.map((ending) => command + ending.toLowerCase())
      : [command, ...endings.map((ending) => command + ending.toLowerCase())];
  for (const folder of folders)
    for (const name of names) {
      const candidate = win32.resolve(folder, name);
      if (world.isFile(candidate)) return candidate;
    }
  return undefined;
}

/** One argument as the C runtime reads it back: backslashes before a quote are doubled. */
function quote(arg: string): string {
  const inner = arg
    .replace(/(\\*)"/gu, (_, slashes: string) => `${slashes}${slashes}\\"`)
    .replace(/(\\+)$/u, (slashes) => slashes + slashes);
  return `"${inner}"`;
}

function escapeForShell(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/gu, "^$&");
}
