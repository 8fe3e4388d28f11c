import { asError } from "../../util/asError.ts";
import { assertNever } from "../../util/assertNever.ts";
import type { ElicitationAnswer, SessionChange } from "../agentFeatures.ts";
import type { Message, Snowflake } from "../message.ts";
import type { AgentUpdate } from "../agentPort.ts";
import type { Clock, Log } from "../ports.ts";
import { missedIn } from "../sessionReplay.ts";
import { snowflakeTime } from "../snowflake.ts";
import type { Thread } from "../thread.ts";
import { elicited } from "../turn/questions.ts";
import { remarkBody } from "../turn/remarks.ts";
import type { OpenElicitation } from "../turn/recording.ts";
import type { ThreadChange } from "./changes.ts";
import type { Effect, LifeEvent } from "./events.ts";
import {
  Lives,
  type AboutTurn,
  type LivesPorts,
  type OpenAgent,
  type Surroundings,
} from "./lives.ts";
import type { WrittenPrompt } from "./promptWriter.ts";
import { Scribe } from "./scribe.ts";
import type { DispatchSettings } from "./settings.ts";
import type { ThreadState } from "./state.ts";

export interface AgentSidePorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly agents: LivesPorts["agents"];
  readonly pool: LivesPorts["pool"];
  readonly resolveAgent: LivesPorts["resolveAgent"];
  readonly surroundings: (
    thread: Thread,
    about?: AboutTurn,
  ) => Promise<Surroundings>;
  readonly elicitations?: boolean;
  readonly settings: () => DispatchSettings;
  readonly sha256: (data: string | Uint8Array) => string;
  readonly mint: () => Snowflake;
  readonly uuid: () => string;
  readonly emit: (change: ThreadChange) => void;
}

/** What the agent's side tells its runner. */
export interface AgentSideListener {
  readonly thread: () => Thread;
  /** The number of the process that is there now. */
  readonly life: () => number | null;
  readonly happened: (event: LifeEvent) => void;
  readonly flush: () => void;
  readonly heard: (update: AgentUpdate) => void;
  /** The newest batch as far as it is stored: what a replay is held against. */
  readonly newest: () => Promise<readonly Message[]>;
  readonly session: (change: SessionChange) => void;
  readonly elicitation: (opened: OpenElicitation) => void;
  readonly elicitationGone: (id: string) => void;
  /** A bug, not an agent's failure. */
  readonly failed: (error: Error) => void;
}

type AgentEffect = Exclude<
  Effect,
  { readonly kind: "dispatch" | "retry" | "notice" }
>;

/** Processes and recorder of one thread: carries out effects, and turns what agents do into rows and events. */
export class AgentSide {
  readonly #thread: string;
  readonly #ports: AgentSidePorts;
  readonly #listener: AgentSideListener;
  readonly #lives: Lives;
  #scribe: Scribe;
  #lastSign = Number.NEGATIVE_INFINITY;

  constructor(
    thread: string,
    ports: AgentSidePorts,
    listener: AgentSideListener,
  ) {
    this.#thread = thread;
    this.#ports = ports;
    this.#listener = listener;
    this.#scribe = this.#newScribe(null);
    const { agents, pool, resolveAgent } = ports;
    this.#lives = new Lives(
      thread,
      {
        agents,
        pool,
        resolveAgent,
        surroundings: () => ports.surroundings(listener.thread()),
        elicitations: ports.elicitations ?? false,
        replayed: (life, sessionId, replay) =>
          this.#replayed(life, sessionId, replay),
      },
      {
        happened: listener.happened,
        update: (update) => this.#heard(update),
        permission: (request) => {
          this.#scribe.openPermission(request);
          this.#tell({ kind: "permissionOpened", id: request.id });
        },
        permissionGone: (id) => {
          this.#scribe.closePermission(id, null);
          this.#tell({ kind: "permissionClosed", id });
        },
        session: (change) => {
          listener.session(change);
          this.#remark(change);
          if (change.kind === "compaction" && change.status === "completed")
            this.#tell({ kind: "compacted" });
        },
        elicitation: (request) => {
          listener.elicitation(this.#scribe.openElicitation(request));
          this.#tell({ kind: "permissionOpened", id: elicited(request.id) });
        },
        elicitationGone: (id) => this.#elicitationOver(id, null),
        alive: () => {
          this.#lastSign = ports.clock.monotonic();
        },
        turnOver: () => this.#scribe.end(),
      },
    );
  }

  get scribe(): Scribe {
    return this.#scribe;
  }

  /** When the agent last gave a sign of life. */
  get lastSign(): number {
    return this.#lastSign;
  }

  opened(life: number): OpenAgent | undefined {
    return this.#lives.opened(life);
  }

  isDead(life: number): boolean {
    return this.#lives.isDead(life);
  }

  labelOf(life: number): string {
    return this.#lives.labelOf(life);
  }

  /** Begins a new record of what is said, after the thread was read anew. */
  reset(newest: Snowflake | null): void {
    this.#scribe.dispose();
    this.#scribe = this.#newScribe(newest);
  }

  endAll(): Promise<void> {
    return this.#lives.endAll();
  }

  dispose(): void {
    this.#scribe.dispose();
  }

  /** Writes the prompt whose write-intent was just committed. */
  send({ turn, agent }: ThreadState, prompt: WrittenPrompt): void {
    if (turn?.phase !== "sent") return;
    const { life, sessionId, batch, messages } = turn;
    const id = agent.kind === "live" ? agent.agent : "";
    const speaker = { kind: "agent", id, name: this.labelOf(life) } as const;
    this.#scribe.begin(batch, speaker, sessionId);
    this.#spawn(this.#lives.prompt(life, sessionId, batch, prompt.blocks));
    const { clock, log, settings } = this.#ports;
    const [oldest] = messages.map(({ arrived }) => arrived).sort();
    log.debug("dispatch", {
      thread: this.#thread,
      batch,
      agent: id,
      mode: settings().mode,
      size: messages.length,
      tokens: prompt.tokens,
      waitedMs: oldest === undefined ? 0 : clock.now() - snowflakeTime(oldest),
      kind: prompt.kind,
      reason: prompt.sent.recipe.reason,
    });
  }

  carryOut(effect: AgentEffect): void {
    const lives = this.#lives;
    switch (effect.kind) {
      case "startAgent":
        this.#spawn(lives.start(effect.life, effect.agent, effect.folder));
        return;
      case "endLeftovers":
        this.#spawn(lives.endLeftovers(effect.life, effect.identities));
        return;
      case "openSession":
        this.#spawn(lives.open(effect.life, effect.resume));
        return;
      case "endAgent":
        this.#spawn(lives.end(effect.life));
        return;
      case "cancelPrompt":
        lives.cancel(effect.life, effect.sessionId);
        return;
      case "probe":
        this.#spawn(lives.probe(effect.life));
        return;
      case "answerPermission":
        lives.answerPermission(effect.life, effect.id, effect.option);
        this.#scribe.closePermission(effect.id, effect.option);
        return;
      case "answerElicitation":
        lives.answerElicitation(effect.life, effect.id, effect.answer);
        this.#elicitationOver(effect.id, effect.answer);
        return;
      case "tellTitle":
        this.#spawn(lives.tellTitle(effect.life, effect.title));
        return;
      case "closePermissions":
        this.#scribe.closePermissions();
        return;
      default:
        assertNever(effect);
    }
  }

  /** Before the first turn there is no record to say it in, so it is only shown. */
  #remark(change: SessionChange): void {
    if (change.kind === "options" || this.#scribe.remark(change)) return;
    const { level, text } = remarkBody(change);
    const notice = { level, code: "agent", text } as const;
    this.#ports.emit({ thread: this.#thread, kind: "notice", notice });
  }

  #elicitationOver(id: string, answer: ElicitationAnswer | null): void {
    this.#scribe.closeElicitation(id, answer);
    this.#listener.elicitationGone(id);
    this.#tell({ kind: "permissionClosed", id: elicited(id) });
  }

  /** Nothing of a replay is shown again; what nobody heard at the time is added where it belongs. */
  async #replayed(
    life: number,
    sessionId: string,
    replay: readonly AgentUpdate[],
  ): Promise<void> {
    if (replay.length === 0) return;
    const rows = await this.#listener.newest();
    const updates = missedIn(replay, rows, sessionId);
    const batch = rows[0]?.batch ?? null;
    const { agent } = this.#listener.thread();
    const speaker = {
      kind: "agent",
      id: agent,
      name: this.labelOf(life),
    } as const;
    if (updates.length > 0 && batch !== null)
      this.#scribe.missed({
        ...{ batch, speaker, rows, updates },
        session: sessionId,
      });
  }

  #heard(update: AgentUpdate): void {
    this.#scribe.update(update);
    this.#listener.heard(update);
    if (update.kind === "commands") {
      const names = update.commands.map(({ name }) => name);
      this.#tell({ kind: "commands", names });
    }
    if (update.kind === "title")
      this.#tell({ kind: "title", title: update.title });
  }

  /** Of the process that is there now; if it is another when this is taken, nobody listens. */
  #tell(
    event:
      | { readonly kind: "commands"; readonly names: readonly string[] }
      | { readonly kind: "title"; readonly title: string }
      | { readonly kind: "compacted" }
      | { readonly kind: "permissionOpened"; readonly id: string }
      | { readonly kind: "permissionClosed"; readonly id: string },
  ): void {
    const life = this.#listener.life();
    if (life !== null) this.#listener.happened({ ...event, life });
  }

  /** Fire and forget: what comes of it is an event, and a failure of our own rebuilds the thread. */
  #spawn(work: Promise<void>): void {
    work.catch((error: unknown) => this.#listener.failed(asError(error)));
  }

  #newScribe(newest: Snowflake | null): Scribe {
    const { mint, uuid, sha256, clock, emit } = this.#ports;
    return new Scribe(this.#thread, newest, {
      mint: { mint, uuid, sha256 },
      clock,
      show: (change) => emit({ thread: this.#thread, ...change }),
      askFlush: this.#listener.flush,
    });
  }
}
