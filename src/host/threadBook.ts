import { randomUUID } from "node:crypto";
import type { ThreadChange } from "../core/dispatch/changes.ts";
import type { Engine } from "../core/engine.ts";
import type { ThreadSummary } from "../protocol/viewState.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Outcome } from "./outcomes.ts";
import { threadSummary } from "./threadSummary.ts";

/** A thread that is only begun: it enters the record with its first message. */
export interface Draft {
  readonly id: string;
  readonly agent: string;
  readonly folder: string;
}

/** What is kept of a begun thread: an agent only once the user chose one. */
export interface Begun {
  readonly id: string;
  readonly agent?: string | undefined;
  readonly folder: string;
}

export interface ThreadDefaults {
  agent(): string;
  /** The folder a begun thread had, while it is still one of the workspace's; else that of a new one. */
  folder(kept?: string): string;
  /** Waits for what the answers above depend on. */
  settle(chosenAgent: string | undefined): Promise<void>;
  label(agent: string): string;
  /** How the last turn of a thread went. */
  last?(thread: string): Outcome | undefined;
  /** The threads with something new, kept for the next window. */
  readonly unread?: {
    read(): readonly string[];
    write(threads: readonly string[]): void;
  };
  /** The threads that are only begun, kept for the next window: something may be typed in them. */
  readonly begun?: {
    read(): readonly Begun[];
    write(begun: readonly Begun[]): void;
  };
}

/** The list of threads as views show it, kept up as they change. */
export class ThreadBook implements Disposable {
  readonly #engine: Engine;
  readonly #defaults: ThreadDefaults;
  readonly #summaries = new Map<string, ThreadSummary>();
  readonly #drafts = new Map<string, Begun>();
  readonly #keeping = new Map<string, Promise<string | undefined>>();
  /** Threads some view shows now: what happens there is seen. */
  readonly #watched = new Map<string, number>();
  readonly #running = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #kept = "";

  constructor(engine: Engine, defaults: ThreadDefaults) {
    this.#engine = engine;
    this.#defaults = defaults;
    const unread = new Set(defaults.unread?.read());
    for (const { id } of engine.threads()) this.#summarise(id, unread.has(id));
    for (const begun of defaults.begun?.read() ?? [])
      if (!this.#summaries.has(begun.id)) this.#drafts.set(begun.id, begun);
    this.#stop = engine.onChange((change) => this.#take(change));
  }

  dispose(): void {
    this.#stop();
    this.#listeners.clear();
  }

  /** Calls back when the list is different; the answer stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Newest first. */
  summaries(): readonly ThreadSummary[] {
    return [...this.#summaries.values()].sort(
      (a, b) => b.updatedAt - a.updatedAt,
    );
  }

  /** The thread to show when none is asked for: the newest, else one that is only begun. */
  newest(): string {
    const found = this.summaries().find(({ archived }) => !archived);
    return found?.id ?? this.begin().id;
  }

  needsYou(): number {
    return this.summaries().filter(({ mark }) => mark === "needsYou").length;
  }

  /** A thread has come into the engine by another way than a message. */
  look(thread: string): void {
    this.#summarise(thread);
    this.#changed();
  }

  /** The record is another: the list is made anew. */
  lookAll(): void {
    const there = new Set(this.#engine.threads().map(({ id }) => id));
    for (const id of [...this.#summaries.keys()])
      if (!there.has(id)) this.#summaries.delete(id);
    for (const id of there)
      this.#summarise(id, this.#summaries.get(id)?.unread);
    this.#changed();
  }

  /** It is known how its last turn went. */
  ended(thread: string): void {
    const before = this.#summaries.get(thread);
    if (before === undefined) return;
    this.#summarise(thread, before.unread);
    this.#changed();
  }

  /** Whether some view shows it now. */
  isSeen(thread: string): boolean {
    return this.#watched.has(thread);
  }

  forget(thread: string): void {
    if (this.#summaries.delete(thread)) this.#changed();
  }

  /** A view shows this thread from now on; the answer ends it. */
  watch(thread: string): () => void {
    this.#watched.set(thread, (this.#watched.get(thread) ?? 0) + 1);
    const summary = this.#summaries.get(thread);
    if (summary?.unread === true) {
      this.#summarise(thread, false);
      this.#changed();
    }
    return () => {
      const left = (this.#watched.get(thread) ?? 1) - 1;
      if (left === 0) this.#watched.delete(thread);
      else this.#watched.set(thread, left);
    };
  }

  /** Where a wish for a new thread leads: one that is only begun is as new as any, and what was typed there stays within reach. */
  fresh(shown: string, agent?: string): Draft {
    const begun = [...this.#drafts.keys()].toReversed();
    const found = begun.includes(shown)
      ? shown
      : begun.find((id) => !this.isSeen(id));
    if (found === undefined) return this.begin(agent);
    if (agent !== undefined) this.chooseAgent(found, agent);
    return this.draft(found) ?? this.begin(agent);
  }

  begin(agent?: string): Draft {
    const id = randomUUID();
    const folder = this.#defaults.folder();
    return this.takeUp({ id, agent, folder });
  }

  /** Takes up a thread that was begun, perhaps before the window was loaded anew. */
  takeUp(begun: Begun): Draft {
    this.#keepBegun(begun);
    return this.#drawn(begun);
  }

  /** A begun thread as it would be entered now: agents may be found and folders come meanwhile. */
  draft(id: string): Draft | undefined {
    const begun = this.#drafts.get(id);
    return begun === undefined ? undefined : this.#drawn(begun);
  }

  begun(id: string): Begun | undefined {
    return this.#drafts.get(id);
  }

  chooseAgent(id: string, agent: string): void {
    const begun = this.#drafts.get(id);
    if (begun !== undefined) this.#keepBegun({ ...begun, agent });
  }

  chooseFolder(id: string, folder: string): void {
    const begun = this.#drafts.get(id);
    if (begun !== undefined) this.#keepBegun({ ...begun, folder });
  }

  /** Enters a begun thread into the record; undefined when all is well, else why not. */
  keep(id: string): Promise<string | undefined> {
    if (!this.#drafts.has(id)) return Promise.resolve(undefined);
    // Two first messages at once make one thread.
    const keeping = this.#keeping.get(id) ?? this.#enter(id);
    this.#keeping.set(id, keeping);
    return keeping;
  }

  async #enter(id: string): Promise<string | undefined> {
    await this.#defaults.settle(this.#drafts.get(id)?.agent);
    const draft = this.draft(id);
    const made =
      draft === undefined ? undefined : await this.#engine.createThread(draft);
    this.#keeping.delete(id);
    if (made === undefined) return undefined;
    if (!("id" in made)) return made.detail;
    this.#drafts.delete(id);
    this.#writeBegun();
    this.#summarise(id);
    this.#changed();
    return undefined;
  }

  #keepBegun(begun: Begun): void {
    this.#drafts.set(begun.id, begun);
    this.#writeBegun();
  }

  #writeBegun(): void {
    this.#defaults.begun?.write([...this.#drafts.values()]);
  }

  #drawn({ id, agent, folder }: Begun): Draft {
    return {
      id,
      agent: agent ?? this.#defaults.agent(),
      folder: this.#defaults.folder(folder),
    };
  }

  #take(change: ThreadChange): void {
    if (change.kind === "text" || change.kind === "message") return;
    const before = this.#summaries.get(change.thread);
    const ended = this.#hasEnded(change);
    const unread =
      (before?.unread ?? false) || (ended && !this.#watched.has(change.thread));
    this.#summarise(change.thread, unread);
    const after = this.#summaries.get(change.thread);
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#changed();
  }

  /** Told by its own change alone: others of the same moment come before it. */
  #hasEnded(change: ThreadChange): boolean {
    if (change.kind !== "turn") return false;
    if (change.turn === null) return this.#running.delete(change.thread);
    this.#running.add(change.thread);
    return false;
  }

  #changed(): void {
    this.#keepUnread();
    for (const listener of [...this.#listeners]) listener();
  }

  #keepUnread(): void {
    const ids = [...this.#summaries.values()]
      .filter(({ unread }) => unread)
      .map(({ id }) => id)
      .sort();
    if (JSON.stringify(ids) === this.#kept) return;
    this.#kept = JSON.stringify(ids);
    this.#defaults.unread?.write(ids);
  }

  #summarise(id: string, unread = false): void {
    const snapshot = this.#engine.snapshot(id);
    if (snapshot === undefined) return;
    const { agent } = snapshot.thread;
    this.#summaries.set(
      id,
      threadSummary(snapshot, {
        agent: this.#defaults.label(agent),
        last: this.#defaults.last?.(id),
        unread,
      }),
    );
  }
}
