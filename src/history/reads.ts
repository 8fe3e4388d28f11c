import type { Message, Snowflake } from "../core/message.ts";
import type { Session, Thread } from "../core/thread.ts";
import type { Archive, Page, PageRange } from "../core/writes.ts";
import type { Connection } from "./connection.ts";
import { fromText, toText } from "./plain.ts";
import {
  archiveColumns,
  messageColumns,
  readArchive,
  readMessage,
  readSession,
  readThread,
  sessionColumns,
  threadColumns,
} from "./rows.ts";

const messages = `SELECT ${messageColumns} FROM message`;

export function readThreads(connection: Connection): readonly Thread[] {
  return connection
    .all(
      `SELECT ${threadColumns} FROM thread WHERE deletedAt IS NULL ORDER BY updatedAt DESC, id`,
    )
    .flatMap(readThread);
}

export function findThread(
  connection: Connection,
  id: string,
): Thread | undefined {
  const row = connection.get(
    `SELECT ${threadColumns} FROM thread WHERE id = ? AND deletedAt IS NULL`,
    toText(id),
  );
  return row === undefined ? undefined : readThread(row)[0];
}

export function readSessions(
  connection: Connection,
  thread: string,
): readonly Session[] {
  return connection
    .all(
      `SELECT ${sessionColumns} FROM session WHERE thread = ? ORDER BY generation, agent`,
      toText(thread),
    )
    .flatMap(readSession);
}

export function readQueue(
  connection: Connection,
  thread: string,
): readonly Message[] {
  return connection
    .all(
      `${messages} WHERE thread = ? AND state = 'queued' ORDER BY rank, arrived, id`,
      toText(thread),
    )
    .map(readMessage);
}

export function readUnsettled(
  connection: Connection,
  thread: string,
): readonly Message[] {
  const open = connection.all(
    `SELECT DISTINCT batch FROM message
     WHERE thread = ? AND state IN ('claimed', 'sent') ORDER BY batch`,
    toText(thread),
  );
  return open
    .flatMap(({ batch }) => readBatch(connection, thread, String(batch)))
    .sort((a, b) => ((a.position ?? "") < (b.position ?? "") ? -1 : 1));
}

export function readUnfinished(connection: Connection): readonly string[] {
  return connection
    .all(
      `SELECT thread FROM message WHERE state = 'queued'
       UNION SELECT thread FROM message WHERE state IN ('claimed', 'sent')
       UNION SELECT thread FROM session WHERE process IS NOT NULL`,
    )
    .map(({ thread }) => fromText(String(thread)));
}

export function readPage(
  connection: Connection,
  thread: string,
  range: PageRange,
): Page {
  const { before, after, limit } = range;
  const forward = after !== undefined;
  const rows = connection.all(
    `${messages} WHERE thread = ? AND position > ? AND position < ?
     ORDER BY position ${forward ? "ASC" : "DESC"} LIMIT ?`,
    toText(thread),
    after ?? "",
    before ?? "g",
    limit + 1,
  );
  const page = rows.slice(0, limit).map(readMessage);
  return {
    messages: forward ? page : page.reverse(),
    more: rows.length > limit,
  };
}

export function readBatch(
  connection: Connection,
  thread: string,
  batch: Snowflake,
): readonly Message[] {
  return connection
    .all(
      `${messages} WHERE thread = ? AND batch = ? ORDER BY sequence`,
      toText(thread),
      batch,
    )
    .map(readMessage);
}

export function findMessage(
  connection: Connection,
  id: string,
): Message | undefined {
  const row = connection.get(`${messages} WHERE id = ?`, toText(id));
  return row === undefined ? undefined : readMessage(row);
}

export function readDiscarded(
  connection: Connection,
  thread: string,
  limit: number,
): readonly Message[] {
  return connection
    .all(
      `${messages} WHERE thread = ? AND state = 'discarded'
       ORDER BY arrived DESC, id DESC LIMIT ?`,
      toText(thread),
      limit,
    )
    .map(readMessage);
}

export function readArchives(
  connection: Connection,
  thread: string,
): readonly Archive[] {
  return connection
    .all(
      `SELECT ${archiveColumns} FROM archive WHERE thread = ? ORDER BY createdAt, id`,
      toText(thread),
    )
    .flatMap(readArchive);
}

export function readBlobs(
  connection: Connection,
  hashes: readonly string[],
): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const hash of hashes) {
    const data = connection.get(
      "SELECT data FROM blob WHERE hash = ?",
      toText(hash),
    )?.["data"];
    if (data instanceof Uint8Array) found.set(hash, data);
  }
  return found;
}

export function readGreatest(connection: Connection): Snowflake | undefined {
  const row = connection.get("SELECT value FROM meta WHERE key = 'greatest'");
  return row === undefined ? undefined : String(row["value"]);
}
