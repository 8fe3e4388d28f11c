import { isGated, isLeased, nextWithout, pickBatch } from "./claim.ts";
import type { Draft } from "./draft.ts";
import { endAgent } from "./process.ts";
import { discardQueued, letGo, letGoUnlessOwn, refuseGated } from "./queue.ts";
import { lose } from "./sessionChanges.ts";
import { holdQueue } from "./settle.ts";
import { currentSession, type Cancel } from "./state.ts";
import { unclaim } from "./unclaim.ts";
import { t } from "../../util/l10n.ts";

/** Ends the running turn; what is queued stays. */
export function cancel(draft: Draft): void {
  const { turn } = draft.state;
  const hold = draft.context.settings.afterCancel === "hold";
  if (turn === null) return;
  if (turn.phase === "sent") cancelSent(draft, "user", hold);
  else {
    discardClaimed(draft);
    if (hold) holdQueue(draft, "cancelled", null);
  }
}

/** Also empties the queue as of this instant; everything can be restored. */
export function cancelAll(draft: Draft): void {
  const { turn, queue } = draft.state;
  if (turn?.phase === "sent") cancelSent(draft, "user", false);
  else if (turn !== null) discardClaimed(draft);
  if (queue.length > 0) discardQueued(draft, queue);
}

/** Stops the running turn, waits for its response, then sends this item alone, or (null) the queue. */
export function sendNow(draft: Draft, id: string | null): void {
  const { turn, queue } = draft.state;
  if (id !== null && !queue.some((message) => message.id === id)) {
    draft.refuse("notQueued", t("It is no longer in the queue."));
    return;
  }
  if (id !== null && isLeased(draft.state, id, draft.at)) {
    draft.refuse("beingEdited", t("It is being edited."));
    return;
  }
  if (stopsAtGate(draft, id)) return;
  if (id === null) letGo(draft);
  draft.set({ collect: null });
  if (id === null) draft.set({ next: [] });
  else goesNext(draft, id);
  // Now is now: it waits for no later try.
  if (draft.state.agent.kind === "backoff")
    draft.set({ agent: { kind: "backoff", until: draft.at } });
  if (turn?.phase === "sent") cancelSent(draft, "user", false);
  else if (turn !== null && id !== null) unclaim(draft, turn.messages);
}

/** Behind what was to go at once already. What it takes the place of goes after it: it had been let go, too. */
function goesNext(draft: Draft, id: string): void {
  const { turn, next, thread } = draft.state;
  const others = nextWithout(next, new Set([id]));
  const displaced =
    turn?.phase === "claimed" && thread.held !== null
      ? [turn.messages.map((message) => message.id)]
      : [];
  draft.set({ next: [...others, [id], ...displaced] });
}

/** Refused before anything is stopped for it. */
export function stopsAtGate(draft: Draft, id: string | null): boolean {
  const { state, at, context } = draft;
  const next = id === null ? [] : [[id]];
  const due = pickBatch({ ...state, next }, context.settings, at);
  if (!isGated(state, context.settings, due)) return false;
  refuseGated(draft);
  return true;
}

/** A new generation: the agent forgets, history stays. */
export function reset(draft: Draft): void {
  const session = currentSession(draft.state);
  if (session !== undefined) {
    lose(draft, session);
    draft.set({ reset: true });
  }
  leave(draft);
}

export function setAgent(draft: Draft, agent: string): void {
  if (agent === draft.state.thread.agent) return;
  draft.thread({ agent });
  draft.set({ commands: null });
  letGoUnlessOwn(draft);
  if (draft.state.turn?.phase !== "sent") leave(draft);
}

export function setFolder(draft: Draft, folder: string): void {
  if (folder === draft.state.thread.folder) return;
  reset(draft);
  draft.thread({ folder });
}

/** Asks the agent to stop. The turn ends with its response, or with its process when none comes. */
export function cancelSent(
  draft: Draft,
  by: Cancel["by"],
  hold: boolean,
): void {
  const { turn } = draft.state;
  if (turn?.phase !== "sent") return;
  const at = turn.cancel?.at ?? draft.at;
  const first = turn.cancel?.by !== "reset" ? by : "reset";
  draft.set({
    turn: { ...turn, cancel: { by: first, at, hold } },
    permissions: [],
  });
  if (turn.cancel !== null) return;
  draft.effect({
    kind: "cancelPrompt",
    life: turn.life,
    sessionId: turn.sessionId,
  });
  draft.effect({ kind: "closePermissions" });
}

/** Parts from the process: a running turn ends with it, a claimed batch waits at the head. */
function leave(draft: Draft): void {
  const { turn } = draft.state;
  if (turn?.phase === "sent") cancelSent(draft, "reset", false);
  else if (turn !== null) unclaim(draft, turn.messages);
  endAgent(draft);
}

/** Never sent: back to the queue first, so that no batch is left with holes, then out of it. */
function discardClaimed(draft: Draft): void {
  const { turn } = draft.state;
  if (turn?.phase !== "claimed") return;
  discardQueued(draft, unclaim(draft, turn.messages));
  const { agent, queue } = draft.state;
  const needless = agent.kind === "starting" && agent.waiting;
  if (needless && queue.length === 0) endAgent(draft);
}
