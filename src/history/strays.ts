import fs from "node:fs";
import type { Adopted, AdoptOptions } from "./adoption.ts";
import { databaseFiles } from "./databaseFiles.ts";
import { LockFile } from "./lockFile.ts";

/** What came of bringing threads in. */
export interface Gathered {
  readonly threads: number;
  /** Files that stay as they are, and why. */
  readonly failed: readonly {
    readonly path: string;
    readonly detail: string;
  }[];
}

interface Taker {
  adopt(file: string, options?: AdoptOptions): Promise<Adopted>;
}

/**
 * Brings back what had to be kept elsewhere for a while: in files beside the record, and in the folders that stood in
 * for its own. A file whose threads have come is renamed, so that it is brought once.
 */
export async function gatherStrays(
  store: Taker,
  beside: readonly string[],
  folders: readonly string[],
): Promise<Gathered> {
  const parts: Gathered[] = [];
  for (const file of beside) parts.push(await gatherFile(store, file));
  for (const folder of folders) parts.push(await gatherFolder(store, folder));
  return {
    threads: parts.reduce((sum, { threads }) => sum + threads, 0),
    failed: parts.flatMap(({ failed }) => failed),
  };
}

async function gatherFolder(store: Taker, folder: string): Promise<Gathered> {
  const files = databaseFiles(folder);
  if (files.length === 0) return nothing;
  const taken = LockFile.take(folder);
  if (taken.kind !== "taken") {
    const detail =
      taken.kind === "held" ? "another window uses it" : taken.detail;
    return {
      threads: 0,
      failed: files.map((file) => ({ path: file, detail })),
    };
  }
  try {
    return await gatherStrays(store, files, []);
  } finally {
    taken.lock.release();
  }
}

async function gatherFile(store: Taker, file: string): Promise<Gathered> {
  const adopted = await store.adopt(file, { own: true });
  if (!adopted.ok)
    return { threads: 0, failed: [{ path: file, detail: adopted.detail }] };
  try {
    const done = unusedName(`${file}.adopted`);
    for (const suffix of ["-wal", "-shm", ""])
      if (fs.existsSync(file + suffix))
        fs.renameSync(file + suffix, done + suffix);
  } catch {
    // Brought again next time, which adds nothing.
  }
  return { threads: adopted.threads, failed: [] };
}

const nothing: Gathered = { threads: 0, failed: [] };

function unusedName(wanted: string): string {
  let name = wanted;
  for (let n = 2; fs.existsSync(name); n += 1) name = `${wanted}${n}`;
  return name;
}
