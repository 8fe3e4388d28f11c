import { computed, signal } from "@preact/signals";
import type { FoundMessage, FoundText } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { BatchAction } from "../../src/protocol/transcript.ts";
import type { ToView } from "../../src/protocol/toView.ts";
import { announce, greet } from "./announce.ts";
import { DraftDesk } from "./draftDesk.ts";
import { FindDesk } from "./findDesk.ts";
import type { Frames } from "./frames.ts";
import type { Host } from "./host.ts";
import { Hung } from "./hung.ts";
import { Inbox } from "./inbox.ts";
import { isRunning, quietAfter } from "./footer.ts";
import { Live } from "./live.ts";
import { Keeper } from "./keeper.ts";
import { fresh } from "./saved.ts";
import { QueueDesk } from "./queueDesk.ts";
import type { Place, Saved } from "./saved.ts";
import { RevealDesk } from "./revealDesk.ts";
import { Said } from "./said.ts";
import type { Session } from "./session.ts";
import { Store } from "./store.ts";
import { words } from "./strings.ts";
import { ThreadDesk } from "./threadDesk.ts";

export interface AppEnds {
  readonly host: Host;
  readonly save: (saved: Saved) => void;
  readonly frames: Pick<Frames, "next" | "free" | "typing">;
  readonly later: (run: () => void, ms: number) => void;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** The view: the host's state, the little that is its own, and what a user can do. */
export class App {
  readonly store = new Store();
  readonly live: Live;
  readonly keeper: Keeper;
  readonly queue: QueueDesk;
  /** The host's clock, once a second. */
  readonly now;
  readonly drafts: DraftDesk;
  readonly hung: Hung;
  readonly said: Said;
  readonly showThreads = signal(false);
  /** Why the last thing asked for was not done. */
  readonly trouble = signal<string | undefined>(undefined);
  readonly reveal: RevealDesk;
  readonly find: FindDesk;
  readonly threads: ThreadDesk;
  /** The turn at the top of the transcript, where one is drawn. */
  top: () => string | undefined = () => undefined;
  /** There is a turn: one that runs, or one that waits for its agent to start. */
  readonly running = computed(() => {
    const { state } = this.store.is.status.value;
    const busy = state === "busy" || state === "waiting" || state === "stuck";
    return busy || this.store.is.batches.value.some(isRunning);
  });
  /** What is sent now joins what waits. */
  readonly adds = computed(
    () => this.running.value || this.store.is.facts.value.held !== null,
  );
  readonly #ends: AppEnds;
  readonly #inbox: Inbox;
  #told = "";

  constructor(ends: AppEnds, saved: Saved = fresh) {
    this.#ends = ends;
    this.keeper = new Keeper(
      saved,
      (kept) => {
        ends.save(kept);
        this.#tellMemory();
      },
      ends.later,
    );
    this.now = signal(ends.clock());
    this.live = new Live(ends.later);
    this.queue = new QueueDesk({
      state: () => this.store.state,
      thread: () => this.thread,
      asked: (message) => this.asked(message),
      say: (text) => this.live.say(text),
      keepEdit: (edit) => this.keeper.keepEdit(edit),
      keepWords: (text) => this.drafts.takeBack(text),
      newId: ends.newId,
    });
    this.threads = new ThreadDesk({
      state: () => this.store.state,
      asked: (message) => this.asked(message),
      say: (text) => this.live.say(text),
    });
    this.find = new FindDesk({
      look: (text, matchCase) => this.#look(text, matchCase),
      top: () => this.top(),
      mark: (marking) => (this.reveal.marking.value = marking),
      go: ({ message, at }, nth) =>
        this.reveal.bring({ key: at, message, nth, focus: false }),
      later: ends.later,
    });
    this.hung = new Hung({
      thread: () => this.thread,
      change: (thread, change) => this.drafts.attach(thread, change),
      request: (message) => ends.host.request(message),
      trouble: (why) => (this.trouble.value = why),
    });
    this.drafts = new DraftDesk({
      thread: () => this.thread,
      ...{ keeper: this.keeper, hung: this.hung, trouble: this.trouble },
      post: (message) => this.post(message),
      asked: (message) => this.asked(message),
      sends: () => {
        if (!this.find.shown.value) this.reveal.marking.value = undefined;
      },
      ...{ later: ends.later, clock: ends.clock, newId: ends.newId },
    });
    this.reveal = new RevealDesk({
      find: () => this.find,
      leaveThreads: () => (this.showThreads.value = false),
      holds: (group) =>
        this.store.groups.value.some(({ key }) => key === group),
      goTo: (group) => void this.page("around", group),
      insert: (text) => this.drafts.insert(text),
      edit: (id) => void this.queue.beginEdit(id),
    });
    this.said = new Said({
      state: () => this.store.state,
      request: (message) => ends.host.request(message),
    });
    this.#inbox = new Inbox({
      show: (session, before) => this.#show(session, before),
      ask: (instance) => this.ask(instance),
      frame: (run) => ends.frames.next(run),
      freeFrame: (run) => ends.frames.free(run),
      clock: ends.clock,
    });
  }

  get frames(): AppEnds["frames"] {
    return this.#ends.frames;
  }

  get thread(): string {
    return this.store.state.thread?.id ?? "";
  }

  get place(): Place | undefined {
    const { scroll } = this.keeper.saved;
    return scroll?.thread === this.thread ? scroll : undefined;
  }

  take(message: ToView): void {
    if (message.type !== "reveal") {
      this.#inbox.take(message);
      return;
    }
    // What is named may have come only just before.
    this.#inbox.flush();
    this.reveal.take(message.what);
  }

  /** Asks for a snapshot. */
  ask(instance?: string): void {
    const { thread } = this.keeper.saved;
    this.post({
      type: "ready",
      ...(instance === undefined ? {} : { instance }),
      ...(thread === undefined ? {} : { thread }),
    });
  }

  tick(): void {
    const before = this.now.value;
    this.now.value = this.#ends.clock() + (this.#inbox.session?.skew ?? 0);
    const { state, updateAt = Infinity } = this.store.state.status;
    const quietAt = updateAt + quietAfter;
    if (state === "busy" && before < quietAt && this.now.value >= quietAt)
      this.live.say(words.say.silent);
  }

  post(message: ToHost): void {
    this.#ends.host.post(message);
  }

  /** Asks for something on the user's behalf; a refusal is shown. True when it was done. */
  async asked(message: ToHost): Promise<boolean> {
    const reply = await this.#ends.host.request(message);
    const refused = reply.kind === "refused" || reply.kind === "failed";
    this.trouble.value = refused ? reply.message : undefined;
    return !refused;
  }

  /** Said only once it is so. */
  async copy(text: string): Promise<void> {
    if (await this.asked({ type: "copy", text }))
      this.live.say(words.code.copied);
  }

  /** Moves the window; nothing the user asked for, so nothing is said about it. */
  async page(
    to: "before" | "after" | "latest" | "around",
    batch?: string,
  ): Promise<void> {
    const { thread } = this;
    await this.#ends.host.request({
      type: "page",
      thread,
      to,
      ...(batch === undefined ? {} : { batch }),
    });
  }

  /** Bytes the host has, as base64. */
  async blob(blob: string): Promise<string | undefined> {
    const reply = await this.#ends.host.request({ type: "blob", blob });
    return reply.kind === "blob"
      ? `data:${reply.mimeType};base64,${reply.data}`
      : undefined;
  }

  /** What was said in any thread, newest first. */
  async searchThreads(text: string): Promise<readonly FoundText[]> {
    const reply = await this.#ends.host.request({
      type: "searchThreads",
      text,
    });
    return reply.kind === "texts" ? reply.texts : [];
  }

  async fork(batch: string): Promise<void> {
    await this.asked({ type: "forkTurn", thread: this.thread, batch });
  }

  async actOn(batch: string, action: BatchAction): Promise<void> {
    const { thread } = this;
    await this.asked({ type: "batchAction", thread, batch, action });
  }

  /** Writes what is kept at once: the view may be about to go. */
  flush(): void {
    // A page that is hidden gets no more frames.
    this.#inbox.flush();
    this.keeper.flush();
    this.drafts.flush();
  }

  async #look(
    text: string,
    matchCase: boolean,
  ): Promise<{ found: readonly FoundMessage[]; more: boolean } | undefined> {
    const { thread } = this;
    const asked = { type: "find", thread, text, matchCase } as const;
    const reply = await this.#ends.host.request(asked);
    return reply.kind === "found" ? reply : undefined;
  }

  #show(session: Session, before: Session | undefined): void {
    const last = this.store.state;
    const was = last.thread?.id;
    const { state } = session;
    this.store.take(state);
    this.tick();
    if (before !== undefined && before.instance === session.instance) {
      const said = announce(before.state, state);
      for (const text of said.polite) this.live.say(text);
      for (const text of said.assertive) this.live.alert(text);
    }
    if (state.thread?.id !== was) {
      if (was !== undefined) this.drafts.left(was);
      this.#opened(state.thread?.id);
    }
    this.queue.changed(last);
  }

  #opened(thread: string | undefined): void {
    this.trouble.value = undefined;
    this.reveal.opened();
    this.find.close();
    if (thread === undefined) return;
    const { memory } = this.store.state;
    if (memory !== undefined) this.keeper.adopt(thread, memory);
    const { edit } = this.keeper.saved;
    this.drafts.opened(thread, this.store.state);
    this.live.say(greet(this.store.state));
    this.keeper.keepThread(thread);
    this.queue.opened(edit);
  }

  #tellMemory(): void {
    const { thread } = this;
    if (thread === "") return;
    const memory = this.keeper.memory(thread);
    const now = JSON.stringify({ thread, memory });
    if (now === this.#told) return;
    this.#told = now;
    this.post({ type: "memory", thread, memory });
  }
}
