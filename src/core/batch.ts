import { courseOf, isOutput } from "./batchCourse.ts";
import type { BatchFacts } from "./batchFacts.ts";
import { batchStatus } from "./batchStatus.ts";
import { addUsage } from "./batchUsage.ts";
import type { Body, BodyKind, Message, Snowflake, Usage } from "./message.ts";
import { snowflakeTime } from "./snowflake.ts";

/** All messages of one request/response cycle. There is no table of batches: everything here comes from rows. */
export interface Batch extends BatchFacts {
  /** In order of sequence. */
  readonly rows: readonly Message[];
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolPair[];
}

export type RowOf<K extends BodyKind> = Message & {
  readonly body: Extract<Body, { kind: K }>;
};

export interface Turn {
  /** Absent in imported history, which knows no write-intents. */
  readonly start: RowOf<"turnStart"> | null;
  readonly end: RowOf<"turnEnd"> | null;
}

/** A tool call and its result, found by the id they share; an orphan lacks the other half. */
export interface ToolPair {
  readonly toolCallId: string;
  readonly call: RowOf<"toolCall"> | null;
  readonly result: RowOf<"toolResult"> | null;
}

/** Derives the batches of rows in any order; queued messages are in none. Oldest batch first. */
export function group(rows: readonly Message[]): readonly Batch[] {
  const found = new Map<string, Message[]>();
  for (const row of rows) {
    if (row.batch === null) continue;
    const key = `${row.batch}${row.thread}`;
    const list = found.get(key);
    if (list === undefined) found.set(key, [row]);
    else list.push(row);
  }
  return [...found.values()]
    .map((list) => batchOf(list.sort(bySequence)))
    .sort((a, b) => compare(a.id, b.id) || compare(a.thread, b.thread));
}

/** A batch without its rows. */
export function factsOf(batch: Batch): BatchFacts {
  const { id, thread, type, parent, retry, status, ended, balanced } = batch;
  const { counts, times, usage, course } = batch;
  return {
    ...{ id, thread, type, parent, retry, status, ended, balanced },
    ...{ counts, times, usage, course },
  };
}

/** Batches that nobody will end any more: begun, not ended, and not the one that is running. */
export function orphans(
  batches: readonly Batch[],
  active: Snowflake | null,
): readonly Batch[] {
  return batches.filter(({ id, ended }) => !ended && id !== active);
}

/** What of a batch's rows breaks the record's rules; empty when nothing does. */
export function flaws(batch: Batch): readonly string[] {
  const wrong: string[] = [];
  if (batch.rows[0]?.position !== batch.id)
    wrong.push(`${batch.id} is not the position of its first message`);
  batch.rows.forEach(({ id, sequence }, n) => {
    if (sequence !== n) wrong.push(`${id} has sequence ${sequence}, not ${n}`);
  });
  return wrong;
}

/** Pairs calls and results by id; an id used again pairs with the next result of that id. */
export function pairTools(rows: readonly Message[]): readonly ToolPair[] {
  const pairs: ToolPair[] = [];
  /** By id: where the calls that have no result yet stand, oldest first. */
  const open = new Map<string, number[]>();
  for (const row of rows) {
    if (isKind(row, "toolCall")) {
      const { toolCallId } = row.body;
      const waiting = open.get(toolCallId);
      if (waiting === undefined) open.set(toolCallId, [pairs.length]);
      else waiting.push(pairs.length);
      pairs.push({ toolCallId, call: row, result: null });
    } else if (isKind(row, "toolResult")) {
      const { toolCallId } = row.body;
      const at = open.get(toolCallId)?.shift();
      const pair = at === undefined ? undefined : pairs[at];
      if (at === undefined || pair === undefined)
        pairs.push({ toolCallId, call: null, result: row });
      else pairs[at] = { ...pair, result: row };
    }
  }
  return pairs;
}

export function isKind<K extends BodyKind>(
  row: Message,
  kind: K,
): row is RowOf<K> {
  return row.body.kind === kind;
}

function batchOf(rows: readonly Message[]): Batch {
  const [first] = rows;
  if (first === undefined || first.batch === null)
    throw new Error("A batch has rows");
  const turns = turnsOf(rows);
  const tools = pairTools(rows);
  const count = (kind: BodyKind): number =>
    rows.filter(({ body }) => body.kind === kind).length;
  return {
    id: first.batch,
    thread: first.thread,
    type: first.batchType ?? "user_request",
    parent: rows.find((row) => row.parentBatch !== null)?.parentBatch ?? null,
    retry: rows.some(({ retryOf }) => retryOf !== null),
    ...batchStatus(rows, turns),
    balanced: tools.every(({ result }) => result !== null),
    counts: {
      rows: rows.length,
      messages: count("user"),
      turns: turns.length,
      texts: count("agent"),
      thoughts: count("thought"),
      tools: count("toolCall"),
      permissions: count("permission"),
    },
    times: timesOf(first.batch, rows, turns),
    usage: turns.reduce<Usage>(
      (sum, { end }) => addUsage(sum, end?.body.usage ?? {}),
      {},
    ),
    course: courseOf(rows),
    rows,
    turns,
    tools,
  };
}

function turnsOf(rows: readonly Message[]): readonly Turn[] {
  const turns: { start: Turn["start"]; end: Turn["end"] }[] = [];
  for (const row of rows) {
    if (isKind(row, "turnStart")) turns.push({ start: row, end: null });
    else if (isKind(row, "turnEnd")) {
      const open = turns.findLast((turn) => turn.end === null);
      if (open === undefined) turns.push({ start: null, end: row });
      else open.end = row;
    }
  }
  return turns;
}

function timesOf(
  batch: Snowflake,
  rows: readonly Message[],
  turns: readonly Turn[],
): BatchFacts["times"] {
  const output = rows.find(isOutput);
  const last = turns.at(-1);
  return {
    firstArrived: Math.min(...rows.map((row) => snowflakeTime(row.arrived))),
    claimed: snowflakeTime(batch),
    started: timeOf(turns[0]?.start),
    firstOutput: timeOf(output),
    ended: timeOf(last?.end),
    running: turns.reduce((sum, { start, end }) => {
      const from = timeOf(start);
      const to = timeOf(end);
      return from === null || to === null ? sum : sum + (to - from);
    }, 0),
  };
}

function timeOf(row: Message | null | undefined): number | null {
  const position = row?.position ?? null;
  return position === null ? null : snowflakeTime(position);
}

function bySequence(a: Message, b: Message): number {
  return (a.sequence ?? 0) - (b.sequence ?? 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
