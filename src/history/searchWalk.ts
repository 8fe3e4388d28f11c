import type { MessageState } from "../core/message.ts";
import type { SearchQuery } from "../core/recordPort.ts";
import type { Wanted } from "../core/recordSearch.ts";
import { snowflake } from "../core/snowflake.ts";
import type { Connection, Row } from "./connection.ts";
import { toText } from "./plain.ts";
import { messageColumns } from "./rows.ts";
import { filterOf, sieveOf, type Filter } from "./searchFilter.ts";

/** Some of the rows that may be asked for, newest first, and how far that went. */
export interface Step {
  readonly rows: readonly Row[];
  /** How many were looked at to find them. */
  readonly looked: number;
  /** Everything newer than this, and this, was looked at. */
  readonly below: number;
}

/** Rows looked at before others get their turn. */
const rowsPerStep = 200;
/** So few are looked at one by one rather than by words. */
const few = 500;
/** Several threads are walked side by side, up to this many. */
const mostThreads = 20;
/** Few messages are ever in these, and an index holds just them. */
const rareStates: Readonly<Partial<Record<MessageState, string>>> = {
  queued: "messageQueued",
  discarded: "messageDiscarded",
};

/** The shortest way through the record for what is asked. */
export function walk(
  connection: Connection,
  query: SearchQuery,
  asked: Wanted,
  words: readonly string[],
): { readonly indexed: boolean; readonly steps: Generator<Step> } {
  const filter = filterOf(query);
  const sieve = sieveOf(asked);
  const one = (list: Generator<readonly number[]>): Generator<Step> =>
    byNumber(connection, list, join(filter, sieve));
  const rare =
    inRareState(connection, query) ??
    inFewBatches(connection, query) ??
    byFewAgents(connection, query) ??
    fewBefore(connection, query);
  if (rare !== undefined)
    return { indexed: false, steps: one(inPieces(rare, query)) };
  const { threads } = query;
  if (threads !== undefined && threads.length <= mostThreads)
    if (words.length === 0 || areSmall(connection, threads))
      return { indexed: false, steps: one(ofThreads(connection, query)) };
  if (words.length === 0)
    return { indexed: false, steps: ofAll(connection, query, filter, sieve) };
  const matches = ofWords(connection, query, words);
  return { indexed: true, steps: byNumber(connection, matches, filter) };
}

function* byNumber(
  connection: Connection,
  lists: Generator<readonly number[]>,
  filter: Filter,
): Generator<Step> {
  for (const list of lists)
    yield {
      rows: connection.all(
        `SELECT n, ${messageColumns} FROM message m NOT INDEXED
         WHERE n IN (SELECT value FROM json_each(?)) AND search > 0 ${filter.sql}
         ORDER BY n DESC`,
        JSON.stringify(list),
        ...filter.values,
      ),
      looked: list.length,
      below: list.at(-1) ?? 0,
    };
}

function inRareState(
  connection: Connection,
  { state }: SearchQuery,
): readonly number[] | undefined {
  const index = state === undefined ? undefined : rareStates[state];
  if (index === undefined) return undefined;
  return numbers(
    connection.all(
      `SELECT n FROM message INDEXED BY ${index} WHERE state = '${state}'`,
    ),
  );
}

/** The rows of the batches that hold a diff, where those are few. */
function inFewBatches(
  connection: Connection,
  { has }: SearchQuery,
): readonly number[] | undefined {
  if (has === undefined) return undefined;
  const most = 50;
  const diffs = connection.all(
    `SELECT n, thread, batch FROM message INDEXED BY messageDiff
     WHERE diff = 1 LIMIT ${most + 1}`,
  );
  if (diffs.length > most) return undefined;
  const rows = diffs.flatMap((diff) => [
    diff,
    ...connection.all(
      "SELECT n FROM message WHERE thread = ? AND batch = ?",
      String(diff["thread"]),
      String(diff["batch"]),
    ),
  ]);
  return [...new Set(numbers(rows))];
}

/** What agents that had little to say said, and was said to them. */
function byFewAgents(
  connection: Connection,
  { agents }: SearchQuery,
): readonly number[] | undefined {
  if (agents === undefined) return undefined;
  const found = new Set<number>();
  const own = agents.map((agent) => toText(agent));
  const threads = own.flatMap((agent) =>
    connection.all("SELECT id FROM thread WHERE agent = ?", agent),
  );
  if (threads.length > mostThreads) return undefined;
  const take = (column: "agent" | "thread", value: string): void => {
    const index = column === "agent" ? "messageAgent" : "messageThread";
    const rows = connection.all(
      `SELECT n FROM message INDEXED BY ${index}
       WHERE ${column} = ? AND n < ? AND search > 0 LIMIT ${few}`,
      value,
      Number.MAX_SAFE_INTEGER,
    );
    for (const n of numbers(rows)) found.add(n);
  };
  for (const agent of own) take("agent", agent);
  for (const { id } of threads)
    if (found.size < few) take("thread", String(id));
  return found.size < few ? [...found] : undefined;
}

function fewBefore(
  connection: Connection,
  { before }: SearchQuery,
): readonly number[] | undefined {
  if (before === undefined) return undefined;
  const rows = connection.all(
    `SELECT n FROM message INDEXED BY messageArrived WHERE arrived < ? AND search > 0 LIMIT ${few}`,
    snowflake(before, 0),
  );
  return rows.length < few ? numbers(rows) : undefined;
}

function* inPieces(
  list: readonly number[],
  { from = Number.MAX_SAFE_INTEGER }: SearchQuery,
): Generator<readonly number[]> {
  const sorted = list.filter((n) => n < from).sort((a, b) => b - a);
  for (let at = 0; at < sorted.length; at += rowsPerStep)
    yield sorted.slice(at, at + rowsPerStep);
}

function areSmall(connection: Connection, threads: readonly string[]): boolean {
  const rows = threads.reduce(
    (sum, thread) =>
      sum +
      connection.all(
        `SELECT n FROM message INDEXED BY messageThread
         WHERE thread = ? AND n < ? AND search > 0 LIMIT ${few}`,
        toText(thread),
        Number.MAX_SAFE_INTEGER,
      ).length,
    0,
  );
  return rows < few;
}

function* ofThreads(
  connection: Connection,
  { threads = [], from = Number.MAX_SAFE_INTEGER }: SearchQuery,
): Generator<readonly number[]> {
  for (let below = from; ;) {
    const newest = threads
      .flatMap((thread) =>
        numbers(
          connection.all(
            `SELECT n FROM message INDEXED BY messageThread
             WHERE thread = ? AND n < ? AND search > 0 ORDER BY n DESC LIMIT ${rowsPerStep}`,
            toText(thread),
            below,
          ),
        ),
      )
      .sort((a, b) => b - a)
      .slice(0, rowsPerStep);
    const last = newest.at(-1);
    if (last === undefined) return;
    yield newest;
    below = last;
  }
}

/** More at a time as it goes on, since finding where to go on costs more each time. */
function* ofWords(
  connection: Connection,
  { from = Number.MAX_SAFE_INTEGER }: SearchQuery,
  words: readonly string[],
): Generator<readonly number[]> {
  const asked = `${words.map((word) => `"${word}"`).join(" ")}*`;
  const most = 5_000;
  let below = from;
  for (let count = rowsPerStep; ; count = Math.min(most, count * 5)) {
    const matched = numbers(
      connection.all(
        `SELECT rowid AS n FROM messageText WHERE messageText MATCH ? AND rowid < ?
         ORDER BY rowid DESC LIMIT ?`,
        asked,
        below,
        count,
      ),
    );
    const last = matched.at(-1);
    if (last === undefined) return;
    for (let at = 0; at < matched.length; at += rowsPerStep)
      yield matched.slice(at, at + rowsPerStep);
    below = last;
  }
}

function* ofAll(
  connection: Connection,
  query: SearchQuery,
  ...filters: readonly Filter[]
): Generator<Step> {
  const { sql, values } = join(...filters);
  const last = connection.number("SELECT max(n) FROM message");
  let below = Math.min(query.from ?? Number.MAX_SAFE_INTEGER, last + 1);
  while (below > 0) {
    const from = Math.max(0, below - rowsPerStep);
    const rows = connection.all(
      `SELECT n, ${messageColumns} FROM message m NOT INDEXED
       WHERE n >= ? AND n < ? AND search > 0 ${sql} ORDER BY n DESC`,
      from,
      below,
      ...values,
    );
    yield { rows, looked: below - from, below: from };
    below = from;
  }
}

function join(...filters: readonly Filter[]): Filter {
  return {
    sql: filters.map(({ sql }) => sql).join(" "),
    values: filters.flatMap(({ values }) => values),
  };
}

function numbers(rows: readonly Row[]): number[] {
  return rows.map(({ n }) => Number(n));
}
