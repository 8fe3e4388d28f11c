import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { AgentCapabilities, AgentPort } from "../core/agentPort.ts";

const kept = z.object({
  name: z.string(),
  version: z.string(),
  load: z.boolean(),
  resume: z.boolean(),
  image: z.boolean(),
  embeddedContext: z.boolean(),
  systemPrompt: z.boolean(),
  additionalDirectories: z.boolean(),
});

/** What each agent told of itself when it last ran, so that a preview need not suppose it. */
export class CapabilityMemory {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  of(agent: string): AgentCapabilities | null {
    const parsed = z.safeParse(kept, this.#memory.get(key(agent)));
    return parsed.success ? parsed.data : null;
  }

  /** The same port, heard. */
  listenTo(port: AgentPort): AgentPort {
    return {
      start: async (spec, ...rest) => {
        const answer = await port.start(spec, ...rest);
        if (answer.ok) await this.#learn(spec.id, answer.value.capabilities);
        return answer;
      },
      endLeftover: (identity) => port.endLeftover(identity),
    };
  }

  async #learn(agent: string, told: AgentCapabilities): Promise<void> {
    const now = z.parse(kept, told);
    if (JSON.stringify(this.of(agent)) !== JSON.stringify(now))
      await this.#memory.update(key(agent), now);
  }
}

const key = (agent: string): string => `capabilities:${agent}`;
