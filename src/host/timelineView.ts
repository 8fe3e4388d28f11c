import type { SearchHit } from "../core/recordPort.ts";
import { Channel } from "../protocol/channel.ts";
import type { Reply } from "../protocol/reply.ts";
import {
  fromTimeline,
  type FromTimeline,
  type ToTimeline,
} from "../protocol/timeline.ts";
import { assertNever } from "../util/assertNever.ts";
import { Disposables, type Disposable } from "../util/disposables.ts";
import type { Services } from "./services.ts";
import { NotResent } from "./savings.ts";
import { searchPages } from "./searchPages.ts";
import {
  changedBatches,
  pastBatches,
  saidIn,
  timelineThreads,
} from "./timelineFeed.ts";

export interface TimelinePage {
  send(data: unknown): void;
  onMessage(receive: (data: unknown) => void): Disposable;
}

/** What a page can ask of VS Code. */
export interface TimelineDeeds {
  /** Shows a batch in the chat; without one, its thread. */
  open(thread: string, batch: string | undefined): Promise<void>;
  inspect(thread: string, batch: string): Promise<void>;
  save(format: "csv" | "json", text: string): Promise<void>;
}

type Ends = Pick<
  Services,
  "engine" | "store" | "book" | "catalog" | "log" | "hide" | "settings"
>;

/** Changes are told together: a busy turn makes many a second. */
const gatherMs = 250;
const mostHits = 1_000;
/** More do not come between two tellings. */
const newestHits = 50;

/** One page that shows the timeline. */
export class TimelineView implements Disposable {
  readonly #services: Ends;
  readonly #deeds: TimelineDeeds;
  readonly #owned = new Disposables();
  readonly #channel: Channel<FromTimeline, ToTimeline>;
  /** Threads in which something changed, and the batches it was said of. */
  readonly #changed = new Map<string, Set<string>>();
  #all = false;
  /** Threads whose past was told. */
  #told: ReadonlySet<string> = new Set();
  /** The text the page is narrowed to; what happens may hold it too. */
  #sought = "";
  #found: ReadonlySet<string> = new Set();
  #more = false;
  readonly #saved: Map<string, NotResent>;
  #timer: NodeJS.Timeout | undefined;
  /** A page that was made anew starts over; what was under way for the old one stops. */
  #round = 0;

  constructor(
    page: TimelinePage,
    services: Ends,
    deeds: TimelineDeeds,
    /** Shared by all pages: it is read from the whole history, once. */
    saved: Map<string, NotResent>,
  ) {
    this.#saved = saved;
    this.#services = services;
    this.#deeds = deeds;
    this.#channel = new Channel<FromTimeline, ToTimeline>({
      inbound: fromTimeline,
      send: (data) => page.send(data),
      handle: (message) => this.#handle(message),
      report: (problem) =>
        services.log.warn("timeline.message", { ...problem }),
    });
    this.#owned.add(page.onMessage((data) => this.#channel.receive(data)));
    const stop = services.engine.onChange((change) => {
      const { kind, thread } = change;
      if (kind === "text") return;
      // Whatever it held before may not be there any more.
      if (kind === "rebuilt") this.#all = true;
      const batch = kind === "message" ? change.message.batch : null;
      this.#look(thread, batch);
    });
    this.#owned.add({ dispose: stop });
    const stopBook = services.book.onChange(() => this.#look());
    this.#owned.add({ dispose: stopBook });
  }

  dispose(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#channel.dispose();
    this.#owned.dispose();
  }

  /** Everything may be different: it is told anew. */
  refresh(): void {
    this.#all = true;
    this.#look();
  }

  async #handle(message: FromTimeline): Promise<Reply | undefined> {
    switch (message.type) {
      case "ready":
        await this.#tellAll();
        return undefined;
      case "problem":
        this.#services.log.error("timeline.problem", { text: message.text });
        return undefined;
      case "open":
        await this.#deeds.open(message.thread, message.batch);
        return undefined;
      case "inspect":
        await this.#deeds.inspect(message.thread, message.batch);
        return undefined;
      case "tell":
        this.#channel.post({
          type: "said",
          batch: message.batch,
          texts: await saidIn(this.#services, message.thread, message.batch),
        });
        return undefined;
      case "find":
        this.#sought = message.text;
        this.#found = new Set();
        await this.#find();
        return undefined;
      case "export":
        await this.#deeds.save(
          message.format,
          this.#services.hide(message.text),
        );
        return undefined;
      default:
        return assertNever(message);
    }
  }

  async #tellAll(): Promise<void> {
    const round = ++this.#round;
    this.#tellThreads();
    this.#told = this.#threads();
    this.#channel.post({ type: "begin" });
    const past = pastBatches(this.#services);
    let page = await past.next();
    for (; page.done !== true; page = await past.next()) {
      if (round !== this.#round) return;
      const batches = page.value;
      this.#channel.post({ type: "batches", batches });
    }
    if (round !== this.#round) return;
    this.#channel.post({ type: "complete", ...page.value });
    for (const { id } of this.#services.book.summaries()) {
      const known = this.#saved.get(id)?.all ?? {};
      if (Object.keys(known).length > 0)
        this.#channel.post({ type: "notResent", bytes: known });
      await this.#tellSaved(id);
      if (round !== this.#round) return;
    }
  }

  /** A thread that comes from elsewhere brings its past along. */
  async #tellNew(thread: string): Promise<void> {
    for await (const batches of pastBatches(this.#services, { thread }))
      this.#channel.post({ type: "batches", batches });
  }

  #threads(): ReadonlySet<string> {
    return new Set(this.#services.book.summaries().map(({ id }) => id));
  }

  #tellThreads(): void {
    const threads = timelineThreads(this.#services);
    this.#channel.post({ type: "threads", now: Date.now(), threads });
  }

  async #tellSaved(thread: string): Promise<void> {
    const { settings, store } = this.#services;
    const saved =
      this.#saved.get(thread) ??
      new NotResent(store, thread, settings().dispatch.contextBudgetTokens);
    this.#saved.set(thread, saved);
    const bytes = await saved.look();
    if (Object.keys(bytes).length > 0)
      this.#channel.post({ type: "notResent", bytes });
  }

  /** All batches with the text, told as they are found. */
  async #find(): Promise<void> {
    const text = this.#sought;
    if (text.trim() === "") return;
    const { store } = this.#services;
    const pages = searchPages(store, { text, limit: mostHits });
    for await (const { hits, goesOn } of pages) {
      if (text !== this.#sought) return;
      this.#tellFound(hits, !goesOn && hits.length === mostHits);
    }
  }

  /** What just came is the newest: the rest was found before. */
  async #findNew(): Promise<void> {
    const text = this.#sought;
    if (text.trim() === "") return;
    const limit = newestHits;
    const { hits } = await this.#services.store.search({ text, limit });
    if (text === this.#sought) this.#tellFound(hits);
  }

  #tellFound(hits: readonly SearchHit[], more?: boolean): void {
    const batches = hits.flatMap(({ message }) => message.batch ?? []);
    this.#found = new Set([...this.#found, ...batches]);
    this.#more = more ?? this.#more;
    this.#channel.post({
      type: "found",
      text: this.#sought,
      batches: [...this.#found],
      more: this.#more,
    });
  }

  #look(thread?: string, batch: string | null = null): void {
    if (this.#round === 0) return;
    if (thread !== undefined) {
      const batches = this.#changed.get(thread) ?? new Set();
      if (batch !== null) batches.add(batch);
      this.#changed.set(thread, batches);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#tellChanges();
    }, gatherMs);
  }

  async #tellChanges(): Promise<void> {
    const { engine, log } = this.#services;
    const changed = [...this.#changed];
    this.#changed.clear();
    const all = this.#all;
    this.#all = false;
    try {
      if (all) {
        await this.#tellAll();
        return;
      }
      this.#tellThreads();
      const told = this.#told;
      // One that is gone is told anew when it comes back.
      this.#told = this.#threads();
      for (const id of this.#told) if (!told.has(id)) await this.#tellNew(id);
      for (const [thread, named] of changed) {
        const batches = await changedBatches(this.#services, thread, named);
        this.#channel.post({ type: "batches", batches });
        const ran = engine.snapshot(thread)?.turn !== null;
        if (!ran) await this.#tellSaved(thread);
      }
      if (changed.length > 0) await this.#findNew();
    } catch (error) {
      log.warn("timeline.notRead", { error: String(error) });
    }
  }
}
