import fs from "node:fs";
import { eraseFolder } from "./erase.ts";
import type { FolderIndex } from "./folderIndex.ts";
import { rescueFolders } from "./rescueFolders.ts";

export interface ErasedAll {
  readonly erased: number;
  /** Folders another window is writing to: left as they are. */
  readonly inUse: readonly string[];
}

/**
 * Deletes the records of every workspace the index knows, except those that are open elsewhere. What agents of ours
 * remember (`memories`) goes when no window is left that may use it.
 */
export function eraseAll(
  index: FolderIndex,
  globalStorage: string,
  memories: readonly string[],
): ErasedAll {
  const inUse: string[] = [];
  let erased = 0;
  for (const { storage } of index.all()) {
    if (eraseWorkspace(storage, globalStorage)) {
      index.forget(storage);
      erased += 1;
    } else inUse.push(storage);
  }
  if (inUse.length === 0)
    for (const folder of memories)
      fs.rmSync(folder, { recursive: true, force: true });
  return { erased, inUse };
}

/** A workspace's record, and what was kept elsewhere while that could not be opened; false while one is in use. */
export function eraseWorkspace(
  storage: string,
  globalStorage: string,
): boolean {
  return [storage, ...rescueFolders(storage, globalStorage)]
    .map((folder) => eraseFolder(folder))
    .every(Boolean);
}
