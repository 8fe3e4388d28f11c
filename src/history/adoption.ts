import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { inspect, isWritable, frozenUrl, hasRecent } from "./inspection.ts";
import { Connection } from "./connection.ts";
import { upgrade } from "./creation.ts";
import { migrations, type Migration } from "./schema.ts";
import { troubleOf } from "./sqliteError.ts";
import type { Sliced } from "./slices.ts";
import { errorText } from "../util/errorText.ts";

export type Adopted =
  | { readonly ok: true; readonly threads: number; readonly messages: number }
  | { readonly ok: false; readonly detail: string };

export interface AdoptOptions {
  /** The source's agents are ours to end: it is a part of this workspace's own record. */
  readonly own?: boolean;
}

/**
 * Brings in the threads of another database, each whole or not at all; of one that is here already, what is new.
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
    return { ok: false, detail: errorText(error) };
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
  connection.exec(
    "CREATE TEMP TABLE IF NOT EXISTS bringing (n INTEGER PRIMARY KEY, id TEXT NOT NULL)",
  );
  const found = connection.all(
    `SELECT id, id IN (SELECT id FROM thread) AS here
     FROM other.thread WHERE deletedAt IS NULL`,
  );
  for (const { id, here } of found) {
    const copied = connection.transaction("full", () =>
      here === 1
        ? copyRest(connection, String(id), own)
        : copyThread(connection, String(id), own),
    );
    if (copied === null) continue;
    messages += copied;
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
  const copied = bring(connection, thread, thread, "TRUE");
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

/**
 * What a thread that is here too has more there, as a thread of its own: whole batches, and what waits in the queue.
 * Its sessions stay with the thread that is here, so that no two threads speak in one.
 */
function copyRest(
  connection: Connection,
  thread: string,
  own: boolean,
): number | null {
  if (connection.get(`${unknownRows} LIMIT 1`, thread) === undefined)
    return null;
  const as = randomUUID();
  connection.run(
    `INSERT INTO thread SELECT ?, trim(title || ' (kept elsewhere)'), folder, agent, held, 0, createdAt, updatedAt, NULL
     FROM other.thread WHERE id = ?`,
    as,
    thread,
  );
  if (own)
    connection.run(
      `INSERT INTO session SELECT ?, agent, generation, folder, NULL, 'lost', NULL, '{}', process
       FROM other.session WHERE thread = ? AND process IS NOT NULL`,
      as,
      thread,
    );
  return bring(
    connection,
    thread,
    as,
    `n IN (${unknownRows}) OR batch IN (SELECT batch FROM other.message WHERE n IN (${unknownRows}))`,
  );
}

/** What was here and was removed stays removed, with all of its batch. */
const unknownRows = `
  SELECT n FROM other.message AS theirs WHERE thread = ?1 AND id NOT IN (SELECT id FROM message)
    AND id NOT IN (SELECT id FROM request) AND NOT EXISTS (
      SELECT 1 FROM other.message AS beside JOIN request ON request.id = beside.id
      WHERE beside.thread = theirs.thread AND beside.batch = theirs.batch AND goneAt IS NOT NULL)`;

/** Copies rows of a thread; one whose id is here already, as another thread's, gets one of its own. */
function bring(
  connection: Connection,
  thread: string,
  as: string,
  which: string,
): number {
  connection.run("DELETE FROM bringing");
  connection.run(
    `INSERT INTO bringing SELECT n, iif(id IN (SELECT id FROM message), lower(hex(randomblob(16))), id)
     FROM other.message WHERE thread = ?1 AND (${which})`,
    thread,
  );
  const columns = messageColumns.join(", ");
  const copied = connection.run(
    `INSERT INTO message (id, thread, parentBatch, retryOf, ${columns}, search)
     SELECT bringing.id, ?1,
       iif(thread = ?1, parentBatch, (SELECT p.batch FROM other.message AS p JOIN bringing AS b ON b.n = p.n
         WHERE p.thread = m.thread AND p.batch = m.parentBatch)),
       iif(thread = ?1, retryOf, (SELECT b.id FROM other.message AS o JOIN bringing AS b ON b.n = o.n
         WHERE o.id = m.retryOf)),
       ${columns}, min(search, 1)
     FROM other.message AS m JOIN bringing USING (n) ORDER BY m.n`,
    as,
  );
  connection.run(
    `INSERT OR IGNORE INTO request (id)
     SELECT bringing.id FROM other.message JOIN bringing USING (n) WHERE state IS NOT NULL`,
  );
  connection.run(
    `INSERT OR IGNORE INTO blobUse SELECT u.hash, here.n
     FROM bringing JOIN other.blobUse u ON u.message = bringing.n JOIN message here ON here.id = bringing.id`,
  );
  connection.run(
    `INSERT OR IGNORE INTO blob (hash, mimeType, data)
     SELECT hash, mimeType, data FROM other.blob WHERE hash IN
       (SELECT u.hash FROM bringing JOIN other.blobUse u ON u.message = bringing.n)`,
  );
  return copied;
}

const messageColumns = [
  "arrived",
  "rank",
  "position",
  "batch",
  "sequence",
  "batchType",
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
