import { forget, recall } from "../compile/memory.ts";
import type { AgentFailure } from "../agentPort.ts";
import { chooseSession, whyNew } from "../sessions.ts";
import type { HoldReason, Session } from "../thread.ts";
import type { Draft } from "./draft.ts";
import type { LifeEvent } from "./events.ts";
import { endAgent } from "./process.ts";
import {
  endingOf,
  endingOfFailure,
  failsInARow,
  holdQueue,
  settle,
} from "./settle.ts";
import { timing } from "./settings.ts";
import {
  currentSession,
  isIdle,
  nextGeneration,
  sessionOf,
  type RunningAgent,
  type SentTurn,
} from "./state.ts";
import { unclaim } from "./unclaim.ts";
import { t } from "../../util/l10n.ts";

type Of<K extends LifeEvent["kind"]> = Extract<LifeEvent, { kind: K }>;

export function slotAwaited(draft: Draft): void {
  const { agent } = draft.state;
  if (agent.kind === "starting")
    draft.set({ agent: { ...agent, waiting: true } });
}

/** The process has answered: now it resumes the thread's session, or begins one. */
export function agentStarted(draft: Draft, event: Of<"agentStarted">): void {
  const { agent } = draft.state;
  if (agent.kind !== "starting") return;
  const { identity, capabilities, life } = event;
  const { thread, sessions, counters, reset } = draft.state;
  const stuckAgain = counters.stuck > 1;
  const choice = chooseSession(thread, sessions, capabilities);
  const resumed =
    choice.kind === "resume" && !stuckAgain ? choice.session : undefined;
  const known = currentSession(draft.state);
  if (known !== undefined && resumed === undefined) lose(draft, known);
  const why = whyNew(choice, reset === true);
  const session: Session = resumed ?? newSession(draft);
  draft.session({ ...session, state: "starting", process: identity });
  draft.set({
    agent: {
      kind: "opening",
      restart: agent.restart,
      life,
      agent: agent.agent,
      folder: agent.folder,
      generation: session.generation,
      identity,
      capabilities,
      why: resumed === undefined ? why : null,
      probe: "asked",
    },
  });
  // Now it is idle: once it has a prompt to work on, its silence would say nothing.
  draft.effect({ kind: "probe", life });
  draft.effect({
    kind: "openSession",
    life,
    resume: resumed?.sessionId ?? null,
  });
}

/** The session is there: what was claimed for it goes next. */
export function sessionOpened(draft: Draft, event: Of<"sessionOpened">): void {
  const { agent } = draft.state;
  if (agent.kind !== "opening") return;
  const { life, identity, capabilities, probe } = agent;
  const { generation, why } = openedAs(draft, agent, event.sessionId);
  draft.set({
    agent: {
      kind: "live",
      life,
      agent: agent.agent,
      folder: agent.folder,
      generation,
      identity,
      capabilities,
      why,
      probe,
      probedAt: draft.at,
      misses: 0,
      tickDue: draft.at + timing.probeEveryMs,
      idleSince: draft.at,
      caughtUp: false,
    },
  });
  // Its id is stored first: what is to be sent takes a while to compile, and may never be.
  draft.dispatchLater = true;
}

/** An agent that names another session than the one it was to take up has begun a new one. */
function openedAs(
  draft: Draft,
  { generation, why, identity }: RunningAgent,
  sessionId: string,
): Pick<RunningAgent, "generation" | "why"> {
  const session = sessionOf(draft.state, generation);
  if (session === undefined) return { generation, why };
  if (session.sessionId === null || session.sessionId === sessionId) {
    draft.session({ ...session, sessionId, state: "live" });
    return { generation, why };
  }
  lose(draft, session);
  const fresh = newSession(draft);
  draft.session({ ...fresh, sessionId, state: "live", process: identity });
  return { generation: fresh.generation, why: "sessionChanged" };
}

export function agentFailed(draft: Draft, event: Of<"agentFailed">): void {
  const { agent } = draft.state;
  if (agent.kind !== "starting") return;
  draft.set({ agent: { kind: "none" } });
  startFailed(draft, event.failure, agent.restart);
}

/** Only a definite "no such session" makes it lost; anything else keeps its id and sends nothing. */
export function sessionFailed(draft: Draft, event: Of<"sessionFailed">): void {
  const { agent } = draft.state;
  if (agent.kind !== "opening") return;
  const session = sessionOf(draft.state, agent.generation);
  const { folder, generation, identity } = agent;
  const sessionId = session?.sessionId ?? null;
  const recalled = recall(
    session,
    { agent: agent.agent, folder, generation, sessionId: sessionId ?? "" },
    { kind: "failed", failure: event.failure },
  );
  if (session !== undefined && sessionId !== null && recalled.kind === "none") {
    lose(draft, session);
    const fresh = newSession(draft);
    draft.session({ ...fresh, state: "starting", process: identity });
    draft.set({
      agent: { ...agent, generation: fresh.generation, why: recalled.why },
    });
    draft.effect({ kind: "openSession", life: event.life, resume: null });
    return;
  }
  endAgent(draft);
  startFailed(draft, event.failure, agent.restart);
}

export function turnEnded(draft: Draft, event: Of<"turnEnded">): void {
  const { turn } = draft.state;
  if (turn?.phase !== "sent" || turn.batch !== event.batch) return;
  settleAnswer(draft, turn, event.result);
  const { agent } = draft.state;
  if (agent.kind === "live" && agent.retired === true) endAgent(draft);
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

export function compacted(draft: Draft): void {
  const { agent, turn } = draft.state;
  if (agent.kind !== "live") return;
  const session = sessionOf(draft.state, agent.generation);
  if (session !== undefined) draft.session(forget(session));
  // What the running prompt brought is summarized with the rest.
  if (turn?.phase === "sent") draft.set({ turn: forget(turn) });
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

export function lose(draft: Draft, session: Session): void {
  draft.session({ ...session, state: "lost" });
}

/** Without a process: to be resumed, if the agent ever named it. */
function asleep(session: Session): Session {
  const lost = session.sessionId === null || session.state === "lost";
  return { ...session, state: lost ? "lost" : "suspended", process: null };
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
    draft.session({ ...session, state: "lost" });
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

/** The batch goes back to the head; the queue is held with the cause, unless this was an automatic restart that may be tried again. */
function startFailed(
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
function backOff(draft: Draft): void {
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

function oneMoreRestart(draft: Draft, why: string | undefined): void {
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

function newSession(draft: Draft): Session {
  const { thread } = draft.state;
  draft.count({ stuck: 0 });
  draft.set({ reset: false });
  return {
    thread: thread.id,
    agent: thread.agent,
    folder: thread.folder,
    generation: nextGeneration(draft.state),
    sessionId: null,
    state: "starting",
    cursor: null,
    ledger: {},
    process: null,
  };
}
