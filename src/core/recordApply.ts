import { assertNever } from "../util/assertNever.ts";
import { cutBody, cutMarks } from "./recordCut.ts";
import { importMessages } from "./recordImport.ts";
import { claim, requeue, setState } from "./recordMoves.ts";
import type { Refusal } from "./recordMoves.ts";
import type { RecordTables } from "./recordTables.ts";
import type { Appended, CommitAnswer, Submission, Write } from "./writes.ts";

/**
 * Carries out a transaction on the rows of a store: every rule of the record, once for all stores.
 * When it answers anything but ok, the caller takes back whatever was changed.
 */
export function applyWrites(
  tables: RecordTables,
  writes: readonly Write[],
): CommitAnswer {
  const ids = repeatedRequests(tables, writes);
  if (ids.length > 0) return { ok: false, reason: "duplicate", ids };
  for (const write of writes) {
    const refusal = apply(tables, write);
    if (refusal !== undefined)
      return {
        ok: false,
        reason: "failed",
        detail: `${write.kind}: ${refusal}`,
      };
  }
  return { ok: true };
}

function repeatedRequests(
  tables: RecordTables,
  writes: readonly Write[],
): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const write of writes) {
    if (write.kind !== "accept") continue;
    const { id } = write.message;
    if (seen.has(id) || tables.requestKnown(id)) repeated.add(id);
    seen.add(id);
  }
  return [...repeated];
}

function apply(tables: RecordTables, write: Write): Refusal {
  switch (write.kind) {
    case "thread":
      tables.putThread(write.thread);
      return undefined;
    case "deleteThread":
      return markThread(tables, write.thread, write.at);
    case "restoreThread":
      return markThread(tables, write.thread, null);
    case "session": {
      const { session } = write;
      if (!tables.threadThere(session.thread)) return noThread(session.thread);
      if (session.cursor !== null) tables.see(session.cursor);
      tables.putSession(session);
      return undefined;
    }
    case "accept":
      return accept(tables, write.message);
    case "claim":
      return claim(tables, write);
    case "requeue":
      return requeue(tables, write.messages);
    case "state":
      return setState(tables, write.ids, write.to);
    case "rank":
      return rank(tables, write.ranks);
    case "edit":
      return edit(tables, write);
    case "append":
      return append(tables, write.record);
    case "text":
      return extend(tables, write);
    case "body":
      return replace(tables, write);
    case "blob":
      tables.putBlob(write.hash, write.mimeType, write.data);
      return undefined;
    case "import":
      return importMessages(tables, write.messages);
    case "archive":
      if (!tables.threadThere(write.archive.thread))
        return noThread(write.archive.thread);
      tables.putArchive(write.archive);
      return undefined;
    case "unarchive":
      tables.removeArchive(write.id);
      return undefined;
    default:
      return assertNever(write);
  }
}

function accept(tables: RecordTables, message: Submission): Refusal {
  const { id, thread, arrived, sender, marks } = message;
  if (!tables.threadThere(thread)) return noThread(thread);
  if (tables.head(id) !== undefined) return `the id ${id} is taken`;
  if (!Number.isFinite(message.rank)) return `${id} has no rank`;
  tables.see(arrived);
  tables.addRequest(id);
  tables.insert(
    {
      id,
      thread,
      arrived,
      rank: message.rank,
      position: null,
      batch: null,
      sequence: null,
      batchType: null,
      parentBatch: message.parentBatch ?? null,
      retryOf: message.retryOf ?? null,
      sender,
      state: "queued",
      marks,
      body: { kind: "user", blocks: message.blocks },
    },
    true,
  );
  return undefined;
}

function rank(
  tables: RecordTables,
  ranks: Extract<Write, { kind: "rank" }>["ranks"],
): Refusal {
  for (const { id, rank } of ranks) {
    const head = tables.head(id);
    if (head?.state !== "queued") return `${id} is not queued`;
    if (!Number.isFinite(rank)) return `${id} has no rank`;
    tables.place(id, { ...head, rank });
  }
  return undefined;
}

function edit(
  tables: RecordTables,
  write: Extract<Write, { kind: "edit" }>,
): Refusal {
  const { id, blocks, marks } = write;
  if (tables.head(id)?.state !== "queued") return `${id} is not queued`;
  tables.setBody(id, { kind: "user", blocks });
  tables.setMarks(id, marks);
  return undefined;
}

/** A record whose batch is gone (its messages went back to the queue) begins one of its own. */
function append(tables: RecordTables, record: Appended): Refusal {
  const { id, thread, position, sender } = record;
  if (!tables.threadThere(thread)) return noThread(thread);
  if (tables.head(id) !== undefined) return `the id ${id} is taken`;
  if (record.body.kind === "user") return `${id} must be submitted`;
  if (position <= (tables.greatestPosition(thread) ?? ""))
    return `the position ${position} is not after the thread's last`;
  const end = tables.batchEnd(thread, record.batch);
  const batch = end === undefined ? position : record.batch;
  const { body, cut } = cutBody(record.body);
  tables.see(position);
  tables.insert(
    {
      id,
      thread,
      arrived: position,
      rank: null,
      position,
      batch,
      sequence: end?.next ?? 0,
      batchType: end === undefined ? "system_trigger" : end.batchType,
      parentBatch: end?.parentBatch ?? null,
      retryOf: null,
      sender,
      state: null,
      marks: cutMarks(record.marks, cut),
      body,
    },
    body.kind === "notice" || record.marks.late === true,
  );
  if (body.kind === "turnEnd") tables.settle(thread, batch);
  return undefined;
}

function extend(
  tables: RecordTables,
  write: Extract<Write, { kind: "text" }>,
): Refusal {
  const { id, offset, text } = write;
  const kind = tables.head(id)?.kind;
  if (kind !== "agent" && kind !== "thought") return `${id} is no such text`;
  const length = tables.textLength(id);
  if (length !== offset) return `${id} is ${length} long, not ${offset}`;
  tables.extendText(id, text);
  return undefined;
}

function replace(
  tables: RecordTables,
  write: Extract<Write, { kind: "body" }>,
): Refusal {
  const { id } = write;
  const head = tables.head(id);
  if (head?.state !== null) return `${id} is no appended record`;
  if (head.kind !== write.body.kind)
    return `${id} is a ${head.kind}, not a ${write.body.kind}`;
  const { body, cut } = cutBody(write.body);
  tables.setBody(id, body);
  const marks = tables.marks(id);
  if (marks.cut !== cut) tables.setMarks(id, cutMarks(marks, cut));
  return undefined;
}

function markThread(
  tables: RecordTables,
  id: string,
  deletedAt: number | null,
): Refusal {
  return tables.markThread(id, deletedAt) ? undefined : noThread(id);
}

function noThread(id: string): Refusal {
  return `there is no thread ${id}`;
}
