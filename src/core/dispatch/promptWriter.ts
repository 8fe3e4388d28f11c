import { estimateTokens } from "../compile/tokens.ts";
import type { Compiled, Fragment } from "../compile/types.ts";
import type { AgentBlock } from "../agentPort.ts";
import type { Write } from "../writes.ts";
import { compileTurn, type CompilePorts } from "./compileTurn.ts";
import type { SentPrompt } from "./events.ts";
import type { OpenAgent } from "./lives.ts";
import type { DispatchSettings } from "./settings.ts";
import { sessionOf, type ThreadState } from "./state.ts";

export type PromptPorts = CompilePorts;

export interface WrittenPrompt {
  readonly sent: SentPrompt;
  /** Empty when there is nothing to send: then nothing is. */
  readonly blocks: readonly AgentBlock[];
  /** Texts the recipe names, for the transaction that stores it. */
  readonly writes: readonly Write[];
  readonly kind: Compiled["kind"];
  readonly tokens: number;
}

export interface PromptInput {
  readonly state: ThreadState;
  /** The agent's name, as people know it. */
  readonly label: string;
  readonly fragments: readonly Fragment[];
  readonly settings: DispatchSettings;
  readonly opened: Pick<OpenAgent, "sessionId" | "systemPrompt" | "prompted">;
  /** Of the same transaction: bytes it brings along are not in the store yet. */
  readonly writes: readonly Write[];
}

/** Compiles the claimed batch for the session that is open, from what is committed. */
export async function writePrompt(
  input: PromptInput,
  ports: PromptPorts,
): Promise<WrittenPrompt> {
  const { state, label, opened, ...rest } = input;
  const { turn, agent, thread, commands } = state;
  if (turn?.phase !== "claimed" || agent.kind !== "live")
    throw new Error("There is nothing to compile.");
  const { compiled, bytes } = await compileTurn(
    {
      ...rest,
      thread,
      batch: turn.messages,
      session: sessionOf(state, agent.generation) ?? null,
      why: agent.why,
      agent: { id: agent.agent, label },
      capabilities: agent.capabilities,
      commands,
      caughtUp: agent.caughtUp,
      opened: { ...opened, generation: agent.generation },
    },
    ports,
  );
  const { recipe, through, ledger, rebuilt, kind } = compiled;
  return {
    sent: { recipe, through, ledger, rebuilt },
    blocks: compiled.blocks.map((block): AgentBlock => {
      if (block.type !== "image") return block;
      const data = bytes.get(block.blob);
      if (data === undefined) throw new Error("An image without its bytes.");
      return { type: "image", mimeType: block.mimeType, data };
    }),
    writes: compiled.keep.map(({ hash, text }) => ({
      kind: "blob",
      hash,
      mimeType: "text/plain",
      data: new TextEncoder().encode(text),
    })),
    kind,
    tokens: estimateTokens(compiled.blocks),
  };
}
