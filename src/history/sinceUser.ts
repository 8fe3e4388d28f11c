import type { Message } from "../core/message.ts";
import type { Connection, Row } from "./connection.ts";
import { toText } from "./plain.ts";
import { messageColumns, readMessage } from "./rows.ts";

/** How far back the user's last message is looked for, a page at a time: what a few turns hold, not what a thread does. */
const pages = [50, 500, 5_000];
const ofUser = "json_extract(sender, '$.kind') = 'user' AND retryOf IS NULL";

export function readSinceUser(
  connection: Connection,
  thread: string,
  limit: number,
): readonly Message[] {
  const of = toText(thread);
  const since = [
    lastInTranscript(connection, of),
    ...["state = 'queued'", "state = 'discarded' AND position IS NULL"].map(
      (where) =>
        connection.get(
          `SELECT arrived FROM message WHERE thread = ? AND ${where} AND ${ofUser}
           ORDER BY arrived DESC LIMIT 1`,
          of,
        )?.["arrived"],
    ),
  ].reduce<string>(
    (last, one) => (String(one ?? "") > last ? String(one) : last),
    "",
  );
  const newest = (where: string, place: string): readonly Message[] =>
    connection
      .all(
        `SELECT ${messageColumns} FROM message WHERE thread = ? AND ${where} AND ${place} >= ?
         ORDER BY ${place} DESC LIMIT ?`,
        ...[of, since, limit],
      )
      .map(readMessage)
      .reverse();
  return [
    ...newest("kind IN ('user', 'turnStart')", "position"),
    ...newest("state = 'discarded' AND position IS NULL", "arrived"),
    ...newest("state = 'queued'", "arrived"),
  ];
}

function lastInTranscript(
  connection: Connection,
  thread: ReturnType<typeof toText>,
): string | undefined {
  let before = "g";
  for (const rows of pages) {
    const page: readonly Row[] = connection.all(
      `SELECT position, arrived, kind = 'user' AND ${ofUser} AS own FROM message
       WHERE thread = ? AND position < ? ORDER BY position DESC LIMIT ?`,
      ...[thread, before, rows],
    );
    const own = page.find((row) => row["own"] === 1);
    if (own !== undefined) return String(own["arrived"]);
    if (page.length < rows) return undefined;
    before = String(page.at(-1)?.["position"]);
  }
  return undefined;
}
