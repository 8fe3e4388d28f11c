import { isCommandMessage } from "../compile/barriers.ts";
import { blocksOf } from "../compile/pack.ts";
import { estimateTokens } from "../compile/tokens.ts";
import { batchTypeOf, mayDispatch } from "../gates.ts";
import type { Message, Sender } from "../message.ts";
import type { DispatchSettings } from "./settings.ts";
import type { ThreadState } from "./state.ts";

/**
 * What the next turn carries, in queue order: the head, and what may share a batch with it.
 * Never skips ahead, so that what exceeds a cap heads the next batch.
 */
export function pickBatch(
  state: ThreadState,
  settings: DispatchSettings,
  at: number,
): readonly Message[] {
  const urgent = urgentOf(state, at);
  const free = urgent.length > 0 ? urgent : claimable(state, at);
  const [head] = free;
  if (head === undefined) return [];
  if (settings.mode === "per-message" || goesAlone(head, state.commands))
    return [head];
  const lane =
    settings.mode === "per-lane"
      ? free.filter((message) => laneOf(message) === laneOf(head))
      : free;
  const picked: Message[] = [];
  let tokens = 0;
  for (const message of lane) {
    tokens += tokensOf(message);
    const fits =
      picked.length === 0 ||
      (picked.length < settings.maxBufferedMessages &&
        tokens <= settings.maxBatchTokens &&
        sameFamily(message, head) &&
        !goesAlone(message, state.commands));
    if (!fits) break;
    picked.push(message);
  }
  return picked;
}

/**
 * The turns to come, were nothing added: as many as it takes for all that has room. What an edit keeps back
 * comes as it will when the edit ends.
 */
export function planBatches(
  state: ThreadState,
  settings: DispatchSettings,
  at: number,
): readonly (readonly Message[])[] {
  const plan: (readonly Message[])[] = [];
  const due = new Set(
    state.queue.slice(0, settings.maxBufferedMessages).map(({ id }) => id),
  );
  let rest = state;
  while (due.size > 0) {
    const free = pickBatch(rest, settings, at);
    const batch =
      free.length > 0 ? free : pickBatch({ ...rest, leases: [] }, settings, at);
    if (batch.length === 0) break;
    plan.push(batch);
    const taken = new Set(batch.map(({ id }) => id));
    for (const id of taken) due.delete(id);
    rest = {
      ...rest,
      queue: rest.queue.filter(({ id }) => !taken.has(id)),
      next: nextWithout(rest.next, taken),
    };
  }
  return plan;
}

/** True when these would make a turn that others start, and they have started as many as they may. */
export function isGated(
  { counters }: ThreadState,
  settings: DispatchSettings,
  picked: readonly Message[],
): boolean {
  return (
    picked.length > 0 && !mayDispatch(batchTypeOf(picked), settings, counters)
  );
}

/** What goes before all others now; an item being edited does not. */
export function urgentOf(state: ThreadState, at: number): readonly Message[] {
  for (const group of state.next) {
    const free = state.queue.filter(
      ({ id }) => group.includes(id) && !isLeased(state, id, at),
    );
    if (free.length > 0) return free;
  }
  return [];
}

export function nextWithout(
  next: ThreadState["next"],
  gone: ReadonlySet<string>,
): ThreadState["next"] {
  return next
    .map((group) => group.filter((id) => !gone.has(id)))
    .filter((group) => group.length > 0);
}

/** A key no other sender of any thread has, whatever characters ids contain. */
export function laneOf(message: {
  readonly thread: string;
  readonly sender: Sender;
}): string {
  const { thread, sender } = message;
  return JSON.stringify(
    sender.kind === "user"
      ? [thread, sender.kind]
      : [thread, sender.kind, sender.id],
  );
}

export function tokensOf(message: Message): number {
  return estimateTokens(blocksOf(message));
}

export function goesAlone(
  message: Message,
  commands: readonly string[] | null,
): boolean {
  return message.marks.separate === true || isCommandMessage(message, commands);
}

export function isLeased(
  { leases }: ThreadState,
  id: string,
  at: number,
): boolean {
  return leases.some((lease) => lease.id === id && lease.until > at);
}

/** An item being edited stays behind, and so does what follows it. */
function claimable(state: ThreadState, at: number): readonly Message[] {
  const { queue } = state;
  const leased = queue.findIndex(({ id }) => isLeased(state, id, at));
  return leased === -1 ? queue : queue.slice(0, leased);
}

/** Copies of one batch go together and with nothing else; so does what continues one. */
function sameFamily(one: Message, other: Message): boolean {
  return (
    one.parentBatch === other.parentBatch &&
    (one.retryOf === null) === (other.retryOf === null)
  );
}
