import { isSuccess, settle as afterTurn } from "../compile/memory.ts";
import type { StopReason, Usage } from "../message.ts";
import type { AgentFailure, TurnResult } from "../agentPort.ts";
import type { HoldReason, Session } from "../thread.ts";
import type { Draft } from "./draft.ts";
import { markHeld } from "./queue.ts";
import { sessionOf, type SentTurn } from "./state.ts";
import { forgetBatch, unclaim } from "./unclaim.ts";

/** How a sent turn came to its end, and what becomes of its messages. */
export interface Ending {
  readonly stop: StopReason;
  readonly messages: "delivered" | "seenAborted" | "uncertain" | "queued";
  readonly usage?: Usage;
  readonly error?: string;
}

const failedTurnsUntilHold = 2;
const stopReasons: readonly StopReason[] = [
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
];

/** Ends the turn in one transaction: its rows, its terminal record, states, cursor and ledger. */
export function settle(draft: Draft, turn: SentTurn, ending: Ending): void {
  const { stop, usage, error } = ending;
  draft.flush = true;
  draft.append(turn.batch, {
    kind: "turnEnd",
    stop,
    ...(usage === undefined ? {} : { usage }),
    ...(error === undefined ? {} : { error }),
  });
  draft.set({ turn: null, permissions: [] });
  if (ending.messages === "queued") {
    unclaim(draft, turn.messages, "held");
    forgetBatch(draft, turn.batch);
  } else draft.become(turn.messages, ending.messages);
  const session = sessionOf(draft.state, turn.generation);
  const after = session && afterTurn(session, turn, stop);
  if (after !== undefined) draft.session(after);
  countFailures(draft, stop);
  const { agent } = draft.state;
  if (agent.kind === "live")
    draft.set({
      agent: {
        ...agent,
        misses: 0,
        idleSince: draft.at,
        caughtUp: isSuccess(stop) && reaches(after, turn),
      },
    });
  draft.thread({ updatedAt: draft.context.now });
  if (turn.cancel?.hold === true) holdQueue(draft, "cancelled", null);
  draft.dispatchLater = true;
}

/** A command goes alone: what else was due is due still, and the cursor stays behind it. */
function reaches(session: Session | undefined, turn: SentTurn): boolean {
  const last = turn.messages.at(-1)?.position ?? null;
  const cursor = session?.cursor ?? null;
  return last !== null && cursor !== null && cursor >= last;
}

/** The response to a prompt, read as an ending. */
export function endingOf(turn: SentTurn, result: TurnResult): Ending {
  const { usage, stopReason } = result;
  const told = stopReasons.find((known) => known === stopReason) ?? "end_turn";
  const byUs =
    turn.cancel === null || (turn.cancel.by === "stuck" && told !== "cancelled")
      ? told
      : turn.cancel.by === "stuck"
        ? "stuck"
        : "cancelled";
  return {
    stop: byUs,
    messages: "delivered",
    ...(usage === undefined ? {} : { usage }),
  };
}

/** The end of a turn that was answered with an error, or whose process is gone: only an update shows that it was read. */
export function endingOfFailure(
  turn: SentTurn,
  seen: boolean,
  error: string | undefined,
): Ending {
  const aborted = seen ? "seenAborted" : "uncertain";
  const told = error === undefined ? {} : { error };
  switch (turn.cancel?.by) {
    case "user":
    case "reset":
      return { stop: "cancelled", messages: seen ? "delivered" : "uncertain" };
    case "stuck":
      return { stop: "stuck", messages: aborted, ...told };
    case undefined:
      return { stop: "error", messages: aborted, ...told };
  }
}

/** Holds what waits, unless nothing does or the user holds it already. */
export function holdQueue(
  draft: Draft,
  reason: HoldReason,
  cause: AgentFailure | null,
): void {
  const { queue, thread } = draft.state;
  if (queue.length === 0 || thread.held === "user") return;
  draft.thread({ held: reason });
  draft.set({ cause, collect: null });
  markHeld(draft);
  if (cause !== null) draft.notice("error", "held", cause.message);
}

function countFailures(draft: Draft, stop: StopReason): void {
  const { failedTurns, stuck } = draft.state.counters;
  switch (stop) {
    case "error":
      draft.count({ failedTurns: failedTurns + 1 });
      return;
    case "stuck":
      draft.count({ stuck: stuck + 1 });
      return;
    case "cancelled":
    case "interrupted":
      return;
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
      draft.count({ failedTurns: 0, stuck: 0, restarts: 0 });
  }
}

export function failsInARow(draft: Draft): boolean {
  return draft.state.counters.failedTurns >= failedTurnsUntilHold;
}
