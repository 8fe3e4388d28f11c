import type { Maintained } from "../core/recordPort.ts";
import type { Connection } from "./connection.ts";
import { beingCleared, removeMessages } from "./removal.ts";
import { indexDue } from "./searchIndex.ts";
import { troubleOf } from "./sqliteError.ts";
import type { Sliced } from "./slices.ts";
import { errorText } from "../util/errorText.ts";

const day = 24 * 60 * 60 * 1000;
/** A deleted thread can be brought back this long. */
export const undoMs = 7 * day;
/** A request id stays known this long after its message is gone. */
export const requestMs = 90 * day;
const unusedBlobMs = day;
const checkEveryMs = 7 * day;
const rowsPerSlice = 200;

/** Clears away what nobody can ask for any more, gives space back, and looks for damage once a week. */
export function* maintain(
  connection: Connection,
  now: number,
  fullText: boolean,
): Sliced<Maintained> {
  yield* clearThreads(connection, now, fullText);
  connection.transaction("normal", () => {
    connection.run(
      "DELETE FROM request WHERE goneAt IS NOT NULL AND goneAt < ?",
      now - requestMs,
    );
  });
  yield;
  clearBlobs(connection, now);
  yield;
  if (fullText) while (indexDue(connection) > 0) yield;
  while (connection.number("PRAGMA freelist_count") > rowsPerSlice) {
    connection.exec(`PRAGMA incremental_vacuum(${rowsPerSlice})`);
    yield;
  }
  const damage = checkIsDue(connection, now) ? yield* check(connection) : null;
  if (damage === null) noteCheck(connection, now);
  return { damage };
}

/** The first thing that is wrong with the file, if any. */
export function* check(connection: Connection): Sliced<string | null> {
  const tables = connection.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
  );
  for (const { name } of tables) {
    const verdict = verdictOn(connection, String(name));
    if (verdict !== "ok") return verdict;
    yield;
  }
  return null;
}

/** SQLite gives up on some damage instead of naming it. */
function verdictOn(connection: Connection, table: string): string {
  try {
    const row = connection.get(`PRAGMA quick_check("${table}")`);
    return String(Object.values(row ?? {})[0]);
  } catch (error) {
    if (troubleOf(error) !== "corrupt") throw error;
    return errorText(error);
  }
}

function* clearThreads(
  connection: Connection,
  now: number,
  fullText: boolean,
): Sliced<void> {
  const gone = connection.all(
    "SELECT id FROM thread WHERE deletedAt IS NOT NULL AND deletedAt < ?",
    now - undoMs,
  );
  for (const { id } of gone) {
    const thread = String(id);
    connection.run(
      "UPDATE thread SET deletedAt = ? WHERE id = ?",
      beingCleared,
      thread,
    );
    for (;;) {
      const removed = connection.transaction("normal", () => {
        const rows = connection.all(
          "SELECT n, id FROM message WHERE thread = ? LIMIT ?",
          thread,
          rowsPerSlice,
        );
        return removeMessages(connection, rows, now, fullText);
      });
      if (removed === 0) break;
      yield;
    }
    connection.transaction("normal", () => {
      connection.run("DELETE FROM session WHERE thread = ?", thread);
      connection.run("DELETE FROM archive WHERE thread = ?", thread);
      connection.run("DELETE FROM thread WHERE id = ?", thread);
    });
    yield;
  }
}

/** Bytes that nothing uses go only when nothing used them the time before either: a message may be on its way. */
function clearBlobs(connection: Connection, now: number): void {
  const unused = "hash NOT IN (SELECT hash FROM blobUse)";
  connection.transaction("normal", () => {
    connection.run(
      `UPDATE blob SET unusedSince = NULL WHERE unusedSince IS NOT NULL AND NOT (${unused})`,
    );
    connection.run(
      `DELETE FROM blob WHERE unusedSince < ? AND ${unused}`,
      now - unusedBlobMs,
    );
    connection.run(
      `UPDATE blob SET unusedSince = ? WHERE unusedSince IS NULL AND ${unused}`,
      now,
    );
  });
}

function checkIsDue(connection: Connection, now: number): boolean {
  const last = connection.get("SELECT value FROM meta WHERE key = 'checkedAt'");
  return last === undefined || now - Number(last["value"]) > checkEveryMs;
}

function noteCheck(connection: Connection, now: number): void {
  if (!checkIsDue(connection, now)) return;
  connection.run(
    "INSERT OR REPLACE INTO meta VALUES ('checkedAt', ?)",
    String(now),
  );
}
