import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { inspect, isWritable, frozenUrl, hasRecent } from "./inspection.ts";
import { Connection } from "./connection.ts";
import { upgrade } from "./creation.ts";
import { migrations, type Migration } from "./schema.ts";
import { messageOf, troubleOf } from "./sqliteError.ts";
import type { Sliced } from "./slices.ts";

export type Adopted =
  | { readonly ok: true; readonly threads: number; readonly messages: number }
  | { readonly ok: false; readonly detail: string };

export interface AdoptOptions {
  /** The source's agents are ours to end: it is a part of this workspace's own record. */
  readonly own?: boolean;
}

/**
 * Brings in the threads of another database, each whole or not at all; one that is here already stays as it is.
 * The source is not written to; one of an older schema is taken further in a copy beside `here`.
 */
export function* adopt(
  connection: Connection,
  here: string,
  file: string,
  options: AdoptOptions = {},
  steps: readonly Migration[] = migrations,
): Sliced<Adopted> {
  const copy = `${here}.adopting`;
  try {
    const found = inspect(file, steps.length);
    if (found.kind !== "sound" && found.kind !== "older")
      return {
        ok: false,
        detail: "detail" in found ? found.detail : `it is ${found.kind}`,
      };
    if (found.kind === "older") takeFurther(file, copy, steps);
    const source = found.kind === "older" ? copy : file;
    connection.run("ATTACH ? AS other", readOnlyUrl(source).href);
    try {
      return yield* copyThreads(connection, options.own === true);
    } finally {
      connection.exec("DETACH other");
    }
  } catch (error) {
    if (troubleOf(error) === undefined) throw error;
    return { ok: false, detail: messageOf(error) };
  } finally {
    removeAll(copy);
  }
}

function* copyThreads(connection: Connection, own: boolean): Sliced<Adopted> {
  let threads = 0;
  let messages = 0;
  connection.run(
    `INSERT INTO meta SELECT * FROM other.meta WHERE key = 'greatest'
     ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)`,
  );
  const ids = connection.all(
    "SELECT id FROM other.thread WHERE deletedAt IS NULL AND id NOT IN (SELECT id FROM thread)",
  );
  for (const { id } of ids) {
    messages += connection.transaction("full", () =>
      copyThread(connection, String(id), own),
    );
    threads += 1;
    yield;
  }
  return { ok: true, threads, messages };
}

function takeFurther(
  file: string,
  copy: string,
  steps: readonly Migration[],
): void {
  removeAll(copy);
  fs.copyFileSync(file, copy);
  if (hasRecent(file)) fs.copyFileSync(`${file}-wal`, `${copy}-wal`);
  const connection = new Connection(copy);
  try {
    for (const backup of upgrade(connection, copy, steps))
      fs.rmSync(backup, { force: true });
  } finally {
    connection.close();
  }
}

function removeAll(file: string): void {
  for (const suffix of ["", "-wal", "-shm"])
    fs.rmSync(file + suffix, { force: true });
}

function readOnlyUrl(file: string): URL {
  if (!isWritable(path.dirname(file)) && !hasRecent(file))
    return frozenUrl(file);
  const url = pathToFileURL(path.resolve(file));
  url.searchParams.set("mode", "ro");
  return url;
}

function copyThread(
  connection: Connection,
  thread: string,
  own: boolean,
): number {
  connection.run(
    "INSERT INTO thread SELECT * FROM other.thread WHERE id = ?",
    thread,
  );
  const columns = messageColumns.join(", ");
  const copied = connection.run(
    `INSERT INTO message (${columns}, search)
     SELECT ${columns}, min(search, 1) FROM other.message WHERE thread = ? ORDER BY n`,
    thread,
  );
  connection.run(
    `INSERT OR IGNORE INTO request (id)
     SELECT id FROM other.message WHERE thread = ? AND state IS NOT NULL`,
    thread,
  );
  connection.run(
    `INSERT OR IGNORE INTO blobUse SELECT u.hash, here.n
     FROM other.message there JOIN other.blobUse u ON u.message = there.n
     JOIN message here ON here.id = there.id WHERE there.thread = ?`,
    thread,
  );
  connection.run(
    `INSERT OR IGNORE INTO blob (hash, mimeType, data)
     SELECT hash, mimeType, data FROM other.blob WHERE hash IN
       (SELECT u.hash FROM other.message m JOIN other.blobUse u ON u.message = m.n WHERE m.thread = ?)`,
    thread,
  );
  connection.run(
    `INSERT OR IGNORE INTO session
     SELECT thread, agent, generation, folder, sessionId, state, cursor, ledger, ${own ? "process" : "NULL"}
     FROM other.session WHERE thread = ?`,
    thread,
  );
  connection.run(
    "INSERT OR IGNORE INTO archive SELECT * FROM other.archive WHERE thread = ?",
    thread,
  );
  return copied;
}

const messageColumns = [
  "id",
  "thread",
  "arrived",
  "rank",
  "position",
  "batch",
  "sequence",
  "batchType",
  "parentBatch",
  "retryOf",
  "kind",
  "sender",
  "agent",
  "state",
  "marks",
  "body",
  "text",
  "length",
  "diff",
];
