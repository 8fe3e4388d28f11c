import { mkdirSync } from "node:fs";
import type {
  AgentEvents,
  AgentPort,
  AgentSpec,
  Answer,
  LiveAgent,
} from "../core/ports.ts";

export interface LoanTerms {
  /** Where it runs; a folder of Turnline's own when absent. */
  readonly folder?: string;
  /** Aborted: the agent is ended at once, and whatever was asked of it fails. */
  readonly signal?: AbortSignal;
}

/** Starts an agent for a question that is no conversation, and ends it afterwards. */
export class AgentLoan {
  readonly #port: AgentPort;
  readonly #folder: string;

  constructor(port: AgentPort, folder: string) {
    this.#port = port;
    this.#folder = folder;
  }

  async use<T>(
    spec: AgentSpec,
    ask: (agent: LiveAgent, folder: string) => Promise<T>,
    { folder = this.#folder, signal }: LoanTerms = {},
  ): Promise<Answer<T>> {
    if (folder === this.#folder) mkdirSync(folder, { recursive: true });
    const stopped = signal === undefined ? undefined : aborted(signal);
    const started = await this.#port.start(spec, folder, deaf, stopped);
    if (!started.ok) return started;
    const agent = started.value;
    void stopped?.then(() => agent.end());
    try {
      return { ok: true, value: await ask(agent, folder) };
    } finally {
      await agent.end();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const nothing = (): void => undefined;
const deaf: AgentEvents = {
  update: nothing,
  permission: nothing,
  permissionGone: nothing,
  alive: nothing,
  ended: nothing,
};
