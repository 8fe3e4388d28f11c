import type { MessageState } from "./message.ts";

/** The state table: the only transitions there are. */
export function mayBecome(
  from: MessageState | null,
  to: MessageState,
): boolean {
  return nextStates[from ?? "none"].includes(to);
}

const nextStates: Readonly<
  Record<MessageState | "none", readonly MessageState[]>
> = {
  none: ["queued"],
  queued: ["claimed", "discarded"],
  claimed: ["sent", "queued", "discarded"],
  sent: ["delivered", "seenAborted", "uncertain", "queued"],
  delivered: [],
  seenAborted: ["superseded", "discarded"],
  uncertain: ["superseded", "discarded"],
  superseded: [],
  discarded: ["queued"],
};
