import { forget } from "../compile/memory.ts";
import type { Session } from "../thread.ts";
import type { Draft } from "./draft.ts";
import { nextGeneration, sessionOf } from "./state.ts";

/** The next of the thread, for its agent to open. */
export function newSession(draft: Draft): Session {
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

export function lose(draft: Draft, session: Session): void {
  draft.session({ ...session, state: "lost" });
}

/** Without a process: to be resumed, if the agent ever named it. */
export function asleep(session: Session): Session {
  const lost = session.sessionId === null || session.state === "lost";
  return { ...session, state: lost ? "lost" : "suspended", process: null };
}

/** The agent has summarized its session: what it was told is not there word for word any more. */
export function compacted(draft: Draft): void {
  const { agent, turn } = draft.state;
  if (agent.kind !== "live") return;
  const session = sessionOf(draft.state, agent.generation);
  if (session !== undefined) draft.session(forget(session));
  // What the running prompt brought is summarized with the rest.
  if (turn?.phase === "sent") draft.set({ turn: forget(turn) });
}
