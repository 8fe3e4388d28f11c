import { mkdirSync } from "node:fs";
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../core/agentFeatures.ts";
import type {
  AgentEvents,
  AgentPort,
  AgentSpec,
  Answer,
  LiveAgent,
} from "../core/agentPort.ts";

export interface LoanTerms {
  /** Where it runs; a folder of Turnline's own when absent. */
  readonly folder?: string;
  /** Aborted: the agent is ended at once, and whatever was asked of it fails. */
  readonly signal?: AbortSignal;
  /** Answers what it asks of the user; without it, it is told that nobody does. */
  readonly answer?: (asked: ElicitationRequest) => Promise<ElicitationAnswer>;
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
    { folder = this.#folder, signal, answer }: LoanTerms = {},
  ): Promise<Answer<T>> {
    if (folder === this.#folder) mkdirSync(folder, { recursive: true });
    const stopped = signal === undefined ? undefined : aborted(signal);
    const handOn = async (asked: ElicitationRequest): Promise<void> => {
      const given = await answer?.(asked);
      const { features } = value(await starting) ?? {};
      if (given !== undefined) features?.answerElicitation(asked.id, given);
    };
    const events: AgentEvents =
      answer === undefined
        ? deaf
        : { ...deaf, elicitation: (asked) => void handOn(asked) };
    const starting = this.#port.start(spec, folder, events, stopped);
    const started = await starting;
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

function value<T>(answer: Answer<T>): T | undefined {
  return answer.ok ? answer.value : undefined;
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
