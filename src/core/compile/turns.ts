import { isKind, type RowOf } from "../batch.ts";
import { batchStatus } from "../batchStatus.ts";
import type { Message, Snowflake } from "../message.ts";

/** The rows of one batch that were read, by sequence. */
export interface Batch {
  readonly id: Snowflake;
  readonly rows: readonly Message[];
  /** False when its first rows were not read. */
  readonly whole: boolean;
}

/** One prompt and what came of it. */
export interface Turn {
  readonly prompt: readonly Message[];
  /** Null for what was never sent, and when the start was not read. */
  readonly start: RowOf<"turnStart"> | null;
  /** Late ones included. */
  readonly records: readonly Message[];
  readonly end: RowOf<"turnEnd"> | null;
}

/** Newest first, and lazily: the caller pays for the batches it takes, not for those that are there. */
export function* newestBatches(
  rows: readonly Message[],
): Generator<Batch, void, undefined> {
  const open = new Map<Snowflake, Message[]>();
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const row = rows[i];
    if (row === undefined || row.batch === null) continue;
    const known = open.get(row.batch);
    if (known === undefined) open.set(row.batch, [row]);
    else known.push(row);
    if (row.position !== row.batch) continue;
    // What is newer and still without its head has none: its messages went back to the queue.
    yield* headless(open, row.batch);
    yield batchOf(row.batch, open.get(row.batch) ?? [], true);
    open.delete(row.batch);
  }
  yield* headless(open, null);
}

export function turnsOf(batch: Batch): Turn[] {
  const turns: Building[] = [];
  let prompt: Message[] = [];
  const begin = (start: RowOf<"turnStart"> | null): Building => {
    const turn: Building = { prompt, start, records: [], end: null };
    turns.push(turn);
    prompt = [];
    return turn;
  };
  for (const row of batch.rows) {
    if (isKind(row, "user")) prompt.push(row);
    else if (isKind(row, "turnStart")) begin(row);
    else {
      const last = turns.at(-1);
      // Imported history knows no starts: there each answer ends the prompt before it.
      const isNew =
        last === undefined || (last.start === null && prompt.length > 0);
      const turn = isNew ? begin(null) : last;
      if (isKind(row, "turnEnd")) turn.end = row;
      else turn.records.push(row);
    }
  }
  if (prompt.length > 0) begin(null);
  return turns;
}

export function isEnded(batch: Batch): boolean {
  const turns = turnsOf(batch).filter(({ start }) => start !== null);
  return batchStatus(batch.rows, turns).ended;
}

/** Ended by a failure or a crash, the agent's or ours: what it left is debris. */
export function isCrashed({ start, end }: Turn): boolean {
  if (start === null) return false;
  switch (end?.body.stop) {
    case undefined:
    case "interrupted":
    case "stuck":
    case "error":
      return true;
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
    case "cancelled":
      return false;
  }
}

interface Building {
  prompt: Message[];
  start: RowOf<"turnStart"> | null;
  records: Message[];
  end: RowOf<"turnEnd"> | null;
}

/** Batches newer than `than` whose first row was not met, newest first. */
function* headless(
  open: Map<Snowflake, Message[]>,
  than: Snowflake | null,
): Generator<Batch, void, undefined> {
  const ids = [...open.keys()].filter((id) => than === null || id > than);
  for (const id of ids.sort().reverse()) {
    yield batchOf(id, open.get(id) ?? [], false);
    open.delete(id);
  }
}

function batchOf(id: Snowflake, rows: Message[], whole: boolean): Batch {
  return { id, whole, rows: rows.sort(bySequence) };
}

function bySequence(a: Message, b: Message): number {
  return (a.sequence ?? 0) - (b.sequence ?? 0);
}
