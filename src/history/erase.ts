import fs from "node:fs";
import path from "node:path";
import { namesIn } from "./databaseFiles.ts";
import { LockFile } from "./lockFile.ts";
import { makePrivate } from "./rescueFolders.ts";

/** Deletes every record of a folder, left-over and damaged ones included; its store is closed first. */
export function eraseRecords(folder: string): readonly string[] {
  const ours = namesIn(folder)
    .filter((name) => /^turnline(-\d+)?\.db/.test(name))
    .map((name) => path.join(folder, name));
  for (const file of ours) fs.rmSync(file, { force: true });
  return ours;
}

/** Deletes all that Turnline keeps in a folder, unless another window writes there; false then. */
export function eraseFolder(folder: string): boolean {
  if (!fs.existsSync(folder) || !makePrivate(folder)) return true;
  const taken = LockFile.take(folder);
  if (taken.kind !== "taken") return false;
  eraseRecords(folder);
  const address = /^writer\.json/;
  for (const name of namesIn(folder).filter((one) => address.test(one)))
    fs.rmSync(path.join(folder, name), { force: true });
  taken.lock.remove();
  return true;
}
