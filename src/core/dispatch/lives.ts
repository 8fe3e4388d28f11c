import { systemPromptOf } from "../compile/fragments.ts";
import type { Fragment } from "../compile/types.ts";
import type { ElicitationAnswer, McpServer } from "../agentFeatures.ts";
import type { Message, ProcessIdentity, Snowflake } from "../message.ts";
import type {
  AgentBlock,
  AgentFailure,
  AgentPort,
  AgentSpec,
  AgentUpdate,
  Answer,
  LiveAgent,
} from "../agentPort.ts";
import type { LifeEvent } from "./events.ts";
import { hearLife, type LifeListener } from "./hearLife.ts";
import { isEnding, newLife, type Life } from "./life.ts";
import type { AgentPool } from "./pool.ts";
import { t } from "../../util/l10n.ts";

/** What a thread's agent is told besides its prompts. */
export interface Surroundings {
  readonly fragments: readonly Fragment[];
  readonly additionalFolders: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** What a turn's context may depend on. */
export interface AboutTurn {
  /** Id of the session that is prompted; null when it is not open yet. */
  readonly session: string | null;
  readonly batch: readonly Message[];
}

export interface LivesPorts {
  readonly agents: AgentPort;
  readonly pool: AgentPool;
  readonly resolveAgent: (id: string) => Promise<Answer<AgentSpec>>;
  readonly surroundings: () => Promise<Surroundings>;
  /** Whether the user can be shown forms; agents are told. */
  readonly elicitations: boolean;
  /** Hears what a loaded session repeated of itself, before anything else is made of the session. */
  readonly replayed?: (
    life: number,
    sessionId: string,
    replay: readonly AgentUpdate[],
  ) => Promise<void>;
}

/** A session that is open, and the process that has it. */
export interface OpenAgent {
  readonly agent: LiveAgent;
  readonly sessionId: string;
  /** What the session was given as it was opened. */
  readonly systemPrompt: string | null;
  /** It was prompted since. */
  readonly prompted: boolean;
}

/** Carries out a thread's wishes on real processes, and tells what comes of them. */
export class Lives {
  readonly #thread: string;
  readonly #ports: LivesPorts;
  readonly #listener: LifeListener;
  readonly #lives = new Map<number, Life>();

  constructor(thread: string, ports: LivesPorts, listener: LifeListener) {
    this.#thread = thread;
    this.#ports = ports;
    this.#listener = listener;
  }

  /** Dead, though the event that tells so may still be on its way. */
  isDead(life: number): boolean {
    return this.#lives.get(life)?.dead ?? true;
  }

  labelOf(life: number): string {
    return this.#lives.get(life)?.label ?? "";
  }

  async start(life: number, agentId: string, folder: string): Promise<void> {
    const own = newLife(life, agentId, folder);
    this.#lives.set(life, own);
    const place = this.#ports.pool.acquire(this.#thread);
    if (!place.free) this.#tell({ kind: "slotAwaited", life });
    if (!(await place.granted) || isEnding(own)) {
      this.#gone(own);
      return;
    }
    const started = await this.#spawn(own, agentId).catch((error: unknown) => {
      this.#forget(own);
      throw error;
    });
    if (started.ok) own.agent = started.value;
    if (isEnding(own)) await this.#finish(own);
    else if (started.ok) {
      const { identity, capabilities } = started.value;
      this.#tell({ kind: "agentStarted", life, identity, capabilities });
    } else {
      this.#forget(own);
      this.#tell({ kind: "agentFailed", life, failure: started.failure });
    }
  }

  async open(life: number, resume: string | null): Promise<void> {
    const own = this.#lives.get(life);
    const agent = own?.agent ?? null;
    if (own === undefined || agent === null) return;
    const { fragments, ...around } = await this.#ports.surroundings();
    const options = { folder: own.folder, ...around };
    own.sessionId = resume;
    own.resumed = resume !== null;
    const system = agent.capabilities.systemPrompt
      ? systemPromptOf(fragments)
      : undefined;
    own.systemPrompt = system ?? null;
    const given =
      system === undefined ? options : { ...options, systemPrompt: system };
    // A session that is taken up keeps its words, not what it was told beside them.
    const answer =
      resume === null
        ? await agent.newSession(given)
        : await agent.resumeSession(resume, given);
    if (answer.ok) {
      own.sessionId = answer.value.sessionId;
      await this.#ports.replayed?.(life, own.sessionId, answer.value.replay);
      this.#tell({ kind: "sessionOpened", life, sessionId: own.sessionId });
      const { options: config, notice } = answer.value;
      if (config !== undefined)
        this.#listener.session({ kind: "options", options: config });
      if (notice !== undefined) this.#listener.session(notice);
    } else this.#tell({ kind: "sessionFailed", life, failure: answer.failure });
  }

  /** Writes the prompt at once; its response comes as an event. */
  async prompt(
    life: number,
    sessionId: string,
    batch: Snowflake,
    blocks: readonly AgentBlock[],
  ): Promise<void> {
    const own = this.#lives.get(life);
    const agent = own?.agent ?? null;
    if (own !== undefined) own.prompted = own.running = true;
    const result =
      agent === null
        ? ({ ok: false, failure: vanished } as const)
        : await agent.prompt(sessionId, blocks);
    if (own !== undefined) this.#turnOver(own);
    this.#tell({ kind: "turnEnded", life, batch, result });
  }

  cancel(life: number, sessionId: string): void {
    const own = this.#lives.get(life);
    if (own?.sessionId === sessionId) own.agent?.cancel(sessionId);
  }

  answerPermission(life: number, id: string, option: string): void {
    this.#lives.get(life)?.agent?.answerPermission(id, option);
  }

  answerElicitation(life: number, id: string, answer: ElicitationAnswer): void {
    this.#lives.get(life)?.agent?.features?.answerElicitation(id, answer);
  }

  /** The thread has its name whether or not the agent takes it. */
  async tellTitle(life: number, title: string): Promise<void> {
    const open = this.opened(life);
    await open?.agent.features?.setTitle(open.sessionId, title);
  }

  /** The process and its session, for what only some agents can do. */
  opened(life: number): OpenAgent | undefined {
    const own = this.#lives.get(life);
    if (own === undefined || own.agent === null || own.sessionId === null)
      return undefined;
    const { agent, sessionId, systemPrompt, prompted } = own;
    return { agent, sessionId, systemPrompt, prompted };
  }

  async probe(life: number): Promise<void> {
    const answered = await this.#lives.get(life)?.agent?.probe();
    if (answered === true) this.#tell({ kind: "probeAnswered", life });
  }

  async end(life: number): Promise<void> {
    const own = this.#lives.get(life);
    if (own === undefined) this.#tell({ kind: "agentGone", life });
    else if (!own.ending) {
      own.ending = true;
      if (own.agent === null) {
        own.stop.resolve();
        this.#ports.pool.leaveLine(this.#thread);
      } else await this.#finish(own);
    }
  }

  /** Ends what an earlier host left, before its session is touched. */
  async endLeftovers(
    life: number,
    identities: readonly ProcessIdentity[],
  ): Promise<void> {
    const { agents } = this.#ports;
    const ends = await Promise.allSettled(
      identities.map((identity) => agents.endLeftover(identity)),
    );
    // Told even so: one that cannot be ended now could not be the next time either.
    this.#tell({ kind: "agentGone", life });
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** Settles when no process is left. */
  async endAll(): Promise<void> {
    const lives = [...this.#lives.values()];
    await Promise.all(lives.map(({ life }) => this.end(life)));
    await Promise.all(lives.map(({ over }) => over.promise));
  }

  async #spawn(own: Life, agentId: string): Promise<Answer<LiveAgent>> {
    const { agents, resolveAgent } = this.#ports;
    const stopped = own.stop.promise;
    const spec = await Promise.race([
      resolveAgent(agentId),
      stopped.then(() => notWanted),
    ]);
    if (!spec.ok || isEnding(own)) return spec.ok ? notWanted : spec;
    own.label = spec.value.label;
    const heard = hearLife(own, this.#listener, this.#ports.elicitations);
    const ended = (failure: AgentFailure): void => this.#ended(own, failure);
    return agents.start(spec.value, own.folder, { ...heard, ended }, stopped);
  }

  #ended(own: Life, failure: AgentFailure): void {
    own.dead = true;
    if (own.ending) return;
    own.running = false;
    this.#listener.turnOver();
    this.#tell({ kind: "agentEnded", life: own.life, failure });
  }

  /** Once: a response that comes after the process is gone must not end the next one's turn. */
  #turnOver(own: Life): void {
    if (own.running) this.#listener.turnOver();
    own.running = false;
  }

  async #finish(own: Life): Promise<void> {
    try {
      await own.agent?.end();
    } finally {
      this.#gone(own);
    }
  }

  #gone(own: Life): void {
    this.#forget(own);
    this.#turnOver(own);
    this.#tell({ kind: "agentGone", life: own.life });
  }

  #forget(own: Life): void {
    own.dead = true;
    if (this.#lives.delete(own.life)) this.#ports.pool.release(this.#thread);
    own.over.resolve();
  }

  #tell(event: LifeEvent): void {
    this.#listener.happened(event);
  }
}

const vanished: AgentFailure = {
  kind: "exited",
  message: t("The agent's process is gone."),
};

const notWanted = { ok: false, failure: vanished } as const;
