import type { Message } from "./message.ts";
import type { Refusal } from "./recordMoves.ts";
import type { RecordTables } from "./recordTables.ts";

/** Takes rows in as they were elsewhere; those whose id is here already are passed over, so that repeating adds nothing. */
export function importMessages(
  tables: RecordTables,
  messages: readonly Message[],
): Refusal {
  for (const message of messages) {
    if (tables.head(message.id) !== undefined) continue;
    const refusal = unfit(tables, message);
    if (refusal !== undefined) return refusal;
    tables.see(message.arrived);
    if (message.position !== null) tables.see(message.position);
    if (message.state !== null) tables.addRequest(message.id);
    tables.insert(message, true);
  }
  return undefined;
}

function unfit(tables: RecordTables, message: Message): Refusal {
  const { id, thread, position, batch, sequence, state, rank } = message;
  if (!tables.threadThere(thread)) return `there is no thread ${thread}`;
  if ((state === null) === (message.body.kind === "user"))
    return `${id} has the wrong state`;
  if ((state === "queued") !== (rank !== null && Number.isFinite(rank)))
    return `${id} has the wrong rank`;
  if (position === null || batch === null || sequence === null) {
    const outside = position === null && batch === null && sequence === null;
    return outside && (state === "queued" || state === "discarded")
      ? undefined
      : `${id} has no place`;
  }
  if (state === "queued") return `${id} is queued and placed`;
  if (tables.positionTaken(thread, position))
    return `the position ${position} is taken`;
  const next = tables.batchEnd(thread, batch)?.next ?? 0;
  if (sequence !== next || (next === 0 && position !== batch))
    return `${id} is not next in its batch`;
  return undefined;
}
