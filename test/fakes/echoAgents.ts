import { randomUUID } from "node:crypto";
import type { AgentPort } from "../../src/core/agentPort.ts";

/** Answers at once, in this process: only what Turnline keeps is to be seen. */
export const echoAgents: AgentPort = {
  start: (_, __, events) =>
    Promise.resolve({
      ok: true,
      value: {
        identity: { nonce: randomUUID(), pid: process.pid, startTime: "0" },
        capabilities: {
          ...{ name: "echo", version: "1", load: false, resume: true },
          ...{ image: true, embeddedContext: true, systemPrompt: false },
          additionalDirectories: false,
        },
        newSession: () => opened(randomUUID()),
        resumeSession: (id) => opened(id),
        prompt: async (session) => {
          for (const text of ["An answer, ", "in two pieces."])
            events.update(session, { kind: "text", text });
          await new Promise((resolve) => setImmediate(resolve));
          return { ok: true, value: { stopReason: "end_turn" } };
        },
        cancel: () => undefined,
        answerPermission: () => undefined,
        probe: () => Promise.resolve(true),
        end: () => Promise.resolve(),
      },
    }),
  endLeftover: () => Promise.resolve(),
};

function opened(sessionId: string): Promise<{
  readonly ok: true;
  readonly value: { readonly sessionId: string; readonly replay: [] };
}> {
  return Promise.resolve({ ok: true, value: { sessionId, replay: [] } });
}
