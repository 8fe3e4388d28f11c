import { batchTypeOf, startedByOthers } from "../gates.ts";
import type { Message } from "../message.ts";
import { isGated, nextWithout, pickBatch, urgentOf } from "./claim.ts";
import type { Draft } from "./draft.ts";
import { endAgent, startAgent } from "./process.ts";
import { currentSession, type ClaimedTurn, type NewestBatch } from "./state.ts";
import { t } from "../../util/l10n.ts";

/**
 * Claims and sends what is due, if anything is. Looked at after every event,
 * so that no lost timer can strand a message.
 */
export function dispatch(draft: Draft): void {
  dropStaleNext(draft);
  partWithStranger(draft);
  if (promptClaimed(draft) || !mayClaim(draft)) return;
  const { settings } = draft.context;
  const picked = pickBatch(draft.state, settings, draft.at);
  if (draft.state.gated === true) draft.set({ gated: false });
  if (picked.length === 0) return;
  const batch = batchFor(draft, picked);
  if (isGated(draft.state, settings, picked)) {
    closeGate(draft);
    return;
  }
  const { agent } = draft.state;
  claim(draft, batch, picked);
  if (agent.kind === "live") draft.prompt = { life: agent.life };
  else if (agent.kind === "none" || agent.kind === "backoff") startAgent(draft);
}

/** What was claimed while its session was made ready goes as soon as that is stored. */
function promptClaimed(draft: Draft): boolean {
  const { turn, agent, stalled, dormant } = draft.state;
  if (turn?.phase !== "claimed" || agent.kind !== "live") return false;
  if (stalled === null && !dormant) draft.prompt = { life: agent.life };
  return true;
}

function mayClaim({ state, at }: Draft): boolean {
  if (state.turn !== null || state.stalled !== null || state.dormant)
    return false;
  if (state.agent.kind === "ending") return false;
  if (urgentOf(state, at).length > 0) return true;
  if (state.agent.kind === "backoff" && at < state.agent.until) return false;
  if (state.thread.held !== null) return false;
  return state.collect === null || at >= state.collect.until;
}

function claim(
  draft: Draft,
  batch: NewestBatch | null,
  picked: readonly Message[],
): void {
  const positions = picked.map(() => draft.context.mint());
  const [head] = picked;
  const own: NewestBatch = batch ?? {
    batch: positions[0] ?? "",
    batchType:
      head?.parentBatch !== null && head?.retryOf === null
        ? "continuation"
        : batchTypeOf(picked),
    parentBatch: head?.parentBatch ?? null,
  };
  const messages = picked.map((message, index): Message => ({
    ...message,
    state: "claimed",
    rank: null,
    position: positions[index] ?? null,
    batch: own.batch,
    batchType: own.batchType,
    // What it continues is remembered, for the case that it goes back to the queue.
    parentBatch: message.parentBatch,
  }));
  draft.write({
    kind: "claim",
    ...own,
    messages: messages.map(({ id, position }) => ({
      id,
      position: position ?? own.batch,
    })),
  });
  draft.touch(...messages);
  const claimed = new Set(picked.map(({ id }) => id));
  const turn: ClaimedTurn = { phase: "claimed", ...own, messages };
  draft.set({
    turn,
    queue: draft.state.queue.filter(({ id }) => !claimed.has(id)),
    collect: null,
    next: nextWithout(draft.state.next, claimed),
  });
}

/** The batch to extend, when what is picked continues the newest one; null for a new batch. */
function batchFor(
  draft: Draft,
  picked: readonly Message[],
): NewestBatch | null {
  const { newest } = draft.state;
  const [head] = picked;
  const extendsNewest =
    newest !== null &&
    head?.retryOf === null &&
    head.parentBatch === newest.batch;
  return extendsNewest ? newest : null;
}

/** A process whose session is not the thread's any more (another agent was chosen) makes room. */
function partWithStranger(draft: Draft): void {
  const { agent, turn } = draft.state;
  const own = currentSession(draft.state)?.generation;
  if (turn === null && agent.kind === "live" && agent.generation !== own)
    endAgent(draft);
}

function dropStaleNext(draft: Draft): void {
  const { next, queue } = draft.state;
  const queued = new Set(queue.map(({ id }) => id));
  const gone = next.flat().filter((id) => !queued.has(id));
  if (gone.length > 0) draft.set({ next: nextWithout(next, new Set(gone)) });
}

/** Told once for as long as it lasts; the queue shows it all the while. */
function closeGate(draft: Draft): void {
  draft.set({ gated: true });
  if (draft.before.gated === true) return;
  draft.notice(
    "warning",
    "gate",
    t(
      "{0} The queue goes on with your next message.",
      startedByOthers(draft.state.counters),
    ),
  );
}
