import type { Message, Snowflake } from "../core/message.ts";
import type { Retained, RetentionPolicy } from "../core/recordPort.ts";
import { liveCursors, mayCut } from "../core/recordRetention.ts";
import type { Needs } from "../core/recordRetention.ts";
import { snowflake } from "../core/snowflake.ts";
import type { Connection, Row } from "./connection.ts";
import { fromText, toText } from "./plain.ts";
import { readArchives, readSessions } from "./reads.ts";
import { removeMessages } from "./removal.ts";
import type { Sliced } from "./slices.ts";

const batchesPerSlice = 20;

/** Cuts the oldest batches, some at a time, until the policy is met or nothing more may go. */
export function* retain(
  connection: Connection,
  policy: RetentionPolicy,
  now: number,
  fullText: boolean,
): Sliced<Retained> {
  const edge =
    policy.before === undefined ? "" : snowflake(Math.max(0, policy.before), 0);
  const cut = { batches: 0, messages: 0 };
  const remove = (rows: readonly Row[]): void => {
    cut.messages += removeMessages(connection, rows, now, fullText);
  };
  const tooLarge = (): boolean =>
    policy.maxBytes !== undefined && usedBytes(connection) > policy.maxBytes;
  let after: readonly [Snowflake, string] = ["", ""];
  for (;;) {
    const firsts = connection.all(
      `SELECT batch, thread FROM message WHERE sequence = 0 AND (batch, thread) > (?, ?)
       ORDER BY batch, thread LIMIT ?`,
      ...after,
      batchesPerSlice,
    );
    const last = firsts.at(-1);
    if (last === undefined) break;
    after = [String(last["batch"]), String(last["thread"])];
    const candidates = firsts.map(({ batch, thread }) => ({
      batch: String(batch),
      thread: fromText(String(thread)),
    }));
    const done = connection.transaction("normal", () => {
      for (const { batch, thread } of candidates) {
        if (batch >= edge && !tooLarge()) return true;
        const rows = batchRows(connection, thread, batch);
        const end = lastOf(rows);
        if (end >= edge && !tooLarge()) continue;
        if (!mayGo(connection, thread, batch, rows, end)) continue;
        remove(rows);
        cut.batches += 1;
      }
      return false;
    });
    if (done) break;
    yield;
  }
  connection.transaction("normal", () =>
    remove(
      connection.all(
        "SELECT n, id FROM message WHERE state = 'discarded' AND batch IS NULL AND arrived < ?",
        edge,
      ),
    ),
  );
  return cut;
}

/** What the record takes, without what is free inside the file. */
export function usedBytes(connection: Connection): number {
  const pages =
    connection.number("PRAGMA page_count") -
    connection.number("PRAGMA freelist_count");
  return pages * connection.number("PRAGMA page_size");
}

function mayGo(
  connection: Connection,
  thread: string,
  batch: Snowflake,
  rows: readonly Row[],
  last: Snowflake,
): boolean {
  const count = (kind: string): number =>
    rows.filter((row) => row["kind"] === kind).length;
  return mayCut(
    {
      id: batch,
      last,
      ended: count("turnStart") === count("turnEnd"),
      states: rows.map(({ state }) => state as Message["state"]),
    },
    needsOf(connection, thread),
  );
}

function needsOf(connection: Connection, thread: string): Needs {
  const archives = readArchives(connection, thread);
  return {
    cursors: liveCursors(readSessions(connection, thread)),
    isArchived: (batch) =>
      archives.some(({ batches }) => batches.includes(batch)),
    isParent: (batch) =>
      connection.get(
        "SELECT 1 FROM message WHERE thread = ? AND parentBatch = ? LIMIT 1",
        toText(thread),
        batch,
      ) !== undefined,
  };
}

function batchRows(
  connection: Connection,
  thread: string,
  batch: Snowflake,
): readonly Row[] {
  return connection.all(
    "SELECT n, id, kind, state, position FROM message WHERE thread = ? AND batch = ?",
    toText(thread),
    batch,
  );
}

function lastOf(rows: readonly Row[]): Snowflake {
  return rows
    .map(({ position }) => String(position))
    .reduce((last, position) => (position > last ? position : last), "");
}
