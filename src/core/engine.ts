import type { ThreadChange, ThreadSnapshot } from "./dispatch/changes.ts";
import type { Notice, Reply } from "./dispatch/events.ts";
import {
  begunState,
  nextPrompt,
  typedMessage,
  type NextPrompt,
} from "./dispatch/nextPrompt.ts";
import { AgentPool, longestIdle } from "./dispatch/pool.ts";
import { ThreadRunner, type RunnerPorts } from "./dispatch/runner.ts";
import type { DispatchSettings } from "./dispatch/settings.ts";
import type { ThreadState } from "./dispatch/state.ts";
import { Requests, type Asked } from "./engineRequests.ts";
import type { OpenAgent } from "./dispatch/lives.ts";
import type { Block, Snowflake } from "./message.ts";
import type { AgentCapabilities } from "./agentPort.ts";
import { SnowflakeGenerator } from "./snowflake.ts";
import type { NewThread, Thread } from "./thread.ts";
import { refusalOf, type Page, type PageRange } from "./writes.ts";
import { t } from "../util/l10n.ts";

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

const opensAtOnce = 16;

type Refused = Extract<Reply, { ok: false }>;

const closing: Refused = {
  ok: false,
  reason: "closing",
  detail: t("Turnline is shutting down."),
};

const noThread: Reply = {
  ok: false,
  reason: "noThread",
  detail: t("The thread is not there any more."),
};

/** All threads of a workspace: their runners, their agents, and what a host can ask of them. */
export class Engine extends Requests {
  readonly #options: EngineOptions;
  readonly #snowflakes: SnowflakeGenerator;
  readonly #pool: AgentPool;
  readonly #runners = new Map<string, ThreadRunner>();
  /** Threads with nothing on their way, as they were listed: each gets a runner when it is asked for. */
  readonly #resting = new Map<string, Thread>();
  readonly #record = { writable: false };
  /** Threads that are being made, by the id they get. */
  readonly #made = new Map<string, Promise<Thread | Refused>>();
  /** Threads that are being let go. */
  readonly #closed = new Map<string, Promise<void>>();
  readonly #listeners = new Set<Listener>();
  /** Submitters that wait for room, each to look again. */
  #waiting: (() => void)[] = [];
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
  }

  /** Brings back what its last host left unfinished; the other threads are read when they are used. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options, await options.store.greatest());
    await engine.#openAll();
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
    for (const runner of this.#runners.values()) runner.configured(before);
  }

  threads(): readonly Thread[] {
    const open = [...this.#runners.values()].flatMap(
      ({ state }) => state?.thread ?? [],
    );
    return [...open, ...this.#resting.values()];
  }

  snapshot(thread: string): ThreadSnapshot | undefined {
    const runner = this.#find(thread);
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
    const runner = this.#find(thread);
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
    const runner = this.#find(thread);
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
    const id = asked.id ?? this.#options.uuid();
    const making = this.#made.get(id) ?? this.#create(id, asked);
    this.#made.set(id, making);
    return making.finally(() => this.#made.delete(id));
  }

  /** Takes a thread up that came into the store by another way (an import, an undone deletion). */
  async openThread(thread: string): Promise<Reply> {
    await this.#closed.get(thread);
    await this.#seeGreatest();
    if (this.#ended !== null) return closing;
    await this.#open(thread);
    return this.snapshot(thread) === undefined ? noThread : { ok: true };
  }

  /** The record has become ours to write to: every thread is read anew, and what its last host left open is settled. */
  async takeOver(): Promise<Reply> {
    if (this.#ended !== null) return closing;
    await this.#seeGreatest();
    const known = [...this.#runners.keys()];
    const threads = await this.#openAll();
    const there = new Set(threads.map(({ id }) => id));
    for (const id of known) if (!there.has(id)) await this.closeThread(id);
    return this.#isEnded() ? closing : { ok: true };
  }

  /** Lets go of a thread that is about to be deleted: its turn is interrupted, its process ended. */
  closeThread(thread: string): Promise<void> {
    this.#resting.delete(thread);
    const runner = this.#runners.get(thread);
    if (runner === undefined) return Promise.resolve();
    const closed = runner.shutdown().finally(() => {
      this.#runners.delete(thread);
      this.#closed.delete(thread);
      this.#lookAtWaiting();
    });
    this.#closed.set(thread, closed);
    return closed;
  }

  /** Settles when a message that was told to wait has found room, or waits no longer. */
  async admitted(thread: string, id: string): Promise<void> {
    while (this.#waits(thread, id) && this.#ended === null)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Without an id: whatever this holder was editing, in any thread. */
  async cancelEdit(
    holder: string,
    thread?: string,
    id?: string,
  ): Promise<void> {
    const threads = thread === undefined ? this.#read() : [thread];
    const request = {
      kind: "editCancel",
      holder,
      ...(id === undefined ? {} : { id }),
    } as const;
    await Promise.all(threads.map((own) => this.ask(own, request)));
  }

  /** The thread's open session and its process, for what only some agents can do; undefined while none is open. */
  openAgent(thread: string): OpenAgent | undefined {
    return this.#runners.get(thread)?.openAgent;
  }

  /** Tells whoever looks at the thread. */
  notify(thread: string, notice: Notice): void {
    this.#emit({ thread, kind: "notice", notice });
  }

  /** Ends what a cancelled turn left running; settles when it is known what is left. */
  async endLeft(thread: string): Promise<void> {
    await this.#runners.get(thread)?.endLeft();
  }

  /** The account of an agent has changed: each of its processes ends, at once or with its turn, and the next message starts a new one. */
  retire(agent: string): void {
    for (const runner of this.#runners.values())
      if (runner.state?.thread.agent === agent) runner.tell("retire");
  }

  /** Ends every turn as interrupted and every process; settles when none is left. */
  dispose(): Promise<void> {
    this.#ended ??= Promise.all(
      [...this.#runners.values()].map((runner) => runner.shutdown()),
    ).then(() => undefined);
    this.#lookAtWaiting();
    return this.#ended;
  }

  /** Several at a time: reading one waits mostly for the store. */
  async #openAll(): Promise<readonly Thread[]> {
    const { store } = this.#options;
    const [threads, unfinished] = await Promise.all([
      store.threads(),
      store.unfinished(),
    ]);
    const open = new Set([...unfinished, ...this.#read()]);
    const waiting: Thread[] = [];
    this.#resting.clear();
    for (const thread of threads) {
      const runner = this.#runners.get(thread.id);
      if (open.has(thread.id) || thread.held !== null) waiting.push(thread);
      else if (runner === undefined) this.#resting.set(thread.id, thread);
      else runner.rest(thread);
    }
    const work = async (): Promise<void> => {
      for (
        let next = waiting.shift();
        next !== undefined;
        next = waiting.shift()
      )
        await this.#open(next.id);
    };
    await Promise.all(Array.from({ length: opensAtOnce }, work));
    return threads;
  }

  async #create(id: string, asked: NewThread): Promise<Thread | Refused> {
    if (this.#ended !== null) return closing;
    const there = await this.#known(id);
    if (there !== undefined) return there;
    const { clock, store } = this.#options;
    const now = clock.now();
    const thread: Thread = {
      id,
      title: asked.title ?? "",
      folder: asked.folder,
      agent: asked.agent,
      held: null,
      archived: false,
      createdAt: now,
      updatedAt: now,
    };
    const answer = await store.commit([{ kind: "thread", thread }], "full");
    if (!answer.ok) return { ok: false, ...refusalOf(answer) };
    this.#record.writable = true;
    if (this.#isEnded()) return closing;
    await this.#open(id);
    return thread;
  }

  async #known(id: string): Promise<Thread | undefined> {
    const runner = this.#find(id);
    if (runner?.state === null) await this.#open(id);
    return runner?.state?.thread;
  }

  #find(id: string): ThreadRunner | undefined {
    const thread = this.#resting.get(id);
    if (thread !== undefined) this.#runner(id).rest(thread);
    return this.#runners.get(id);
  }

  /** The threads that were read; the others have nothing on their way. */
  #read(): readonly string[] {
    return [...this.#runners.values()]
      .filter(({ rests }) => !rests)
      .map(({ id }) => id);
  }

  /** Everything numbered from now on comes after what is stored, whoever stored it. */
  async #seeGreatest(): Promise<void> {
    const greatest = await this.#options.store.greatest();
    if (greatest !== undefined) this.#snowflakes.see(greatest);
  }

  /** It may have been asked for while something else was waited for. */
  #isEnded(): boolean {
    return this.#ended !== null;
  }

  #runner(id: string): ThreadRunner {
    const runner = new ThreadRunner(id, {
      ...this.#options,
      record: this.#record,
      pool: this.#pool,
      settings: () => this.#settings,
      mint: () => this.#snowflakes.next(),
      emit: (change) => this.#emit(change),
    });
    this.#runners.set(id, runner);
    this.#resting.delete(id);
    return runner;
  }

  /** Reads a thread, or reads it anew. */
  async #open(id: string): Promise<void> {
    if (this.#ended !== null) return;
    try {
      await (this.#runners.get(id) ?? this.#runner(id)).open();
    } catch (error) {
      // One thread that cannot be read must not keep the others from opening.
      this.#options.log.error("thread.notLoaded", {
        thread: id,
        error: String(error),
      });
    }
  }

  protected ask(thread: string, asked: Asked): Promise<Reply> {
    const { store } = this.#options;
    const request = typeof asked === "function" ? () => asked(store) : asked;
    return this.#find(thread)?.ask(request) ?? Promise.resolve(noThread);
  }

  #capabilitiesOf(agent: string): AgentCapabilities | null {
    for (const { state } of this.#runners.values())
      if (state?.agent.kind === "live" && state.agent.agent === agent)
        return state.agent.capabilities;
    return this.#options.capabilities?.(agent) ?? null;
  }

  #waits(thread: string, id: string): boolean {
    const queue = this.#runners.get(thread)?.state?.queue ?? [];
    const place = queue.findIndex((message) => message.id === id);
    return place >= this.#settings.maxBufferedMessages;
  }

  #makeRoom(places: number): void {
    const runners = [...this.#runners.values()];
    const holds = (id: string): boolean => this.#pool.holds(id);
    for (const runner of longestIdle(runners, places, holds))
      runner.tell("suspend");
  }

  #lookAtWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  #emit(change: ThreadChange): void {
    if (change.kind === "queue") this.#lookAtWaiting();
    for (const listener of [...this.#listeners])
      try {
        listener(change);
      } catch (error) {
        this.#options.log.error("listener.failed", { error: String(error) });
      }
  }
}
