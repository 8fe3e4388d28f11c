import { assertNever } from "../util/assertNever.ts";
import type {
  BatchStatus,
  Message,
  MessageState,
  StopReason,
} from "./message.ts";

/** Ended and status, by turn records and message states alone; never by who spoke last. */
export function batchStatus(
  rows: readonly Message[],
  turns: readonly {
    readonly end: { readonly body: { readonly stop: StopReason } } | null;
  }[],
): { readonly ended: boolean; readonly status: BatchStatus } {
  const states = new Set(rows.map(({ state }) => state));
  if (turns.some(({ end }) => end === null))
    return { ended: false, status: "processing" };
  if (states.has("claimed")) return { ended: false, status: "collecting" };
  if (states.has("sent")) return { ended: false, status: "processing" };
  const stop = turns.at(-1)?.end?.body.stop;
  return {
    ended: true,
    status: stop === undefined ? withoutTurn(states) : byStop(stop),
  };
}

function byStop(stop: StopReason): BatchStatus {
  switch (stop) {
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
      return "completed";
    case "cancelled":
      return "cancelled";
    case "error":
    case "stuck":
      return "failed";
    case "interrupted":
      return "interrupted";
    default:
      return assertNever(stop);
  }
}

function withoutTurn(states: ReadonlySet<MessageState | null>): BatchStatus {
  if (states.has("seenAborted")) return "failed";
  if (states.has("uncertain")) return "interrupted";
  if (states.has("discarded") && !states.has("delivered")) return "cancelled";
  return "completed";
}
