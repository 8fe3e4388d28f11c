import type { TimelineBatch } from "../../src/protocol/timeline.ts";

export interface Figures extends Sums {
  /** Typed to sent, in milliseconds; null before there is any. */
  readonly wait: Quantiles | null;
  /** Typed to the agent's first word: all turns, those of one message, and those of several. */
  readonly first: Quantiles | null;
  readonly single: Quantiles | null;
  readonly batched: Quantiles | null;
  /** Time that permissions were open, in milliseconds. */
  readonly asked: number;
  /** How many turns had 1, 2, … 6 or more messages. */
  readonly sizes: readonly number[];
}

export interface Sums {
  readonly turns: number;
  readonly messages: number;
  /** Messages that went along in a turn of another. */
  readonly saved: number;
  /** Bytes that were not sent again; an estimate. */
  readonly notResent: number;
}

/** What a day or a thread comes to. */
export interface Group extends Figures {
  readonly key: string;
}

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
}

/** Estimated bytes by batch. */
export type NotResent = ReadonlyMap<string, number>;

/** One turn of a batch: a batch has several when it was continued, none when it was never sent. */
interface Turn {
  readonly typed: readonly number[];
  readonly claimed: number;
  readonly firstOutput: number | null;
}

const sizes = 6;

export function figuresOf(
  batches: readonly TimelineBatch[],
  now: number,
  notResent: NotResent,
): Figures {
  const turns = batches.flatMap(turnsOf);
  const first = (which: (messages: number) => boolean): Quantiles | null =>
    quantiles(
      turns.flatMap(({ typed, firstOutput }) =>
        firstOutput !== null && typed.length > 0 && which(typed.length)
          ? [firstOutput - Math.min(...typed)]
          : [],
      ),
    );
  const histogram = Array.from({ length: sizes }, () => 0);
  for (const { typed } of turns) {
    const at = Math.min(sizes, typed.length) - 1;
    if (at >= 0) histogram[at] = (histogram[at] ?? 0) + 1;
  }
  return {
    ...sumsOf(batches, notResent),
    wait: quantiles(
      turns.flatMap(({ typed, claimed }) => typed.map((at) => claimed - at)),
    ),
    first: first(() => true),
    single: first((count) => count === 1),
    batched: first((count) => count > 1),
    asked: batches.reduce(
      (sum, batch) => sum + spent(batch, "permission", now),
      0,
    ),
    sizes: histogram,
  };
}

/** By the day they were sent on, where the reader is; newest first. */
export function byDay(
  batches: readonly TimelineBatch[],
  now: number,
  notResent: NotResent,
): readonly Group[] {
  return groups(batches, now, notResent, ({ claimed }) => dayOf(claimed)).sort(
    (a, b) => (a.key < b.key ? 1 : -1),
  );
}

/** By thread, the busiest first. */
export function byThread(
  batches: readonly TimelineBatch[],
  now: number,
  notResent: NotResent,
): readonly Group[] {
  return groups(batches, now, notResent, ({ thread }) => thread).sort(
    (a, b) => b.turns - a.turns || b.messages - a.messages,
  );
}

function groups(
  batches: readonly TimelineBatch[],
  now: number,
  notResent: NotResent,
  keyOf: (batch: TimelineBatch) => string,
): Group[] {
  return [...Map.groupBy(batches, keyOf)]
    .map(([key, own]) => ({ key, ...figuresOf(own, now, notResent) }))
    .filter(({ turns }) => turns > 0);
}

export function sumsOf(
  batches: readonly TimelineBatch[],
  notResent: NotResent,
): Sums {
  let [turns, messages, saved, bytes] = [0, 0, 0, 0];
  for (const batch of batches) {
    bytes += notResent.get(batch.id) ?? 0;
    for (const turn of batch.turns) {
      turns += 1;
      messages += turn.messages;
      saved += Math.max(0, turn.messages - 1);
    }
  }
  return { turns, messages, saved, notResent: bytes };
}

function turnsOf({ typed, turns }: TimelineBatch): readonly Turn[] {
  let told = 0;
  return turns.map(({ messages, claimed, firstOutput }) => {
    const own = typed.slice(told, told + messages);
    told += messages;
    return { typed: own, claimed, firstOutput };
  });
}

/** Milliseconds from the first word typed to the agent's first; null before it. */
export function untilOutput(batch: TimelineBatch): number | null {
  const [first] = turnsOf(batch);
  return first === undefined ||
    first.firstOutput === null ||
    first.typed.length === 0
    ? null
    : first.firstOutput - Math.min(...first.typed);
}

/** Milliseconds of a batch that went into something. */
export function spent(
  { parts }: TimelineBatch,
  kind: TimelineBatch["parts"][number]["kind"],
  now: number,
): number {
  return parts.reduce(
    (sum, part) =>
      part.kind === kind
        ? sum + Math.max(0, (part.to ?? now) - part.from)
        : sum,
    0,
  );
}

/** 2026-11-18, where the reader is. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function quantiles(values: readonly number[]): Quantiles | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9) };
}
