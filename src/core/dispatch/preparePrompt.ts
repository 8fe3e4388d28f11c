import type { AgentSide, AgentSidePorts } from "./agentSide.ts";
import type { Stepped } from "./events.ts";
import {
  writePrompt,
  type PromptPorts,
  type WrittenPrompt,
} from "./promptWriter.ts";
import { flush } from "./transaction.ts";

/** Makes the prompt a step asked for, from what is stored by then and what the host adds to it. */
export async function preparePrompt(
  { state, writes, prompt }: Stepped,
  agentSide: AgentSide,
  ports: PromptPorts & AgentSidePorts,
): Promise<WrittenPrompt> {
  await flush(ports.store, agentSide.scribe);
  const life = prompt?.life ?? 0;
  const opened = agentSide.opened(life);
  const { fragments } = await ports.surroundings(state.thread, {
    session: opened?.sessionId ?? null,
    batch: state.turn?.messages ?? [],
  });
  return writePrompt(
    {
      ...{ state, fragments, writes },
      label: agentSide.labelOf(life),
      settings: ports.settings(),
      opened: {
        systemPrompt: opened?.systemPrompt ?? null,
        sessionId: opened?.sessionId ?? "",
        prompted: opened?.prompted ?? false,
      },
    },
    ports,
  );
}
