import type { Message, Snowflake } from "../message.ts";
import type { Archive } from "../writes.ts";
import { digestOf, outlineOf } from "./digest.ts";
import { entriesOf, rowsOf } from "./entries.ts";
import { tokensOf } from "./tokens.ts";
import { transcriptTokens } from "./transcript.ts";
import { isEnded, newestBatches, type Batch } from "./turns.ts";
import { unseenOf } from "./unseen.ts";

/** The oldest ended batches of a thread, whole and without a gap: what one archive can stand for. */
export interface Selection {
  readonly batches: readonly Snowflake[];
  /** Of each batch what a full compile would send, oldest first. */
  readonly rows: readonly (readonly Message[])[];
}

/**
 * Everything but the newest batches that fit `keepTokens`, and the newest in any case: it may be continued, which its
 * summary would hide. Nothing from the first batch on that has not ended.
 */
export function selectForArchive(
  history: readonly Message[],
  archived: ReadonlySet<Snowflake>,
  keepTokens: number,
): Selection {
  let left = keepTokens;
  const older: Selected[] = [];
  let newest = true;
  for (const batch of newestBatches(history)) {
    if (archived.has(batch.id)) break;
    const selected = { batch, rows: sayable(batch) };
    if (older.length === 0) left -= transcriptTokens(selected.rows);
    if (left < 0 && !newest) older.unshift(selected);
    newest = false;
  }
  const open = older.findIndex(({ batch }) => !batch.whole || !isEnded(batch));
  const taken = open < 0 ? older : older.slice(0, open);
  return {
    batches: taken.map(({ batch }) => batch.id),
    rows: taken.map(({ rows }) => rows),
  };
}

const largestDigest = 2000;
const digestShare = 1 / 8;

/** A summary's share of what a request may take. */
export function digestTokensFor(budgetTokens: number): number {
  return Math.min(largestDigest, Math.floor(budgetTokens * digestShare));
}

/** The summary that needs no model: outlines, the newest of them where not all have room. */
export function structuralDigest(
  selection: Selection,
  mostTokens = largestDigest,
): string {
  const outlines: string[] = [];
  let left = mostTokens;
  for (const rows of selection.rows.toReversed()) {
    if (rows.length === 0) continue;
    const line = outlineOf(rows);
    left -= tokensOf(line.length + 1);
    if (left < 0) return digestOf(outlines, true);
    outlines.unshift(line);
  }
  return digestOf(outlines, false);
}

/** Null when there is nothing to stand for, or nothing to stand for it: a failed summary archives nothing. */
export function archiveOf(
  { batches }: Selection,
  summary: string | null,
  as: Pick<Archive, "id" | "thread" | "createdAt">,
): Archive | null {
  if (batches.length === 0 || summary === null || summary.trim() === "")
    return null;
  return { ...as, batches, text: summary };
}

interface Selected {
  readonly batch: Batch;
  readonly rows: readonly Message[];
}

const anyone = { session: null, floor: null, carried: new Set<string>() };

function sayable(batch: Batch): Message[] {
  return entriesOf(unseenOf(batch, anyone)).flatMap(rowsOf);
}
