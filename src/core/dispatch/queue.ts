import type { Block, Marks, Message } from "../message.ts";
import { blocksOf } from "../compile/pack.ts";
import { startedByOthers } from "../gates.ts";
import { isGated, pickBatch } from "./claim.ts";
import type { Draft } from "./draft.ts";
import type { Request } from "./events.ts";
import { originalsOf } from "./originals.ts";
import { forgetBatch } from "./unclaim.ts";
import { t } from "../../util/l10n.ts";

export function remove(draft: Draft, ids: readonly string[]): void {
  const gone = draft.state.queue.filter(({ id }) => ids.includes(id));
  if (gone.length === 0) {
    draft.refuse("notQueued", t("It is no longer in the queue."));
    return;
  }
  discardQueued(draft, gone);
}

export function discardQueued(draft: Draft, gone: readonly Message[]): void {
  const discarded = draft.become(gone, "discarded");
  const ids = new Set(gone.map(({ id }) => id));
  const { leases, queue } = draft.state;
  draft.discardable(discarded);
  draft.set({
    queue: queue.filter(({ id }) => !ids.has(id)),
    leases: leases.filter(({ id }) => !ids.has(id)),
  });
  relax(draft);
}

/** Takes discarded messages back, each at the place it had. */
export function restore(
  draft: Draft,
  { messages, originals }: Extract<Request, { kind: "restore" }>,
): void {
  const { discarded, queue } = draft.state;
  const back = restorable(draft, messages).map(
    (message) => discarded.find(({ id }) => id === message.id) ?? message,
  );
  if (back.length === 0) return;
  const last = queue.at(-1)?.rank ?? 0;
  const placed = back.map((message): Message => ({
    ...message,
    state: "queued",
    rank: message.rank ?? last + 1,
    position: null,
    batch: null,
    sequence: null,
    batchType: null,
    marks: { ...message.marks, waited: "restored" },
  }));
  const ordered = [...queue, ...placed].sort(
    (one, other) => (one.rank ?? 0) - (other.rank ?? 0),
  );
  draft.write({
    kind: "requeue",
    messages: placed.map(({ id, rank, marks }) => ({
      id,
      rank: rank ?? last + 1,
      marks,
    })),
  });
  const ids = new Set(back.map(({ id }) => id));
  draft.set({
    discarded: discarded.filter(({ id }) => !ids.has(id)),
    originals: { ...draft.state.originals, ...originalsOf(back, originals) },
  });
  renumber(draft, ordered);
  for (const { batch } of back) forgetBatch(draft, batch);
  draft.touch(...draft.state.queue.filter(({ id }) => ids.has(id)));
}

/** Those that may come back; when none may, the reply says why. */
function restorable(
  draft: Draft,
  messages: readonly Message[],
): readonly Message[] {
  const { queue, turn } = draft.state;
  const there = [...queue, ...(turn?.messages ?? [])];
  const back: Message[] = [];
  draft.refuse("nothingToDo", t("There is nothing to restore."));
  for (const message of messages) {
    if (message.state !== "discarded" || blocksOf(message).length === 0)
      continue;
    if (message.batch !== null && message.batch === turn?.batch)
      draft.refuse(
        "running",
        t("Its turn goes on. Restore it when that has ended."),
      );
    else if ([...there, ...back].some((other) => isSame(message, other)))
      draft.refuse("nothingToDo", t("It is being sent again already."));
    else back.push(message);
  }
  if (back.length > 0) draft.reply = { ok: true };
  return back;
}

/** The one repeats the other, or both repeat a third: only one of them may be on its way. */
function isSame(one: Message, other: Message): boolean {
  return (
    one.retryOf === other.id ||
    other.retryOf === one.id ||
    (one.retryOf !== null && one.retryOf === other.retryOf)
  );
}

export function hold(draft: Draft): void {
  draft.thread({ held: "user" });
  draft.set({ cause: null, collect: null });
  markHeld(draft);
}

/** What waits for no other reason waits for this one from now on. */
export function markHeld(draft: Draft): void {
  const queue = draft.state.queue.map((message): Message =>
    message.marks.waited === undefined
      ? { ...message, marks: { ...message.marks, waited: "held" } }
      : message,
  );
  for (const [index, message] of queue.entries())
    if (message !== draft.state.queue[index]) writeEdit(draft, message);
  draft.set({ queue });
}

export function resume(draft: Draft): void {
  const { state, context } = draft;
  const due = pickBatch(state, context.settings, draft.at);
  if (state.thread.held === null && isGated(state, context.settings, due)) {
    refuseGated(draft);
    return;
  }
  letGo(draft);
  draft.count({ failedTurns: 0, restarts: 0 });
}

export function refuseGated(draft: Draft): void {
  const turns = startedByOthers(draft.state.counters);
  draft.refuse(
    "gated",
    t("{0} Send a message of your own, and the queue goes on.", turns),
  );
}

/** Lifts a hold that stands for nothing any more: the next message finds the way free. */
export function relax(draft: Draft): void {
  if (draft.state.queue.length > 0) return;
  draft.set({ collect: null });
  letGoUnlessOwn(draft);
}

/**
 * These go although the rest is held: what was restored or kept back waits for its own word.
 * A hold that stands for an agent's failure ends, since this tries that agent again.
 */
export function goFirst(draft: Draft, ids: readonly string[]): void {
  const { thread, cause, next } = draft.state;
  if (thread.held === "user") return;
  draft.set({ collect: null });
  if (thread.held === null || cause !== null) letGo(draft);
  else draft.set({ next: [...next, ids] });
}

/** What held the queue is dealt with; the user's own hold is only theirs to lift. */
export function letGoUnlessOwn(draft: Draft): void {
  if (draft.state.thread.held !== "user") letGo(draft);
}

export function letGo(draft: Draft): void {
  if (draft.state.thread.held !== null) draft.thread({ held: null });
  draft.set({ cause: null });
}

/** Gives the queue this order, writing only the ranks that change. */
export function renumber(draft: Draft, ordered: readonly Message[]): void {
  let rank = Number.NEGATIVE_INFINITY;
  const start = Math.min(...ordered.map((message) => message.rank ?? 0));
  const ranks: { id: string; rank: number }[] = [];
  const queue = ordered.map((message) => {
    const own = message.rank ?? start;
    rank = own > rank ? own : rank + 1;
    if (own === rank) return message;
    ranks.push({ id: message.id, rank });
    return { ...message, rank };
  });
  if (ranks.length > 0) draft.write({ kind: "rank", ranks });
  draft.set({ queue });
}

/** A prompt needs words, or something to look at. */
export function isEmpty(blocks: readonly Block[]): boolean {
  return blocks.every(
    (block) => block.type === "text" && block.text.trim() === "",
  );
}

export function writeEdit(draft: Draft, message: Message): void {
  draft.write({
    kind: "edit",
    id: message.id,
    blocks: blocksOf(message),
    marks: message.marks,
  });
  draft.touch(message);
}

export interface Placed {
  readonly id: string;
  readonly sender: Message["sender"];
  readonly blocks: readonly Block[];
  readonly marks: Marks;
  readonly rank: number;
  readonly parentBatch: string | null;
  readonly retryOf: string | null;
}

/** Stores a message as queued and puts it where its rank says. */
export function place(draft: Draft, placed: Placed): void {
  const { blocks, parentBatch, retryOf, ...rest } = placed;
  const message: Message = {
    ...rest,
    thread: draft.state.thread.id,
    arrived: draft.context.mint(),
    position: null,
    batch: null,
    sequence: null,
    batchType: null,
    parentBatch,
    retryOf,
    state: "queued",
    body: { kind: "user", blocks },
  };
  draft.write({
    kind: "accept",
    message: {
      ...rest,
      thread: message.thread,
      arrived: message.arrived,
      blocks,
      ...(parentBatch === null ? {} : { parentBatch }),
      ...(retryOf === null ? {} : { retryOf }),
    },
  });
  const { queue } = draft.state;
  const after = queue.findIndex((other) => (other.rank ?? 0) > placed.rank);
  const index = after === -1 ? queue.length : after;
  draft.set({ queue: queue.toSpliced(index, 0, message) });
  draft.touch(message);
}
