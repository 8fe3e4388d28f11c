import { LockFile } from "../../../src/history/lockFile.ts";
import { openStore } from "../../../src/history/sqliteStore.ts";
import { write } from "../../fakes/recordBuilder.ts";

/** Opens a folder's record as whoever runs this, tries to write, and prints what came of it. */
async function main(folder: string, worker: string): Promise<void> {
  const opened = await openStore({ folder, worker });
  if (!opened.ok) {
    const { ok, reason } = opened;
    console.log(JSON.stringify({ opened: { ok, reason } }));
    return;
  }
  const { store, ok, readOnly } = opened;
  const threads = (await store.threads()).length > 0;
  const answer = await store.commit([write.thread("new")], "full");
  await store.close();
  console.log(
    JSON.stringify({
      opened: { ok, readOnly },
      threads,
      answer: answer.ok ? "ok" : answer.reason,
      locked: LockFile.take(folder).kind,
    }),
  );
}

const [folder = "", worker = ""] = process.argv.slice(2);
void main(folder, worker);
