import { timing } from "./settings.ts";
import type { ThreadState } from "./state.ts";
import { t } from "../../util/l10n.ts";

export type AgentStatusState =
  | "none"
  | "starting"
  | "ready"
  | "busy"
  | "waiting"
  | "stuck"
  | "restarting"
  | "failed";

/** The agent as a view shows it. Times are of the wall clock. */
export interface AgentStatus {
  readonly state: AgentStatusState;
  /** When it came into this state; for a running turn, when that started. */
  readonly since: number;
  /** Any traffic, an answered probe included. */
  readonly signAt: number | null;
  /** The last thing the agent itself had to say. */
  readonly updateAt: number | null;
  /** False: it answers no probes, so only its death counts. */
  readonly probed: boolean;
  /** One sentence, where the state alone does not say it. */
  readonly text: string | null;
  /** Which of how many automatic starts this is, while it is started again. */
  readonly restart: Restart | null;
}

export interface Restart {
  readonly attempt: number;
  readonly most: number;
}

export interface StatusFacts {
  readonly state: AgentStatusState;
  readonly probed: boolean;
  readonly text: string | null;
  readonly restart: Restart | null;
}

/** What of the status follows from the dispatcher's state alone. */
export function statusOf(state: ThreadState): StatusFacts {
  const { agent, turn, permissions, lastDeath } = state;
  const { restarts } = state.counters;
  const probed = agent.kind !== "live" || agent.probe === "answers";
  const is = (
    name: AgentStatusState,
    text: string | null = null,
  ): StatusFacts => ({
    state: name,
    probed,
    text,
    restart:
      name === "restarting" && restarts > 0
        ? { attempt: restarts, most: timing.restartDelaysMs.length }
        : null,
  });
  const again = (): StatusFacts =>
    is("restarting", lastDeath ?? t("It failed and is started again."));
  if (turn?.phase === "sent") {
    if (turn.cancel?.by === "stuck")
      return is("stuck", t("No sign of life: it is being stopped."));
    if (permissions.length > 0)
      return is("waiting", t("It waits for your answer."));
    return is("busy", turn.cancel === null ? null : t("It is being stopped."));
  }
  switch (agent.kind) {
    case "none":
      return state.cause === null
        ? is("none")
        : is("failed", state.cause.message);
    case "starting":
      if (agent.waiting)
        return is("waiting", t("It waits for another agent to become idle."));
      return agent.restart ? again() : is("starting");
    case "opening":
      return agent.restart ? again() : is("starting");
    case "backoff":
      return again();
    case "live":
      // Its session is open, and what was claimed for it is being compiled.
      if (turn !== null) return is("starting");
      return permissions.length > 0
        ? is("waiting", t("It waits for your answer."))
        : is("ready");
    case "ending":
      if (state.cause !== null) return is("failed", state.cause.message);
      if (state.queue.length === 0 || state.thread.held !== null)
        return is("none");
      return restarts > 0 ? again() : is("starting");
  }
}
