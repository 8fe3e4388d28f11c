import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { t } from "../util/l10n.ts";

/** Where a workspace's new threads are kept while its own folder cannot be used, best first. */
export function rescueFolders(
  storage: string,
  globalStorage: string,
): readonly string[] {
  const name = createHash("sha256").update(storage).digest("hex").slice(0, 16);
  return [
    path.join(globalStorage, "rescue", name),
    path.join(os.tmpdir(), `turnline-rescue-${name}`),
  ];
}

/** Why a folder is not only ours: in the shared temporary folder, anyone may have made one of this name. */
export function notPrivate(folder: string): string | undefined {
  const others = othersIn(folder);
  if (others === "theirs") return t("{0} belongs to another user.", folder);
  return others === "open"
    ? t("Other users have access to {0}.", folder)
    : undefined;
}

/** Shuts others out of a folder of ours; false when it is none. */
export function makePrivate(folder: string): boolean {
  const others = othersIn(folder);
  if (others === "open") fs.chmodSync(folder, 0o700);
  return others !== "theirs";
}

function othersIn(folder: string): "theirs" | "open" | undefined {
  if (process.getuid === undefined || path.dirname(folder) !== os.tmpdir())
    return undefined;
  // What a link names is never looked at, let alone changed.
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory() || found.uid !== process.getuid()) return "theirs";
  return (found.mode & 0o077) === 0 ? undefined : "open";
}
