import type { Message, Snowflake } from "../message.ts";
import { digestOf, outlineOf } from "./digest.ts";
import { entriesOf, rowsOf } from "./entries.ts";
import { tokensOf } from "./tokens.ts";
import { transcriptTokens } from "./transcript.ts";
import { isEnded, newestBatches } from "./turns.ts";
import { unseenOf, type Reader } from "./unseen.ts";

/** What of the record goes into a prompt ahead of the batch. */
export interface Context {
  /** In the order of a transcript; each call followed by its result. */
  readonly rows: readonly Message[];
  /** Empty when nothing is missing. */
  readonly digest: string;
  readonly digested: readonly Snowflake[];
  /** True when older batches are there in no form at all. */
  readonly leftOut: boolean;
}

export interface ContextInput {
  readonly history: readonly Message[];
  readonly truncated: boolean;
  readonly reader: Reader;
  /** The batch that is being continued, if one is: it is never cut. */
  readonly current: Snowflake | null;
  /** Batches that archives stand for: always the oldest. */
  readonly archived: ReadonlySet<Snowflake>;
  /** What is left for the context once everything else is counted. */
  readonly budgetTokens: number;
}

/**
 * The newest batches whole while they fit, of older ended ones the outline, the oldest not at all.
 * Walks newest first and only as far as the budget reaches: the cost is the budget's, not the record's.
 */
export function contextOf(input: ContextInput): Context {
  const walk = sizedNewestFirst(input);
  const room =
    input.budgetTokens - headTokens - (input.truncated ? noteTokens : 0);
  const reached: Sized[] = [];
  let total = 0;
  for (const sized of until(walk, () => total > Math.max(room, 0))) {
    reached.push(sized);
    total += sized.tokens;
  }
  return total <= room || reached.length === 0
    ? contextFrom(reached, [], input.truncated, room >= 0)
    : overBudget(chain(reached, walk), room, input.truncated);
}

interface Sized {
  readonly id: Snowflake;
  readonly rows: readonly Message[];
  readonly tokens: number;
  /** Not ended, or going on: whole whatever it costs. */
  readonly fixed: boolean;
}

/** Room for the longest header of a transcript, for that of a digest, and for saying that something is left out. */
const headTokens = 120;
const digestHeadTokens = 40;
const noteTokens = 20;
const mostDigestTokens = 2000;
const digestShare = 1 / 8;

function overBudget(
  newestFirst: Iterable<Sized>,
  room: number,
  truncated: boolean,
): Context {
  const reserve = Math.max(
    0,
    Math.min(Math.floor(room * digestShare), mostDigestTokens),
  );
  const whole: Sized[] = [];
  const outlines: Outline[] = [];
  let left = room - reserve;
  let lines = reserve - digestHeadTokens;
  let cut = false;
  let leftOut = truncated;
  for (const sized of newestFirst) {
    cut ||= !sized.fixed && sized.tokens > left;
    if (sized.fixed || !cut) {
      whole.push(sized);
      left -= sized.tokens;
      continue;
    }
    const line = outlineOf(sized.rows);
    lines -= tokensOf(line.length + 1);
    leftOut ||= lines < 0;
    if (lines < 0) break;
    outlines.push({ id: sized.id, line });
  }
  return contextFrom(whole, outlines, leftOut, reserve >= noteTokens);
}

interface Outline {
  readonly id: Snowflake;
  readonly line: string;
}

function contextFrom(
  whole: readonly Sized[],
  outlines: readonly Outline[],
  leftOut: boolean,
  spoken: boolean,
): Context {
  const oldestFirst = outlines.toReversed();
  const lines = oldestFirst.map(({ line }) => line);
  return {
    rows: whole.toReversed().flatMap(({ rows }) => rows),
    digest: spoken ? digestOf(lines, leftOut) : "",
    digested: oldestFirst.map(({ id }) => id),
    leftOut,
  };
}

function* sizedNewestFirst(
  input: ContextInput,
): Generator<Sized, void, undefined> {
  for (const batch of newestBatches(input.history)) {
    if (input.archived.has(batch.id)) return;
    const rows = entriesOf(unseenOf(batch, input.reader)).flatMap(rowsOf);
    if (rows.length === 0) continue;
    const tokens = transcriptTokens(rows);
    const fixed = batch.id === input.current || !isEnded(batch);
    yield { id: batch.id, rows, tokens, fixed };
  }
}

/** Leaves the rest in the iterator for whoever goes on. */
function* until<T>(
  items: Iterator<T, void>,
  enough: () => boolean,
): Generator<T, void, undefined> {
  while (!enough()) {
    const next = items.next();
    if (next.done === true) return;
    yield next.value;
  }
}

function* chain<T>(
  first: Iterable<T>,
  second: Iterator<T, void>,
): Generator<T, void, undefined> {
  yield* first;
  yield* until(second, () => false);
}
