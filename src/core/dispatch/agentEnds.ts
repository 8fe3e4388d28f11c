import type { AgentFailure } from "../agentPort.ts";
import type { Draft } from "./draft.ts";
import type { LifeEvent } from "./events.ts";
import { endAgent } from "./process.ts";
import { backOff, oneMoreRestart, startFailed } from "./restarts.ts";
import { asleep, lose } from "./sessionChanges.ts";
import {
  endingOf,
  endingOfFailure,
  failsInARow,
  holdQueue,
  settle,
} from "./settle.ts";
import { isIdle, sessionOf, type SentTurn } from "./state.ts";

type Of<K extends LifeEvent["kind"]> = Extract<LifeEvent, { kind: K }>;

export function turnEnded(draft: Draft, event: Of<"turnEnded">): void {
  const { turn } = draft.state;
  if (turn?.phase !== "sent" || turn.batch !== event.batch) return;
  settleAnswer(draft, turn, event.result);
  const { agent } = draft.state;
  if (agent.kind === "live" && agent.retired === true) endAgent(draft);
}

/** Dead by itself. What it started may live on, so its end is made sure of before anything else starts. */
export function agentEnded(draft: Draft, event: Of<"agentEnded">): void {
  const { agent, turn } = draft.state;
  if (agent.kind === "opening") {
    endAgent(draft);
    startFailed(draft, event.failure, agent.restart);
  }
  if (agent.kind !== "live") return;
  if (turn?.phase === "sent") died(draft, turn, event.failure);
  else if (turn?.phase === "claimed") {
    endAgent(draft);
    startFailed(draft, event.failure, true);
  } else {
    endAgent(draft);
    if (draft.state.permissions.length > 0) {
      draft.set({ permissions: [] });
      draft.effect({ kind: "closePermissions" });
    }
  }
}

/** Nothing of the process is left: its session sleeps, and what waits may go on. */
export function agentGone(draft: Draft): void {
  const { agent, turn } = draft.state;
  if (agent.kind !== "ending") return;
  if (turn?.phase === "sent") settleDeath(draft, turn, undefined);
  for (const session of draft.state.sessions)
    if (session.process !== null) draft.session(asleep(session));
  draft.set({ agent: { kind: "none" }, permissions: [] });
  backOff(draft);
  draft.dispatchLater = true;
}

/** Ends an idle process; its session id is kept, and the next message resumes it. */
export function suspend(draft: Draft): void {
  if (draft.state.agent.kind === "live" && isIdle(draft.state)) endAgent(draft);
}

/** Ends the process now, or with the turn it is in; the next message begins with a new one. */
export function retire(draft: Draft): void {
  const { agent, turn } = draft.state;
  if (agent.kind !== "live") return;
  if (turn === null) endAgent(draft);
  else draft.set({ agent: { ...agent, retired: true } });
}

function settleAnswer(
  draft: Draft,
  turn: SentTurn,
  result: Of<"turnEnded">["result"],
): void {
  if (!result.ok) {
    if (result.failure.kind === "exited") died(draft, turn, result.failure);
    else answeredWithError(draft, turn, result.failure);
    return;
  }
  const { error } = result.value;
  if (error === undefined || turn.cancel !== null)
    settle(draft, turn, endingOf(turn, result.value));
  else answeredWithError(draft, turn, { kind: "refused", message: error });
}

function answeredWithError(
  draft: Draft,
  turn: SentTurn,
  failure: AgentFailure,
): void {
  const { seen } = draft.context;
  const ending = endingOfFailure(turn, seen, failure.message);
  if (ending.stop === "cancelled") {
    settle(draft, turn, ending);
    return;
  }
  const unread =
    !seen && (failure.kind === "signIn" || failure.kind === "noSession");
  settle(draft, turn, unread ? { ...ending, messages: "queued" } : ending);
  const session = sessionOf(draft.state, turn.generation);
  if (failure.kind === "noSession" && session !== undefined) {
    lose(draft, session);
    endAgent(draft);
  }
  if (failure.kind === "signIn") {
    // A process learns of a sign-in elsewhere only by being started anew.
    endAgent(draft);
    if (draft.state.queue.length === 0)
      draft.notice("error", "signIn", failure.message);
    holdQueue(draft, "signIn", failure);
  } else if (unread || failsInARow(draft)) holdQueue(draft, "failing", failure);
}

function died(draft: Draft, turn: SentTurn, failure: AgentFailure): void {
  settleDeath(draft, turn, failure.message);
  endAgent(draft);
  if (turn.cancel === null && failsInARow(draft))
    holdQueue(draft, "failing", failure);
}

/** What the user ended needs no back-off; what died by itself does. */
function settleDeath(
  draft: Draft,
  turn: SentTurn,
  error: string | undefined,
): void {
  settle(draft, turn, endingOfFailure(turn, draft.context.seen, error));
  if (turn.cancel === null || turn.cancel.by === "stuck")
    oneMoreRestart(draft, error);
}
