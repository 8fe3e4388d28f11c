import { plainText } from "../core/recordText.ts";
import type { Connection } from "./connection.ts";
import { readBody } from "./rows.ts";

const rowsPerSlice = 50;

/** Makes the index of words if this SQLite can; it keeps words only, the texts are in their rows. */
export function ensureIndex(
  connection: Connection,
  readOnly: boolean,
): boolean {
  const able = connection.get(
    "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'",
  );
  if (able === undefined) return false;
  const there = connection.get(
    "SELECT 1 FROM sqlite_schema WHERE name = 'messageText'",
  );
  if (there !== undefined || readOnly) return there !== undefined;
  // Beginnings of words have lists of their own: without them a search as one types reads every list they begin.
  connection.exec(
    `CREATE VIRTUAL TABLE messageText USING fts5 (
      text, content = '', contentless_delete = 1, prefix = '2 3 4 5',
      tokenize = 'unicode61 remove_diacritics 2')`,
  );
  return true;
}

/** Indexes some of the settled texts that are not yet; answers how many it found waiting. */
export function indexDue(connection: Connection): number {
  const due = connection.all(
    `SELECT n, body, text FROM message WHERE search = 1 ORDER BY n LIMIT ?`,
    rowsPerSlice,
  );
  if (due.length === 0) return 0;
  connection.transaction("normal", () => {
    for (const row of due) {
      const n = Number(row["n"]);
      connection.run("DELETE FROM messageText WHERE rowid = ?", n);
      connection.run(
        "INSERT INTO messageText (rowid, text) VALUES (?, ?)",
        n,
        plainText(readBody(row)).toWellFormed().replaceAll("\0", " "),
      );
      connection.run("UPDATE message SET search = 2 WHERE n = ?", n);
    }
  });
  return due.length;
}
