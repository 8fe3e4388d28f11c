import type { Draft } from "./draft.ts";
import { endAgent } from "./process.ts";
import { endingOfFailure, settle } from "./settle.ts";
import { unclaim } from "./unclaim.ts";

/** Lets go of everything in order: a running turn is recorded as interrupted, a claimed batch waits for the next start. */
export function shutdown(draft: Draft): void {
  const { turn } = draft.state;
  draft.set({ dormant: true });
  if (turn?.phase === "claimed") unclaim(draft, turn.messages, "restored");
  if (turn?.phase === "sent") {
    const end = endingOfFailure(turn, draft.context.seen, undefined);
    // What the user cancelled stays cancelled; nothing else ended by itself.
    const stop = end.stop === "cancelled" ? "cancelled" : "interrupted";
    settle(draft, turn, { ...end, stop });
  }
  endAgent(draft);
}
