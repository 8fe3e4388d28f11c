import type { Snowflake } from "../message.ts";
import type { Store } from "../ports.ts";
import type { CommitAnswer, Write } from "../writes.ts";
import type { Stepped } from "./events.ts";
import type { Scribe } from "./scribe.ts";
import type { ThreadState } from "./state.ts";

const failuresUntilDoubt = 3;

/** Commits a step, and with it the recorder's rows where they belong to it or have to come first. */
export async function commitStep(
  store: Store,
  scribe: Scribe,
  stepped: Stepped,
  more: readonly Write[],
): Promise<CommitAnswer> {
  const own = [...more, ...stepped.writes];
  const both = stepped.flush || givesPositions(own);
  const writes = joinWrites(both ? scribe.writes() : [], own);
  if (writes.length === 0) return { ok: true };
  const answer = await store.commit(writes, stepped.durability);
  if (both) confirm(scribe, answer);
  return answer;
}

/** Stores the recorder's rows by themselves; what fails stays with it. */
export async function flush(store: Store, scribe: Scribe): Promise<void> {
  if (scribe.hasPending())
    confirm(scribe, await store.commit(scribe.writes(), "normal"));
}

/** After several failures: the store takes other things, so what it refuses must be wrong. */
export async function isOurFault(
  store: Store,
  { thread, counters }: ThreadState,
): Promise<boolean> {
  if (counters.failedCommits < failuresUntilDoubt) return false;
  return (await store.commit([{ kind: "thread", thread }], "normal")).ok;
}

/**
 * Joins what the recorder and a step have to store. Positions are given as things happen,
 * and the record takes them only in order, so the two lists are merged by position.
 */
export function joinWrites(
  recorded: readonly Write[],
  stepped: readonly Write[],
): readonly Write[] {
  if (recorded.length === 0) return stepped;
  const groups = [...grouped(recorded), ...grouped(stepped)];
  return groups
    .sort((one, other) =>
      one.position < other.position
        ? -1
        : one.position > other.position
          ? 1
          : 0,
    )
    .flatMap(({ writes }) => writes);
}

/** True when it gives anything a position: then all that has an earlier one must be stored first. */
function givesPositions(writes: readonly Write[]): boolean {
  return writes.some((write) => positionOf(write) !== undefined);
}

function confirm(scribe: Scribe, { ok }: CommitAnswer): void {
  if (ok) scribe.stored();
  else scribe.notStored();
}

interface Group {
  readonly position: Snowflake;
  readonly writes: Write[];
}

/** Each positioned write with those that follow it. */
function grouped(writes: readonly Write[]): Group[] {
  const groups: Group[] = [];
  for (const write of writes) {
    const position = positionOf(write);
    const last = groups.at(-1);
    if (position === undefined && last !== undefined) last.writes.push(write);
    else groups.push({ position: position ?? "", writes: [write] });
  }
  return groups;
}

function positionOf(write: Write): Snowflake | undefined {
  if (write.kind === "append") return write.record.position;
  return write.kind === "claim" ? write.messages[0]?.position : undefined;
}
