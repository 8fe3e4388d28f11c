import type { Brought } from "../core/recordPort.ts";
import { databaseFiles } from "./databaseFiles.ts";
import type { SqliteStore } from "./sqliteStore.ts";
import { WriterLock } from "./writerLock.ts";

/** Copies the threads of another workspace's record, which stays as it is, while nobody writes to it. */
export async function bringThreads(
  store: Pick<SqliteStore, "adopt">,
  folder: string,
): Promise<Brought> {
  const lock = new WriterLock({
    folder,
    isWindowAlive: () => Promise.resolve(true),
    onRelease: () => Promise.resolve(),
    onChange: () => undefined,
  });
  try {
    const role = await lock.start();
    // Where nobody can hold a lock, nobody writes.
    if (role === "reader" && lock.trouble === undefined)
      return { kind: "inUse" };
    let threads = 0;
    const failed: string[] = [];
    for (const file of databaseFiles(folder)) {
      const adopted = await store.adopt(file);
      if (adopted.ok) threads += adopted.threads;
      else failed.push(`${file}: ${adopted.detail}`);
    }
    return { kind: "brought", threads, failed };
  } finally {
    await lock.dispose();
  }
}
