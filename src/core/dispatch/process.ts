import type { Draft } from "./draft.ts";

/** Asks for a process of the thread's agent; its life is numbered so that nobody mistakes it for another. */
export function startAgent(draft: Draft): void {
  const { thread, nextLife, agent } = draft.state;
  draft.set({
    agent: {
      kind: "starting",
      life: nextLife,
      agent: thread.agent,
      folder: thread.folder,
      waiting: false,
      restart: agent.kind === "backoff",
    },
    nextLife: nextLife + 1,
  });
  draft.effect({
    kind: "startAgent",
    life: nextLife,
    agent: thread.agent,
    folder: thread.folder,
  });
}

/** Ends the process, whatever stage it is in; `agentGone` tells when nothing of it is left. */
export function endAgent(draft: Draft): void {
  const { agent } = draft.state;
  switch (agent.kind) {
    case "none":
    case "ending":
      return;
    case "backoff":
      draft.set({ agent: { kind: "none" } });
      return;
    case "starting":
    case "opening":
    case "live":
      draft.set({ agent: { kind: "ending", life: agent.life } });
      draft.effect({ kind: "endAgent", life: agent.life });
  }
}
