import { realpathSync, statSync, type Stats } from "node:fs";
import nodePath from "node:path";

export function isFolder(path: string): boolean {
  return stats(path)?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return stats(path)?.isFile() ?? false;
}

/** Links and `..` are followed first. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  const at = real(path);
  return folders.some((folder) => {
    const below = nodePath.relative(real(folder), at);
    return !(
      below === ".." ||
      below.startsWith(`..${nodePath.sep}`) ||
      nodePath.isAbsolute(below)
    );
  });
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return nodePath.resolve(path);
  }
}

function stats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
