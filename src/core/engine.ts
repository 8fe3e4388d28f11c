import type { ThreadChange, ThreadSnapshot } from "./dispatch/changes.ts";
import type { Notice, Reply } from "./dispatch/events.ts";
import {
  begunState,
  nextPrompt,
  typedMessage,
  type NextPrompt,
} from "./dispatch/nextPrompt.ts";
import { AgentPool, longestIdle } from "./dispatch/pool.ts";
import { closing, noThread, type Refused } from "./dispatch/replies.ts";
import type { RunnerPorts } from "./dispatch/runner.ts";
import type { DispatchSettings } from "./dispatch/settings.ts";
import type { ThreadState } from "./dispatch/state.ts";
import { Requests, type Asked } from "./engineRequests.ts";
import { EngineThreads } from "./engineThreads.ts";
import type { OpenAgent } from "./dispatch/lives.ts";
import type { Block, Snowflake } from "./message.ts";
import type { AgentCapabilities } from "./agentPort.ts";
import { SnowflakeGenerator } from "./snowflake.ts";
import type { NewThread, Thread } from "./thread.ts";
import { WaitingRoom } from "./waitingRoom.ts";
import type { Page, PageRange } from "./writes.ts";

export interface EngineOptions extends Pick<
  RunnerPorts,
  | "store"
  | "agents"
  | "clock"
  | "log"
  | "compile"
  | "sha256"
  | "uuid"
  | "resolveAgent"
  | "surroundings"
  | "archives"
  | "elicitations"
> {
  readonly settings: DispatchSettings;
  /** As an agent told them when it last ran; null for one that never has. */
  readonly capabilities?: (agent: string) => AgentCapabilities | null;
}

export type Listener = (change: ThreadChange) => void;

/** All threads of a workspace: their runners, their agents, and what a host can ask of them. */
export class Engine extends Requests {
  readonly #options: EngineOptions;
  readonly #snowflakes: SnowflakeGenerator;
  readonly #pool: AgentPool;
  readonly #threads: EngineThreads;
  readonly #waitingRoom = new WaitingRoom();
  readonly #listeners = new Set<Listener>();
  #settings: DispatchSettings;
  #ended: Promise<void> | null = null;

  private constructor(options: EngineOptions, greatest: Snowflake | undefined) {
    super();
    this.#options = options;
    this.#settings = options.settings;
    this.#snowflakes = new SnowflakeGenerator(
      () => options.clock.now(),
      greatest,
    );
    this.#pool = new AgentPool(
      () => Math.max(1, this.#settings.maxLiveAgents),
      (places) => this.#makeRoom(places),
    );
    this.#threads = new EngineThreads(options, {
      ports: {
        pool: this.#pool,
        settings: () => this.#settings,
        mint: () => this.#snowflakes.next(),
        emit: (change) => this.#emit(change),
      },
      ended: () => this.#ended !== null,
      closed: () => this.#waitingRoom.look(),
    });
  }

  /** Brings back what its last host left unfinished; the other threads are read when they are used. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options, await options.store.greatest());
    await engine.#threads.openAll();
    return engine;
  }

  /** The answer stops it. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  configure(settings: DispatchSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    this.#pool.look();
    for (const runner of this.#threads.runners()) runner.configured(before);
  }

  threads(): readonly Thread[] {
    return this.#threads.all();
  }

  snapshot(thread: string): ThreadSnapshot | undefined {
    const runner = this.#threads.find(thread);
    return runner === undefined || runner.state === null
      ? undefined
      : runner.snapshot();
  }

  /** A page of the record and what lives beyond it, as of the same instant. */
  async page(
    thread: string,
    range: PageRange,
  ): Promise<
    { readonly page: Page; readonly snapshot: ThreadSnapshot } | undefined
  > {
    const runner = this.#threads.find(thread);
    if (runner === undefined) return undefined;
    const { value, snapshot } = await runner.read(() =>
      this.#options.store.page(thread, range),
    );
    return { page: value, snapshot };
  }

  /**
   * What the next turn would send, and why; `typed` stands for a message while none is queued.
   * `begun` tells of a thread that has not entered the record yet.
   */
  async preview(
    thread: string,
    typed: readonly Block[],
    begun?: NewThread,
  ): Promise<NextPrompt | undefined> {
    const runner = this.#threads.find(thread);
    const foresee = (state: ThreadState): Promise<NextPrompt> =>
      nextPrompt(
        {
          state,
          open: runner?.openAgent,
          capabilities: this.#capabilitiesOf(state.thread.agent),
          settings: this.#settings,
          at: this.#options.clock.monotonic(),
          typed: typedMessage(thread, typed),
        },
        this.#options,
      );
    const state = runner?.state ?? null;
    if (runner === undefined || state === null)
      return begun === undefined
        ? undefined
        : foresee(begunState(begun, thread));
    const { value } = await runner.read(() => foresee(runner.state ?? state));
    return value;
  }

  /** A thread that is there, or is being made, is answered as it is. */
  createThread(asked: NewThread): Promise<Thread | Refused> {
    return this.#threads.create(asked);
  }

  /** Takes a thread up that came into the store by another way (an import, an undone deletion). */
  async openThread(thread: string): Promise<Reply> {
    await this.#threads.closed(thread);
    await this.#seeGreatest();
    if (this.#ended !== null) return closing;
    await this.#threads.open(thread);
    return this.snapshot(thread) === undefined ? noThread : { ok: true };
  }

  /** The record has become ours to write to: every thread is read anew, and what its last host left open is settled. */
  async takeOver(): Promise<Reply> {
    if (this.#ended !== null) return closing;
    await this.#seeGreatest();
    return this.#threads.readAnew();
  }

  /** Lets go of a thread that is about to be deleted: its turn is interrupted, its process ended. */
  closeThread(thread: string): Promise<void> {
    return this.#threads.close(thread);
  }

  /** Settles when a message that was told to wait has found room, or waits no longer. */
  admitted(thread: string, id: string): Promise<void> {
    return this.#waitingRoom.while(() => {
      const queue = this.#threads.runner(thread)?.state?.queue ?? [];
      const place = queue.findIndex((message) => message.id === id);
      const waits = place >= this.#settings.maxBufferedMessages;
      return waits && this.#ended === null;
    });
  }

  /** Without an id: whatever this holder was editing, in any thread. */
  async cancelEdit(
    holder: string,
    thread?: string,
    id?: string,
  ): Promise<void> {
    const threads = thread === undefined ? this.#threads.read() : [thread];
    const request = {
      kind: "editCancel",
      holder,
      ...(id === undefined ? {} : { id }),
    } as const;
    await Promise.all(threads.map((own) => this.ask(own, request)));
  }

  /** The thread's open session and its process, for what only some agents can do; undefined while none is open. */
  openAgent(thread: string): OpenAgent | undefined {
    return this.#threads.runner(thread)?.openAgent;
  }

  /** Tells whoever looks at the thread. */
  notify(thread: string, notice: Notice): void {
    this.#emit({ thread, kind: "notice", notice });
  }

  /** Ends what a cancelled turn left running; settles when it is known what is left. */
  async endLeft(thread: string): Promise<void> {
    await this.#threads.runner(thread)?.endLeft();
  }

  /** The account of an agent has changed: each of its processes ends, at once or with its turn, and the next message starts a new one. */
  retire(agent: string): void {
    for (const runner of this.#threads.runners())
      if (runner.state?.thread.agent === agent) runner.tell("retire");
  }

  /** Ends every turn as interrupted and every process; settles when none is left. */
  dispose(): Promise<void> {
    this.#ended ??= Promise.all(
      this.#threads.runners().map((runner) => runner.shutdown()),
    ).then(() => undefined);
    this.#waitingRoom.look();
    return this.#ended;
  }

  /** Everything numbered from now on comes after what is stored, whoever stored it. */
  async #seeGreatest(): Promise<void> {
    const greatest = await this.#options.store.greatest();
    if (greatest !== undefined) this.#snowflakes.see(greatest);
  }

  protected ask(thread: string, asked: Asked): Promise<Reply> {
    const { store } = this.#options;
    const request = typeof asked === "function" ? () => asked(store) : asked;
    return (
      this.#threads.find(thread)?.ask(request) ?? Promise.resolve(noThread)
    );
  }

  #capabilitiesOf(agent: string): AgentCapabilities | null {
    for (const { state } of this.#threads.runners())
      if (state?.agent.kind === "live" && state.agent.agent === agent)
        return state.agent.capabilities;
    return this.#options.capabilities?.(agent) ?? null;
  }

  #makeRoom(places: number): void {
    const runners = this.#threads.runners();
    const holds = (id: string): boolean => this.#pool.holds(id);
    for (const runner of longestIdle(runners, places, holds))
      runner.tell("suspend");
  }

  #emit(change: ThreadChange): void {
    if (change.kind === "queue") this.#waitingRoom.look();
    for (const listener of [...this.#listeners])
      try {
        listener(change);
      } catch (error) {
        this.#options.log.error("listener.failed", { error: String(error) });
      }
  }
}
