import type {
  TimelineBatch,
  TimelineThread,
} from "../../src/protocol/timeline.ts";

/** A turn line: a batch and its place in its thread. */
export interface Bar {
  readonly batch: TimelineBatch;
  /** Counted from the thread's first, as the reader counts; null before it is known. */
  readonly n: number | null;
  readonly from: number;
  /** Infinity while it runs. */
  readonly to: number;
  /** The turn it retries or continues, as the reader counts; null when that is not shown. */
  readonly parent: number | null;
  /** The turns that retry this one. */
  readonly retries: readonly number[];
  /** 1, or which try it is. */
  readonly attempt: number;
}

export interface Lane {
  readonly thread: TimelineThread;
  /** When each message was typed that waits, if those are asked for. */
  readonly queued: readonly number[];
  /** Oldest first; a thread has one turn at a time, so they do not overlap. */
  readonly bars: readonly Bar[];
  /** When those began that failed, oldest first. */
  readonly failed: readonly number[];
}

/** One lane for each thread that has anything to show. */
export function lanesOf(
  threads: readonly TimelineThread[],
  batches: Iterable<TimelineBatch>,
  shows: (batch: TimelineBatch, thread: TimelineThread) => boolean,
  /** Whether what waits in its queue is reason enough to show a thread. */
  showsQueue: (thread: TimelineThread) => boolean,
  /** How many turns of a thread are older than those told; null while older ones may still come. */
  before: Readonly<Record<string, number>> | null,
): readonly Lane[] {
  const byThread = Map.groupBy(batches, ({ thread }) => thread);
  return threads.flatMap((thread) => {
    const own = (byThread.get(thread.id) ?? []).sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const first = before === null ? null : (before[thread.id] ?? 0) + 1;
    const bars = barsOf(own, first).filter(({ batch }) => shows(batch, thread));
    const queued = showsQueue(thread) ? thread.queued : [];
    if (bars.length === 0 && queued.length === 0) return [];
    const failed = bars.flatMap(({ batch, from }) =>
      batch.status === "failed" ? [from] : [],
    );
    return [{ thread, queued, bars, failed }];
  });
}

/** `batches` are those of one thread, oldest first; `first` is the number of the oldest. */
function barsOf(
  batches: readonly TimelineBatch[],
  first: number | null,
): readonly Bar[] {
  const numbers = new Map(
    first === null
      ? []
      : batches.map(({ id }, index) => [id, first + index] as const),
  );
  const retries = new Map<string, number[]>();
  const attempts = new Map<string, number>();
  for (const { id, parent, retry } of batches) {
    if (!retry || parent === null) continue;
    attempts.set(id, (attempts.get(parent) ?? 1) + 1);
    const n = numbers.get(id);
    if (n !== undefined)
      retries.set(parent, [...(retries.get(parent) ?? []), n]);
  }
  return batches.map((batch) => ({
    ...barOf(batch),
    n: numbers.get(batch.id) ?? null,
    parent: numbers.get(batch.parent ?? "") ?? null,
    retries: retries.get(batch.id) ?? [],
    attempt: attempts.get(batch.id) ?? 1,
  }));
}

function barOf(batch: TimelineBatch): Pick<Bar, "batch" | "from" | "to"> {
  const last = batch.parts.at(-1);
  return {
    batch,
    from: batch.claimed,
    to: last === undefined ? batch.claimed : (last.to ?? Infinity),
  };
}

/** Index of the first bar that ends after a time. */
export function firstAfter(bars: readonly Bar[], time: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.to ?? Infinity) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The bars within a range, one for each spot of so many milliseconds: more could not be told apart. */
export function spread(
  bars: readonly Bar[],
  range: { readonly from: number; readonly to: number },
  spot: number,
): readonly Bar[] {
  const found: Bar[] = [];
  for (let at = firstAfter(bars, range.from); at < bars.length;) {
    const bar = bars[at];
    if (bar === undefined || bar.from > range.to) break;
    found.push(bar);
    at = Math.max(at + 1, firstAfter(bars, bar.from + spot));
  }
  return found;
}

/** Whether any of these times, oldest first, is within. */
export function anyWithin(
  times: readonly number[],
  from: number,
  to: number,
): boolean {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) >= from) high = middle;
    else low = middle + 1;
  }
  return (times[low] ?? Infinity) <= to;
}

/** The bar of a lane that is nearest to a time. */
export function nearest(bars: readonly Bar[], time: number): Bar | undefined {
  const at = firstAfter(bars, time);
  const [before, after] = [bars[at - 1], bars[at]];
  if (before === undefined || after === undefined) return after ?? before;
  return time - before.to < after.from - time ? before : after;
}
