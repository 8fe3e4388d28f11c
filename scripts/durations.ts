import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { cacheFolder } from "../test/lab/cache.ts";

/** Seconds by file, as the last runs on this machine took; kept beside the downloads. */
export type Durations = Readonly<Record<string, number>>;

const table = z.record(z.string(), z.number());
const file = (): string => path.join(cacheFolder(), "durations.json");

export function readDurations(): Durations {
  if (!existsSync(file())) return {};
  try {
    return table.parse(JSON.parse(readFileSync(file(), "utf8")));
  } catch {
    return {};
  }
}

export function noteDurations(taken: Durations): void {
  mkdirSync(path.dirname(file()), { recursive: true });
  const all = { ...readDurations(), ...taken };
  writeFileSync(file(), `${JSON.stringify(all, undefined, 2)}\n`);
}

/** The long ones first, so that none is left over for the end; one never run is judged by its size. */
export function longestFirst(
  files: readonly { readonly name: string; readonly bytes: number }[],
  known: Durations,
): readonly string[] {
  const bytesASecond = 150;
  // Real agents take their time, whatever is asked of them.
  const guess = ({ name, bytes }: { name: string; bytes: number }): number =>
    known[name] ??
    (name.startsWith("test/agents/") ? 100 : 0) + bytes / bytesASecond;
  return [...files]
    .sort((a, b) => guess(b) - guess(a) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}
