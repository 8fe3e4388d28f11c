import type { Reply } from "./dispatch/events.ts";
import { closing, type Refused } from "./dispatch/replies.ts";
import { ThreadRunner, type RunnerPorts } from "./dispatch/runner.ts";
import type { NewThread, Thread } from "./thread.ts";
import { refusalOf } from "./writes.ts";

type OwnPorts = "pool" | "settings" | "mint" | "emit";

/** What the threads need of their engine. */
export interface ThreadsEngine {
  /** Shared by all runners. */
  readonly ports: Pick<RunnerPorts, OwnPorts>;
  /** To be asked anew after every wait: it may have been ended meanwhile. */
  readonly ended: () => boolean;
  /** A thread was let go. */
  readonly closed: () => void;
}

const opensAtOnce = 16;

/** The threads of a workspace, each with a runner once it is used: made, read, and let go. */
export class EngineThreads {
  readonly #options: Omit<RunnerPorts, OwnPorts | "record">;
  readonly #engine: ThreadsEngine;
  readonly #record = { writable: false };
  readonly #runners = new Map<string, ThreadRunner>();
  /** Threads with nothing on their way, as they were listed: each gets a runner when it is asked for. */
  readonly #resting = new Map<string, Thread>();
  /** Threads that are being made, by the id they get. */
  readonly #making = new Map<string, Promise<Thread | Refused>>();
  /** Threads that are being let go. */
  readonly #closing = new Map<string, Promise<void>>();

  constructor(
    options: Omit<RunnerPorts, OwnPorts | "record">,
    engine: ThreadsEngine,
  ) {
    this.#options = options;
    this.#engine = engine;
  }

  all(): readonly Thread[] {
    const open = this.runners().flatMap(({ state }) => state?.thread ?? []);
    return [...open, ...this.#resting.values()];
  }

  runners(): readonly ThreadRunner[] {
    return [...this.#runners.values()];
  }

  /** Of a thread that was used. */
  runner(id: string): ThreadRunner | undefined {
    return this.#runners.get(id);
  }

  /** Of any thread; one that rests gets its runner now. */
  find(id: string): ThreadRunner | undefined {
    const thread = this.#resting.get(id);
    if (thread !== undefined) this.#newRunner(id).rest(thread);
    return this.#runners.get(id);
  }

  /** The threads that were read; the others have nothing on their way. */
  read(): readonly string[] {
    return [...this.#runners.values()]
      .filter(({ rests }) => !rests)
      .map(({ id }) => id);
  }

  /** A thread that is there, or is being made, is answered as it is. */
  create(asked: NewThread): Promise<Thread | Refused> {
    const id = asked.id ?? this.#options.uuid();
    const making = this.#making.get(id) ?? this.#create(id, asked);
    this.#making.set(id, making);
    return making.finally(() => this.#making.delete(id));
  }

  /** Reads a thread, or reads it anew. */
  async open(id: string): Promise<void> {
    if (this.#engine.ended()) return;
    try {
      await (this.#runners.get(id) ?? this.#newRunner(id)).open();
    } catch (error) {
      // One thread that cannot be read must not keep the others from opening.
      this.#options.log.error("thread.notLoaded", {
        thread: id,
        error: String(error),
      });
    }
  }

  /** Several at a time: reading one waits mostly for the store. */
  async openAll(): Promise<readonly Thread[]> {
    const { store } = this.#options;
    const [threads, unfinished] = await Promise.all([
      store.threads(),
      store.unfinished(),
    ]);
    const open = new Set([...unfinished, ...this.read()]);
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
        await this.open(next.id);
    };
    await Promise.all(Array.from({ length: opensAtOnce }, work));
    return threads;
  }

  /** Reads all that are there, and lets go of those that are not any more. */
  async readAnew(): Promise<Reply> {
    const known = [...this.#runners.keys()];
    const threads = await this.openAll();
    const there = new Set(threads.map(({ id }) => id));
    for (const id of known) if (!there.has(id)) await this.close(id);
    return this.#engine.ended() ? closing : { ok: true };
  }

  /** Interrupts its turn and ends its process. */
  close(thread: string): Promise<void> {
    this.#resting.delete(thread);
    const runner = this.#runners.get(thread);
    if (runner === undefined) return Promise.resolve();
    const closed = runner.shutdown().finally(() => {
      this.#runners.delete(thread);
      this.#closing.delete(thread);
      this.#engine.closed();
    });
    this.#closing.set(thread, closed);
    return closed;
  }

  /** Settles when a thread that is being let go is. */
  async closed(id: string): Promise<void> {
    await this.#closing.get(id);
  }

  async #create(id: string, asked: NewThread): Promise<Thread | Refused> {
    if (this.#engine.ended()) return closing;
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
    if (this.#engine.ended()) return closing;
    await this.open(id);
    return thread;
  }

  async #known(id: string): Promise<Thread | undefined> {
    const runner = this.find(id);
    if (runner?.state === null) await this.open(id);
    return runner?.state?.thread;
  }

  #newRunner(id: string): ThreadRunner {
    const runner = new ThreadRunner(id, {
      ...this.#options,
      ...this.#engine.ports,
      record: this.#record,
    });
    this.#runners.set(id, runner);
    this.#resting.delete(id);
    return runner;
  }
}
