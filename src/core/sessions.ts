import { recall } from "./compile/memory.ts";
import type { AgentCapabilities } from "./agentPort.ts";
import type { Session, Thread } from "./thread.ts";

/** What a process that has just answered is to open. */
export type SessionChoice =
  | { readonly kind: "resume"; readonly session: Session }
  /** A new one, which is told everything, and why. */
  | { readonly kind: "new"; readonly why: string };

/** The newest session of the thread's agent, while it still stands for this thread and the agent can take it up. */
export function chooseSession(
  thread: Pick<Thread, "agent" | "folder">,
  sessions: readonly Session[],
  capabilities: Pick<AgentCapabilities, "load" | "resume">,
): SessionChoice {
  const newest = newestSession(
    sessions.filter(({ agent }) => agent === thread.agent),
  );
  const { agent, folder } = thread;
  const { generation = 0, sessionId = null } = newest ?? {};
  const recalled = recall(
    newest,
    { agent, folder, generation, sessionId: sessionId ?? "" },
    { kind: capabilities.load || capabilities.resume ? "open" : "cannot" },
  );
  switch (recalled.kind) {
    case "session":
      return { kind: "resume", session: recalled.session };
    case "none":
      return { kind: "new", why: recalled.why };
    case "wait":
      throw new Error("Nothing was asked that could have failed.");
  }
}

/** Why a new session is begun. A lost one that the user let go was reset, and so was one that could have been taken up. */
export function whyNew(choice: SessionChoice, reset: boolean): string {
  if (choice.kind === "resume") return "generationChanged";
  return choice.why === "lost" && reset ? "generationChanged" : choice.why;
}

export function newestSession(
  sessions: readonly Session[],
): Session | undefined {
  return sessions.reduce<Session | undefined>(
    (newest, session) =>
      newest === undefined || session.generation > newest.generation
        ? session
        : newest,
    undefined,
  );
}
