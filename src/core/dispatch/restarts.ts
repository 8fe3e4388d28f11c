import type { AgentFailure } from "../agentPort.ts";
import type { HoldReason } from "../thread.ts";
import type { Draft } from "./draft.ts";
import { holdQueue } from "./settle.ts";
import { timing } from "./settings.ts";
import { unclaim } from "./unclaim.ts";
import { t } from "../../util/l10n.ts";

/** The batch goes back to the head; the queue is held with the cause, unless this was an automatic restart that may be tried again. */
export function startFailed(
  draft: Draft,
  failure: AgentFailure,
  restart: boolean,
): void {
  const { turn, counters } = draft.state;
  if (turn?.phase !== "claimed") return;
  const again =
    restart &&
    isTransient(failure) &&
    counters.restarts < timing.restartDelaysMs.length;
  unclaim(draft, turn.messages, again ? undefined : "held");
  if (again) {
    oneMoreRestart(draft, failure.message);
    if (draft.state.agent.kind === "none") backOff(draft);
  } else holdQueue(draft, holdReasonOf(failure), failure);
}

/** Automatic restarts wait longer each time, then the queue is held. With nothing queued, the next message starts at once. */
export function backOff(draft: Draft): void {
  const { counters, queue, thread, cause } = draft.state;
  if (counters.restarts === 0 || queue.length === 0 || thread.held !== null)
    return;
  const delay = timing.restartDelaysMs[counters.restarts - 1];
  if (delay === undefined)
    holdQueue(
      draft,
      "failing",
      cause ?? {
        kind: "exited",
        message: t("The agent keeps failing, so the queue is held."),
      },
    );
  else draft.set({ agent: { kind: "backoff", until: draft.at + delay } });
}

export function oneMoreRestart(draft: Draft, why: string | undefined): void {
  draft.count({ restarts: draft.state.counters.restarts + 1 });
  if (why !== undefined) draft.set({ lastDeath: why });
}

function isTransient({ kind }: AgentFailure): boolean {
  return kind === "exited" || kind === "timeout" || kind === "protocol";
}

function holdReasonOf({ kind }: AgentFailure): HoldReason {
  if (kind === "notFound") return "notInstalled";
  return kind === "signIn" ? "signIn" : "startFailed";
}
