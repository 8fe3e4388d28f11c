import { createHash } from "node:crypto";
import os from "node:os";
import path from "node:path";

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
