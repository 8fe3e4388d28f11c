import fs from "node:fs";
import path from "node:path";

/** Numbered from 1; the others stand beside one that could not be used. */
export function databaseFile(folder: string, n = 1): string {
  return path.join(folder, n === 1 ? "turnline.db" : `turnline-${n}.db`);
}

/** The databases of a folder, in their order. */
export function databaseFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .flatMap((name) => {
      const found = /^turnline(?:-(\d+))?\.db$/.exec(name);
      return found === null ? [] : [Number(found[1] ?? 1)];
    })
    .sort((a, b) => a - b)
    .map((n) => databaseFile(folder, n));
}

/** What is in a folder; nothing where there is none. */
export function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
