import { randomUUID } from "node:crypto";
import type { ConfigOption } from "../core/agentFeatures.ts";
import type { ThreadChange, ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { ToView } from "../protocol/toView.ts";
import type { ViewState } from "../protocol/viewState.ts";
import { assertNever } from "../util/assertNever.ts";
import { Disposables } from "../util/disposables.ts";
import { aboutThread } from "./aboutThread.ts";
import { BatchPainter, repainted } from "./batchPainter.ts";
import { isStanding } from "./notices.ts";
import { projectElicitation, projectPermission } from "./projectThread.ts";
import { liveParts, type LiveParts } from "./projector.ts";
import type { Services } from "./services.ts";
import { Transcript } from "./transcript.ts";
import { ViewFeed } from "./viewFeed.ts";
import { ViewNotices } from "./viewNotices.ts";

export interface ShownEnds {
  /** The view's own name. */
  readonly view: string;
  /** Keeps which thread is shown for the page's next life. */
  readonly remember: (thread: string) => void;
  readonly post: (message: ToView) => void;
  /** The page has been told what to show. */
  readonly shows: () => void;
}

/** The thread one view shows: its page is told what there is, and then what changes. */
export class ShownThread {
  readonly #services: Services;
  readonly #ends: ShownEnds;
  readonly #owned = new Disposables();
  readonly #feed: ViewFeed;
  readonly #notices: ViewNotices;
  readonly #painter = new BatchPainter((batches) => this.#paint(batches));
  #thread = "";
  #transcript: Transcript;
  #options: readonly ConfigOption[] | undefined;
  /** The turn that is shown as not saved. */
  #unsaved: string | null = null;
  /** A thread is being read: what changes is in the snapshot that follows. */
  #reading = false;
  #unwatch: () => void = () => undefined;

  constructor(services: Services, ends: ShownEnds) {
    this.#services = services;
    this.#ends = ends;
    this.#transcript = new Transcript(services.store, "");
    this.#notices = new ViewNotices(services);
    this.#feed = new ViewFeed(ends.post);
    this.#owned.add({
      dispose: services.book.onChange(() => {
        this.#parts({ threads: services.book.summaries() });
        this.#leaveDeleted();
      }),
    });
    this.#owned.add({
      dispose: services.engine.onChange((change) => {
        if (change.thread === this.#thread) this.#take(change);
      }),
    });
  }

  /** Its name; empty before one is shown. */
  get id(): string {
    return this.#thread;
  }

  /** Shows a thread from its start: a snapshot, then what changes. */
  async show(thread: string): Promise<void> {
    const { engine, book, store, log, drafts } = this.#services;
    this.#ends.remember(thread);
    this.#unwatch();
    this.#unwatch = book.watch(thread);
    if (thread !== this.#thread) this.#notices.forgetPassing();
    this.#thread = thread;
    this.#options = undefined;
    const transcript = new Transcript(store, thread);
    this.#transcript = transcript;
    this.#reading = true;
    try {
      if (engine.snapshot(thread) !== undefined)
        await transcript.resume(drafts.memory(thread)?.scroll?.key);
    } catch (error) {
      log.error("transcript.failed", { thread, error: String(error) });
    }
    // Another thread was asked for meanwhile.
    if (this.#transcript !== transcript) return;
    this.#reading = false;
    this.#painter.forget();
    this.#takeTail();
    this.#unsaved = this.#liveParts().unsaved;
    this.#feed.snapshot(randomUUID(), this.#state());
    this.#ends.shows();
  }

  /** Moves the window over the thread. */
  async page(
    to: "before" | "after" | "latest" | "around",
    batch?: string,
  ): Promise<void> {
    const transcript = this.#transcript;
    if (to === "latest") await transcript.latest();
    else if (to !== "around") await transcript.move(to);
    else if (batch !== undefined) await transcript.around(batch);
    if (this.#transcript !== transcript) return;
    this.#takeTail();
    this.refresh();
  }

  /** What lives beyond the store is newer than what was read from it. */
  #takeTail(): void {
    for (const message of this.#snapshot()?.tail ?? [])
      this.#transcript.apply({ kind: "message", message });
  }

  /** Tells the view whatever is different from what it shows. */
  refresh(): void {
    if (!this.#reading) this.#feed.become(this.#state());
  }

  reopen(): void {
    this.#notices.readNews();
    void this.show(this.#thread);
  }

  dismiss(notice: string): void {
    this.#notices.dismiss(notice);
    this.#showNotices();
  }

  /** The newest that is known; the agent may not repeat what it was told. */
  optionsAre(options: readonly ConfigOption[]): void {
    this.#options = options;
    this.#live();
  }

  #learn(options: readonly ConfigOption[]): void {
    const agent = this.#snapshot()?.thread.agent;
    if (agent !== undefined) this.#services.options.offers(agent, options);
  }

  /** What happens from here on is not seen; the next page shows its thread anew. */
  unseen(): void {
    this.#unwatch();
    this.#unwatch = () => undefined;
  }

  dispose(): void {
    this.#painter.dispose();
    this.#unwatch();
    this.#owned.dispose();
    this.#feed.dispose();
  }

  /** A thread that was deleted, here or elsewhere, has nothing to show any more. */
  #leaveDeleted(): void {
    const { engine, book } = this.#services;
    const thread = this.#thread;
    const there = engine.snapshot(thread) ?? book.draft(thread);
    if (thread !== "" && there === undefined) void this.show(book.newest());
  }

  #take(change: ThreadChange): void {
    const shownIn =
      change.kind === "message" || change.kind === "text"
        ? this.#transcript.apply(change)
        : null;
    if (this.#reading) return;
    switch (change.kind) {
      case "message":
        if (shownIn !== null) this.#painter.soon(shownIn);
        return;
      case "text": {
        const { id, offset, text } = change;
        this.#feed.change({ op: "text", id, offset, text });
        return;
      }
      case "textClosed": {
        const batch = this.#transcript.batchOf(change.id);
        if (batch !== null) this.#painter.soon(batch);
        return;
      }
      case "permissionOpened":
      case "permissionClosed": {
        const { permissions } = this.#snapshot() ?? { permissions: [] };
        this.#parts({ permissions: permissions.map(projectPermission) });
        return;
      }
      case "elicitationOpened":
      case "elicitationClosed": {
        const { elicitations } = this.#snapshot() ?? { elicitations: [] };
        this.#parts({ elicitations: elicitations.map(projectElicitation) });
        return;
      }
      case "notice":
        // What holds a thread stands there for as long as it does; it need not be said twice.
        if (isStanding(change.notice)) return;
        this.#notices.add(change.notice);
        this.#showNotices();
        return;
      case "rebuilt":
        void this.show(this.#thread);
        return;
      case "session":
        if (change.change.kind === "options") {
          this.#learn(change.change.options);
          this.optionsAre(change.change.options);
        }
        return;
      case "mode":
        return;
      case "unsaved":
        for (const batch of [this.#unsaved, change.unsaved?.batch ?? null])
          if (batch !== null) this.#painter.mark(batch);
        this.#unsaved = change.unsaved?.batch ?? null;
        this.#live();
        return;
      case "left":
        this.#showNotices();
        return;
      case "queue":
      case "turn":
      case "status":
      case "thread":
      case "discarded":
      case "commands":
      case "usage":
        this.#live();
        return;
      default:
        assertNever(change);
    }
  }

  /** All but the transcript, which comes first: what leaves the queue must not be gone for a frame. */
  #live(): void {
    this.#painter.now();
    const { state } = this.#feed;
    if (state === undefined || this.#reading) return;
    const { messages, batches } = state;
    this.#feed.become({ ...this.#about(), messages, batches });
  }

  #paint(batches: readonly string[]): void {
    const { state } = this.#feed;
    if (state === undefined || this.#reading) return;
    if (this.#transcript.takeTrimmed()) {
      this.refresh();
      return;
    }
    const live = this.#liveParts();
    const shown = batches.map((batch) =>
      this.#transcript.projectOne(batch, live),
    );
    this.#feed.become(repainted(state, batches, shown));
  }

  #showNotices(): void {
    this.#parts({ notices: this.#notices.of(this.#snapshot()) });
  }

  #parts(
    parts: Partial<
      Pick<ViewState, "threads" | "notices" | "permissions" | "elicitations">
    >,
  ): void {
    const { state } = this.#feed;
    if (state !== undefined && !this.#reading)
      this.#feed.become({ ...state, ...parts });
  }

  #snapshot(): ThreadSnapshot | undefined {
    return this.#services.engine.snapshot(this.#thread);
  }

  #liveParts(): LiveParts {
    return liveParts(this.#snapshot());
  }

  #state(): ViewState {
    return { ...this.#about(), ...this.#transcript.project(this.#liveParts()) };
  }

  #about(): Omit<ViewState, "messages" | "batches"> {
    const snapshot = this.#snapshot();
    return aboutThread(this.#services, {
      view: this.#ends.view,
      thread: this.#thread,
      snapshot,
      options: this.#options,
      more: this.#transcript.more(),
      notices: this.#notices.of(snapshot),
    });
  }
}
