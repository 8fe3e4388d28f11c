import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");
export const fromRoot = (...parts: string[]): string =>
  path.join(root, ...parts);

/** Where output goes. */
export type Say = (text: string) => void;

const running = new Set<ChildProcess>();
let ending = false;

/** Ends what runs, starts nothing more, and settles when all is gone. */
export async function endRuns(): Promise<void> {
  ending = true;
  await Promise.all(
    [...running].map(async (child) => {
      child.kill();
      await once(child, "close");
    }),
  );
}

/** Runs a command of ours to its end with its output shown, or said; answers whether it succeeded. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  say?: Say,
): Promise<boolean> {
  if (ending) return Promise.resolve(false);
  return new Promise((resolve) => {
    const out = say === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", out, out],
      env: { ...process.env, ...env },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => say?.(text));
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(false);
    });
    running.add(child);
    child.on("close", (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}

/** What is known of earlier runs in this clone. */
export const cached = fromRoot("out", "cache");

/** A tool from node_modules, run on the Node this script runs on. */
export function tool(
  entry: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  say?: Say,
): Promise<boolean> {
  return run(
    process.execPath,
    [fromRoot("node_modules", entry), ...args],
    // What was compiled once need not be again.
    { NODE_COMPILE_CACHE: path.join(cached, "compiled"), ...env },
    say,
  );
}

export const eslint = "eslint/bin/eslint.js";
export const prettier = "prettier/bin/prettier.cjs";
/** The compiler in machine code; the other one is what ESLint and editors take types from. */
export const tsc = "typescript-native/bin/tsc";
export const mocha = "mocha/bin/mocha.js";
export const vsce = "@vscode/vsce/vsce";
