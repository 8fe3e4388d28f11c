import type { Body, Marks, Message, Sender } from "./message.ts";
import type { Rebuilt } from "./transferRebuild.ts";

/** What a flat file tells of a record: all but its place. */
export interface FlatRow {
  readonly id: string;
  readonly sender: Sender;
  /** The user's words only; what was under way there is over here. */
  readonly state: Message["state"];
  readonly retryOf: string | null;
  readonly marks: Marks;
  readonly body: Body;
}

interface Open {
  readonly rows: Message[];
  ended: boolean;
  answered: boolean;
}

/**
 * Rebuilds positions and batches of records that come in order but without their places: what the user says after an
 * answer, or after a turn's end, begins a batch; a result joins the batch of its call.
 */
export function rebuildFlat(
  thread: string,
  rows: readonly FlatRow[],
  mint: () => string,
): Rebuilt {
  const batches: Open[] = [];
  const place = (batch: Open, row: FlatRow): void => {
    const position = mint();
    batch.rows.push({
      ...row,
      ...{ thread, arrived: position, rank: null, position },
      batch: batch.rows[0]?.batch ?? position,
      sequence: batch.rows.length,
      batchType: batch.rows[0]?.batchType ?? typeOf(row),
      parentBatch: null,
    });
    if (row.body.kind === "turnEnd") batch.ended = true;
    else if (row.body.kind !== "user") batch.answered = true;
  };
  const end = (batch: Open | undefined): void => {
    const last = batch?.rows.at(-1);
    if (batch === undefined || last === undefined || batch.ended) return;
    place(batch, {
      ...{ id: `${last.id}.end`, sender: last.sender, state: null },
      ...{ retryOf: null, marks: {} },
      body: { kind: "turnEnd", stop: "end_turn" },
    });
  };
  for (const row of rows) {
    // What a turn was begun with names places that are not here.
    if (row.body.kind === "turnStart") continue;
    const last = batches.at(-1);
    const owner = ownerOf(row, batches);
    if (owner !== undefined) {
      const late = owner.ended
        ? { ...row.marks, late: true as const }
        : row.marks;
      place(owner, { ...row, marks: late });
      continue;
    }
    const joins =
      last !== undefined &&
      (row.marks.late === true ||
        (!last.ended && !(row.body.kind === "user" && last.answered)));
    if (joins) place(last, row);
    else {
      end(last);
      const begun: Open = { rows: [], ended: false, answered: false };
      batches.push(begun);
      place(begun, row);
    }
  }
  end(batches.at(-1));
  return { batches: batches.map((one) => one.rows), blobs: [], title: null };
}

/** The newest batch that waits for this result. */
function ownerOf(
  { body }: FlatRow,
  batches: readonly Open[],
): Open | undefined {
  if (body.kind !== "toolResult") return undefined;
  const count = (rows: readonly Message[], kind: Body["kind"]): number =>
    rows.filter(
      (row) =>
        row.body.kind === kind &&
        "toolCallId" in row.body &&
        row.body.toolCallId === body.toolCallId,
    ).length;
  return batches.findLast(
    ({ rows }) => count(rows, "toolCall") > count(rows, "toolResult"),
  );
}

function typeOf({ body, sender }: FlatRow): Message["batchType"] {
  if (body.kind !== "user") return "system_trigger";
  return sender.kind === "agent" ? "agent_to_agent" : "user_request";
}
