import type { MessageState, Snowflake } from "./message.ts";
import { mayBecome } from "./messageState.ts";
import type { Head, Place, RecordTables } from "./recordTables.ts";
import type { Write } from "./writes.ts";

/** Why a write is against the rules; nothing when it is not. */
export type Refusal = string | undefined;

/** Gives queued messages their place in a new batch, or at the end of one that is continued. */
export function claim(
  tables: RecordTables,
  write: Extract<Write, { kind: "claim" }>,
): Refusal {
  const { batch, messages } = write;
  const [first] = messages;
  if (first === undefined) return "no messages";
  const thread = tables.head(first.id)?.thread;
  if (thread === undefined) return unknown(first.id);
  const end = tables.batchEnd(thread, batch);
  if (end === undefined && batch !== first.position)
    return `the batch ${batch} does not begin at ${first.position}`;
  let sequence = end?.next ?? 0;
  let last = tables.greatestPosition(thread) ?? "";
  for (const { id, position } of messages) {
    const found = movable(tables, id, "claimed");
    if (typeof found === "string") return found;
    if (found.thread !== thread) return `${id} is of another thread`;
    if (position <= last)
      return `the position ${position} is not after the thread's last`;
    tables.see(position);
    tables.place(id, {
      state: "claimed",
      rank: null,
      position,
      batch,
      sequence,
      batchType: end === undefined ? write.batchType : end.batchType,
      parentBatch: write.parentBatch ?? end?.parentBatch ?? found.parentBatch,
    });
    last = position;
    sequence += 1;
  }
  return undefined;
}

/** Takes messages out of their batch and back to the queue. */
export function requeue(
  tables: RecordTables,
  messages: Extract<Write, { kind: "requeue" }>["messages"],
): Refusal {
  for (const { id, rank, marks } of messages) {
    const found = movable(tables, id, "queued");
    if (typeof found === "string") return found;
    if (!Number.isFinite(rank)) return `${id} has no rank`;
    tables.setMarks(id, marks);
    tables.place(id, { ...outsideBatches(found), state: "queued", rank });
    if (found.batch !== null) closeRanks(tables, found.thread, found.batch);
  }
  return undefined;
}

export function setState(
  tables: RecordTables,
  ids: readonly string[],
  to: Exclude<MessageState, "queued" | "claimed">,
): Refusal {
  for (const id of ids) {
    const found = movable(tables, id, to);
    if (typeof found === "string") return found;
    tables.place(id, { ...found, state: to, rank: null });
  }
  return undefined;
}

/** A message that has left is no hole: those that stay are renumbered, and the batch is named after its first again. */
function closeRanks(
  tables: RecordTables,
  thread: string,
  batch: Snowflake,
): void {
  const rows = tables.batchRows(thread, batch);
  const name = rows[0]?.position ?? null;
  if (name !== batch) tables.reparent(thread, batch, name);
  rows.forEach((row, sequence) => {
    if (row.sequence !== sequence || row.batch !== name)
      tables.place(row.id, { ...row, batch: name, sequence });
  });
}

function movable(
  tables: RecordTables,
  id: string,
  to: MessageState,
): Head | string {
  const head = tables.head(id);
  if (head === undefined) return unknown(id);
  if (head.state === null) return `${id} was never submitted`;
  if (!mayBecome(head.state, to))
    return `${id} is ${head.state}, not to be ${to}`;
  return head;
}

function outsideBatches(head: Head): Place {
  return {
    ...head,
    position: null,
    batch: null,
    sequence: null,
    batchType: null,
  };
}

function unknown(id: string): string {
  return `there is no message ${id}`;
}
