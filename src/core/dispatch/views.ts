import type { Clock } from "../ports.ts";
import type { QueueView, TurnView, Unsaved } from "./changes.ts";
import { isCommandMessage } from "../compile/barriers.ts";
import { goesAlone, isGated, pickBatch, planBatches } from "./claim.ts";
import type { ThreadEvent } from "./events.ts";
import type { DispatchSettings } from "./settings.ts";
import type { ThreadState } from "./state.ts";

export function queueView(
  state: ThreadState,
  settings: DispatchSettings,
  clock: Clock,
): QueueView {
  const { queue, leases, commands, thread, cause, collect, stalled } = state;
  const cap = settings.maxBufferedMessages;
  const at = clock.monotonic();
  const next = pickBatch(state, settings, at);
  return {
    items: queue.map((message, index) => ({
      message,
      waiting: index >= cap,
      alone: goesAlone(message, commands),
      command: isCommandMessage(message, commands),
      editing: leases.find(({ id }) => id === message.id)?.holder ?? null,
    })),
    next: next.length,
    plan: planBatches(state, settings, at).map((batch) =>
      batch.map(({ id }) => id),
    ),
    held: stalled === null ? thread.held : "notSaved",
    cause: cause?.message ?? null,
    full: queue.length >= cap,
    gated: isGated(state, settings, next),
    collectingUntil: collect === null ? null : wallTime(clock, collect.until),
  };
}

export function turnView(state: ThreadState, clock: Clock): TurnView | null {
  const { turn } = state;
  if (turn === null) return null;
  return {
    batch: turn.batch,
    phase: turn.phase,
    messages: turn.messages.map(({ id }) => id),
    startedAt: turn.phase === "sent" ? wallTime(clock, turn.startedAt) : null,
    cancelling: turn.phase === "sent" && turn.cancel !== null,
    overMinutes: turn.phase === "sent" ? turn.ceilingAsked : null,
  };
}

export function unsavedOf({ stalled, turn }: ThreadState): Unsaved | null {
  return stalled === null
    ? null
    : {
        batch: turn?.batch ?? null,
        over: stalled.events.some(({ kind }) => isEnd(kind)),
        detail: stalled.detail,
      };
}

function isEnd(kind: ThreadEvent["kind"]): boolean {
  return kind === "turnEnded" || kind === "agentEnded" || kind === "agentGone";
}

/** An instant of the monotonic clock, as the wall clock would tell it. */
export function wallTime(clock: Clock, instant: number): number {
  return Math.round(clock.now() - (clock.monotonic() - instant));
}
