import { recall } from "../compile/memory.ts";
import { chooseSession, whyNew } from "../sessions.ts";
import type { Session } from "../thread.ts";
import type { Draft } from "./draft.ts";
import type { LifeEvent } from "./events.ts";
import { endAgent } from "./process.ts";
import { startFailed } from "./restarts.ts";
import { lose, newSession } from "./sessionChanges.ts";
import { timing } from "./settings.ts";
import { currentSession, sessionOf, type RunningAgent } from "./state.ts";

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

export function agentFailed(draft: Draft, event: Of<"agentFailed">): void {
  const { agent } = draft.state;
  if (agent.kind !== "starting") return;
  draft.set({ agent: { kind: "none" } });
  startFailed(draft, event.failure, agent.restart);
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
