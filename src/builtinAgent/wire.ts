import type {
  AgentContext,
  ClientCapabilities,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { toolPatch } from "./part.ts";
import type { Decision, Question, World } from "./world.ts";

/** The client's side of one turn. */
export interface Wire extends Pick<
  World,
  "ask" | "editorText" | "editorWrite"
> {
  send(update: SessionUpdate): Promise<void>;
}

export function wireOf(
  client: AgentContext,
  capabilities: ClientCapabilities,
  sessionId: string,
  turn: { readonly signal: AbortSignal; cancel(): void },
): Wire {
  // A client that is told to forget a question still answers it some day: nobody waits for that.
  const options = {
    cancellationSignal: turn.signal,
    stopWaitingOnCancel: true,
  };
  return {
    send: (update) => client.notify("session/update", { sessionId, update }),
    ask: (question) => ask(client, sessionId, question, options, turn),
    async editorText(path) {
      if (capabilities.fs?.readTextFile !== true) return undefined;
      return client
        .request("fs/read_text_file", { sessionId, path }, options)
        .then(({ content }) => content)
        .catch(() => undefined);
    },
    async editorWrite(path, content) {
      if (capabilities.fs?.writeTextFile !== true) return false;
      return client
        .request("fs/write_text_file", { sessionId, path, content }, options)
        .then(() => true)
        .catch(() => false);
    },
  };
}

async function ask(
  client: AgentContext,
  sessionId: string,
  { call, always }: Question,
  options: Parameters<AgentContext["request"]>[2],
  turn: { readonly signal: AbortSignal; cancel(): void },
): Promise<Decision> {
  try {
    const { outcome } = await client.request(
      "session/request_permission",
      {
        sessionId,
        toolCall: toolPatch(call),
        options: [
          { optionId: "allow", name: "Allow", kind: "allow_once" },
          { optionId: "always", name: always, kind: "allow_always" },
          { optionId: "reject", name: "Reject", kind: "reject_once" },
        ],
      },
      options,
    );
    if (outcome.outcome === "cancelled") {
      turn.cancel();
      return "cancelled";
    }
    switch (outcome.optionId) {
      case "allow":
        return "allowed";
      case "always":
        return "always";
      default:
        return "rejected";
    }
  } catch {
    return turn.signal.aborted ? "cancelled" : "unanswered";
  }
}
