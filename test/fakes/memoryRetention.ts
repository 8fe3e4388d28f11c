import { group } from "../../src/core/batch.ts";
import type { Batch } from "../../src/core/batch.ts";
import type { Retained, RetentionPolicy } from "../../src/core/recordPort.ts";
import { liveCursors, mayCut } from "../../src/core/recordRetention.ts";
import { snowflakeTime } from "../../src/core/snowflake.ts";
import type { MemoryTables } from "./memoryTables.ts";

/** Cuts the oldest batches, one by one, until the policy is met. */
export function retainIn(
  tables: MemoryTables,
  policy: RetentionPolicy,
): Retained {
  const rows = [...tables.messages.values()].map(({ message }) => message);
  let batches = 0;
  let messages = 0;
  for (const batch of group(rows)) {
    const last = lastOf(batch);
    const old =
      policy.before !== undefined && snowflakeTime(last) < policy.before;
    const large =
      policy.maxBytes !== undefined && sizeOf(tables) > policy.maxBytes;
    if (!(old || large) || !cuttable(tables, batch, last)) continue;
    for (const { id } of batch.rows) tables.messages.delete(id);
    batches += 1;
    messages += batch.rows.length;
  }
  for (const { id, arrived, state, batch } of rows) {
    if (state !== "discarded" || batch !== null) continue;
    if (policy.before === undefined || snowflakeTime(arrived) >= policy.before)
      continue;
    tables.messages.delete(id);
    messages += 1;
  }
  return { batches, messages };
}

function cuttable(tables: MemoryTables, batch: Batch, last: string): boolean {
  const here = (row: { readonly thread: string }): boolean =>
    row.thread === batch.thread;
  return mayCut(
    {
      id: batch.id,
      last,
      ended: batch.ended,
      states: batch.rows.map(({ state }) => state),
    },
    {
      cursors: liveCursors([...tables.sessions.values()].filter(here)),
      isArchived: (id) =>
        [...tables.archives.values()]
          .filter(here)
          .some((archive) => archive.batches.includes(id)),
      isParent: (id) =>
        [...tables.messages.values()].some(
          ({ message }) => here(message) && message.parentBatch === id,
        ),
    },
  );
}

function lastOf(batch: Batch): string {
  return batch.rows.reduce(
    (last, { position }) => ((position ?? "") > last ? (position ?? "") : last),
    "",
  );
}

function sizeOf(tables: MemoryTables): number {
  return JSON.stringify([...tables.messages.values()]).length;
}
