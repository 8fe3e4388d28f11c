import { cpSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/** Where what one run of a suite leaves goes: each situation has a folder of its own, so that none writes over another's. */
export function evidenceFolder(results: string, situation = "usual"): string {
  return path.join(results, `integration-${situation.replace(/\W+/gu, "-")}`);
}

/** Keeps what VS Code logged, before its data is removed. */
export function keepLogs(
  { data, log }: { readonly data: string; readonly log: string },
  folder: string,
): void {
  mkdirSync(folder, { recursive: true });
  for (const [from, to] of [
    [path.join(data, "data", "logs"), "logs"],
    [log, "server.log"],
  ] as const)
    if (existsSync(from))
      cpSync(from, path.join(folder, to), { recursive: true });
}
