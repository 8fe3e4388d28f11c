import type { Connection, Row } from "./connection.ts";

/** Stands in `deletedAt` of a thread whose rows are going: it can no longer be brought back. */
export const beingCleared = -1;

/** Takes rows (`n` and `id`) out of the record; their request ids stay known. */
export function removeMessages(
  connection: Connection,
  rows: readonly Row[],
  now: number,
  fullText: boolean,
): number {
  for (const row of rows) {
    const n = Number(row["n"]);
    const id = String(row["id"]);
    connection.run("UPDATE request SET goneAt = ? WHERE id = ?", now, id);
    connection.run("DELETE FROM blobUse WHERE message = ?", n);
    if (fullText) connection.run("DELETE FROM messageText WHERE rowid = ?", n);
    connection.run("DELETE FROM message WHERE n = ?", n);
  }
  return rows.length;
}
