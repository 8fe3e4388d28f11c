import { computed, signal } from "@preact/signals";
import type { NewAttachment } from "../../src/protocol/newAttachment.ts";
import type { FoundMessage, FoundText } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { BatchAction } from "../../src/protocol/transcript.ts";
import type { ToView } from "../../src/protocol/toView.ts";
import { wordFinder } from "../../src/util/findText.ts";
import { announce, greet } from "./announce.ts";
import { isBlank, joined, openingDraft, putBack } from "./drafts.ts";
import { FindDesk } from "./findDesk.ts";
import type { Host } from "./host.ts";
import { Hung } from "./hung.ts";
import { Inbox } from "./inbox.ts";
import { isRunning, quietAfter } from "./footer.ts";
import { Live } from "./live.ts";
import { Keeper } from "./keeper.ts";
import { fresh } from "./saved.ts";
import { QueueDesk } from "./queueDesk.ts";
import type { Draft, Place, Saved } from "./saved.ts";
import { Said } from "./said.ts";
import type { Session } from "./session.ts";
import type { Marking, Spot } from "./spot.ts";
import { Store } from "./store.ts";
import { words } from "./strings.ts";
import { ThreadDesk } from "./threadDesk.ts";

export interface AppEnds {
  readonly host: Host;
  readonly save: (saved: Saved) => void;
  readonly frame: (run: () => void) => void;
  readonly later: (run: () => void, ms: number) => void;
  readonly clock: () => number;
  readonly newId: () => string;
}

export type Reveal = Extract<ToView, { type: "reveal" }>["what"];

/** The view: the host's state, the little that is its own, and what a user can do. */
export class App {
  readonly store = new Store();
  readonly live: Live;
  readonly keeper: Keeper;
  readonly queue: QueueDesk;
  /** The host's clock, once a second. */
  readonly now;
  readonly draft = signal<Draft>({ text: "", at: 0 });
  readonly attachments = computed(() => this.draft.value.attachments ?? []);
  readonly hung: Hung;
  readonly said: Said;
  readonly showThreads = signal(false);
  /** Why the last thing asked for was not done. */
  readonly trouble = signal<string | undefined>(undefined);
  readonly reveal = signal<
    Exclude<Reveal, { kind: "batch" | "find" }> | undefined
  >(undefined);
  /** What the transcript is to bring into view, until it has. */
  readonly spot = signal<Spot | undefined>(undefined);
  readonly marking = signal<Marking | undefined>(undefined);
  readonly find: FindDesk;
  readonly threads: ThreadDesk;
  /** The turn at the top of the transcript, where one is drawn. */
  top: () => string | undefined = () => undefined;
  /** Threads whose message waits for what is to hang on it. */
  readonly waiting = signal<readonly string[]>([]);
  /** Counts what the user sent: the transcript goes to its end then. */
  readonly sent = signal(0);
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
  #telling = false;
  #told = "";
  readonly #unanswered = new Map<string, { thread: string; draft: Draft }>();

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
      keepWords: (text) => this.#backToComposer(this.#words(text)),
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
      mark: (marking) => (this.marking.value = marking),
      go: ({ message, at }, nth) =>
        this.bring({ key: at, message, nth, focus: false }),
      later: ends.later,
    });
    this.hung = new Hung({
      thread: () => this.thread,
      change: (thread, change) => {
        const { text, attachments = [] } = this.#draftOf(thread);
        this.#write(text, change(attachments), thread);
      },
      request: (message) => ends.host.request(message),
      trouble: (why) => (this.trouble.value = why),
    });
    this.said = new Said({
      state: () => this.store.state,
      request: (message) => ends.host.request(message),
    });
    this.#inbox = new Inbox({
      show: (session, before) => this.#show(session, before),
      ask: (instance) => this.ask(instance),
      frame: ends.frame,
      clock: ends.clock,
    });
  }

  get thread(): string {
    return this.store.state.thread?.id ?? "";
  }

  get place(): Place | undefined {
    const { scroll } = this.keeper.saved;
    return scroll?.thread === this.thread ? scroll : undefined;
  }

  take(message: ToView): void {
    if (message.type === "reveal") this.#reveal(message.what);
    else this.#inbox.take(message);
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

  /** Brings a place of the transcript into view; the window goes there first if it has to. */
  bring(spot: Spot): void {
    this.showThreads.value = false;
    this.spot.value = spot;
    const { key } = spot;
    const here = this.store.groups.value.some((group) => group.key === key);
    if (key !== null && !here) void this.page("around", key);
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

  type(text: string): void {
    this.trouble.value = undefined;
    this.#write(text, this.attachments.value);
  }

  /** A message waits for what is to hang on it; what could not be taken leaves it to the user again. */
  async submit(when: "next" | "now"): Promise<void> {
    const { thread } = this;
    if (!this.hung.taking.value.includes(thread)) {
      await this.#send(thread, when);
      return;
    }
    if (this.waiting.value.includes(thread)) return;
    this.waiting.value = [...this.waiting.value, thread];
    const taken = await this.hung.settled(thread);
    this.waiting.value = this.waiting.value.filter((one) => one !== thread);
    if (taken) await this.#send(thread, when);
  }

  /** The composer is empty at once; a text that is not accepted comes back to it. */
  async #send(thread: string, when: "next" | "now"): Promise<void> {
    const draft = this.#draftOf(thread);
    if (isBlank(draft)) return;
    const { text, attachments = [], requestId = this.#ends.newId() } = draft;
    if (thread === this.thread) {
      this.draft.value = this.#words("");
      if (!this.find.shown.value) this.marking.value = undefined;
      this.sent.value++;
    } else this.#write("", [], thread);
    this.#unanswered.set(requestId, { thread, draft });
    this.#keepDraft();
    const done = await this.asked({
      type: "submit",
      ...{ requestId, thread, text, attachments, when },
    });
    this.#unanswered.delete(requestId);
    if (!done) {
      this.trouble.value = words.composer.notSent(this.trouble.value ?? "");
      const back = { ...draft, requestId };
      if (thread === this.thread) this.#backToComposer(back);
      else this.keeper.keepDraft(thread, putBack(back, this.#draftOf(thread)));
    }
    this.#keepDraft();
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
    this.keeper.flush();
    this.#postDraft();
  }

  /** What is named may have come only just before. */
  #reveal(what: Reveal): void {
    this.#inbox.flush();
    if (what.kind === "find") {
      this.showThreads.value = false;
      this.find.open();
    } else if (what.kind === "batch") this.#revealTurn(what);
    else {
      if (what.kind === "composer" && what.insert !== undefined)
        this.type(joined(this.draft.value.text, what.insert));
      if (what.kind === "queue" && what.edit !== undefined)
        void this.queue.beginEdit(what.edit);
      this.reveal.value = what;
    }
  }

  #revealTurn(what: Extract<Reveal, { kind: "batch" }>): void {
    const { id: key, message, words: said = "" } = what;
    this.find.close();
    const wanted = message === undefined ? null : wordFinder(said);
    this.marking.value =
      wanted === null || message === undefined
        ? undefined
        : {
            wanted,
            bare: true,
            only: message,
            current: { message, nth: 0 },
          };
    this.bring({
      key,
      ...(message === undefined ? {} : { message }),
      focus: true,
    });
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
      // What was typed a moment ago belongs to the thread that is left.
      if (was !== undefined) this.keeper.keepDraft(was, this.#kept(was));
      if (this.#telling && was !== undefined) this.#postDraft(was);
      this.#opened(state.thread?.id);
    }
    this.queue.changed(last);
  }

  #opened(thread: string | undefined): void {
    this.trouble.value = undefined;
    this.spot.value = undefined;
    this.marking.value = undefined;
    this.find.close();
    if (thread === undefined) return;
    const { memory } = this.store.state;
    if (memory !== undefined) this.keeper.adopt(thread, memory);
    const { drafts, edit } = this.keeper.saved;
    this.draft.value = openingDraft(drafts[thread], this.store.state);
    this.live.say(greet(this.store.state));
    this.keeper.keepThread(thread);
    this.queue.opened(edit);
  }

  #backToComposer(words: Draft): void {
    this.draft.value = putBack(words, this.draft.value);
    this.#keepDraft();
  }

  /** A text on its way counts as a draft until the host has answered for it. */
  #keepDraft(): void {
    const { thread } = this;
    if (thread === "") return;
    this.keeper.keepDraft(thread, this.#kept(thread));
    this.#tellDraft();
  }

  /** What stands in the composer, for the thread it was written in. */
  #kept(thread: string): Draft {
    const [first] = [...this.#unanswered].filter(
      ([, one]) => one.thread === thread,
    );
    const now = this.draft.value;
    return first === undefined || !isBlank(now)
      ? now
      : { ...first[1].draft, at: now.at, requestId: first[0] };
  }

  #draftOf(thread: string): Draft {
    if (thread === this.thread) return this.draft.value;
    const kept = this.keeper.saved.drafts[thread];
    const onItsWay = this.#unanswered.has(kept?.requestId ?? "");
    return kept === undefined || onItsWay ? this.#words("") : kept;
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

  /** The host keeps the draft too: a window that is lost takes its views' own memory along. */
  #tellDraft(): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#ends.later(() => {
      this.#telling = false;
      this.#postDraft();
    }, 500);
  }

  #postDraft(thread = this.thread): void {
    const { text, at, attachments = [] } = this.draft.value;
    if (thread !== "")
      this.post({ type: "draft", thread, text, attachments, at });
  }

  #write(
    text: string,
    attachments: readonly NewAttachment[],
    thread = this.thread,
  ): void {
    const draft = { ...this.#words(text), attachments };
    if (thread === this.thread) {
      this.draft.value = draft;
      this.#keepDraft();
    } else {
      this.keeper.keepDraft(thread, draft);
      this.post({ type: "draft", thread, ...draft });
    }
  }

  #words(text: string): Draft {
    return { text, at: this.#ends.clock() };
  }
}
