import type { Marks, Message, Snowflake } from "../message.ts";
import type { Draft } from "./draft.ts";

/** Puts a claimed batch back at the head of the queue, in its order. */
export function unclaim(
  draft: Draft,
  messages: readonly Message[],
  waited?: Marks["waited"],
): readonly Message[] {
  const first = draft.state.queue[0]?.rank ?? 1;
  const back = messages.map((message, index): Message => ({
    ...message,
    state: "queued",
    rank: first - messages.length + index,
    position: null,
    batch: null,
    sequence: null,
    batchType: null,
    marks: waited === undefined ? message.marks : { ...message.marks, waited },
  }));
  draft.write({
    kind: "requeue",
    messages: back.map(({ id, rank, marks }) => ({
      id,
      rank: rank ?? first,
      marks,
    })),
  });
  draft.set({ queue: [...back, ...draft.state.queue], turn: null });
  draft.touch(...back);
  return back;
}

/**
 * A batch whose messages went back to the queue is not what it was: the record names its rest anew,
 * so nothing in memory may refer to it any more.
 */
export function forgetBatch(draft: Draft, batch: Snowflake | null): void {
  if (batch === null) return;
  const { newest, queue } = draft.state;
  if (newest?.batch === batch) draft.set({ newest: null });
  if (queue.some(({ parentBatch }) => parentBatch === batch))
    draft.set({
      queue: queue.map((message) =>
        message.parentBatch === batch
          ? { ...message, parentBatch: null }
          : message,
      ),
    });
}
