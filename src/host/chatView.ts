import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ConfigOption } from "../core/agentFeatures.ts";
import type { ThreadChange, ThreadSnapshot } from "../core/dispatch/changes.ts";
import { Channel } from "../protocol/channel.ts";
import { toHost, type ToHost } from "../protocol/toHost.ts";
import type { ToView } from "../protocol/toView.ts";
import type { Notice, ViewState } from "../protocol/viewState.ts";
import { Disposables } from "../util/disposables.ts";
import { assertNever } from "../util/assertNever.ts";
import { ChatRequests } from "./chatRequests.ts";
import type { ConnectedView, Reveal, Surface } from "./chatSurfaces.ts";
import {
  homeNotices,
  isStanding,
  noFolderNotice,
  passingNotice,
  standingNotices,
} from "./notices.ts";
import {
  projectElicitation,
  projectPermission,
  projectQueue,
  projectStatus,
} from "./projectThread.ts";
import type { Services } from "./services.ts";
import { liveParts, type LiveParts } from "./projector.ts";
import { Transcript } from "./transcript.ts";
import { ViewFeed } from "./viewFeed.ts";
import { t } from "../util/l10n.ts";

const frameMs = 16;

/** One page that shows the chat: it is told what there is, and asks for what the user wants. */
export class ChatView implements ConnectedView {
  /** Names this view where it holds something: an item it edits. */
  readonly id = randomUUID();
  readonly ready: Promise<void>;
  readonly place: Surface["place"];
  readonly #services: Services;
  readonly #owned = new Disposables();
  readonly #channel: Channel<ToHost, ToView>;
  readonly #feed: ViewFeed;
  readonly #requests: ChatRequests;
  readonly #shown: () => void;
  /** The page has the keyboard, or no longer. */
  readonly focused: (on: boolean) => void;
  #thread = "";
  #transcript: Transcript;
  #passing: readonly Notice[] = [];
  #options: readonly ConfigOption[] | undefined;
  /** About the record as a whole, until the user sends it away. */
  #news: readonly Notice[];
  /** Notices that stand for something that lasts, and that the user has sent away. */
  readonly #answered = new Set<string>();
  /** The user has seen that no folder is open. */
  #folderKnown = false;
  /** The turn that is shown as not saved. */
  #unsaved: string | null = null;
  /** A thread is being read: what changes is in the snapshot that follows. */
  #reading = false;
  /** Batches that are shown otherwise from the next frame on. */
  readonly #dirty = new Set<string>();
  #frame: NodeJS.Timeout | undefined;
  #unwatch: () => void = () => undefined;
  /** A hidden page is gone; a new one says when it listens. */
  #listening = false;
  /** What to bring into view once it does. */
  #wanted: Reveal | undefined;

  constructor(surface: Surface, services: Services) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.ready = promise;
    this.place = surface.place;
    this.#shown = () => {
      resolve(undefined);
      surface.shows();
    };
    this.focused = (on) => surface.focused(on);
    this.#services = services;
    this.#transcript = new Transcript(services.store, "");
    this.#news = homeNotices(services.home.news);
    this.#requests = new ChatRequests(services, this);
    this.#channel = new Channel<ToHost, ToView>({
      inbound: toHost,
      send: (data) => surface.send(data),
      handle: async (message) => {
        const reply = await this.#requests.handle(message);
        if (message.type === "ready") this.#listens();
        return reply;
      },
      report: (problem) =>
        services.log.warn("webview.message", { ...problem, view: this.id }),
    });
    this.#feed = new ViewFeed((message) => this.#channel.post(message));
    this.#owned.add(surface.onMessage((data) => this.#channel.receive(data)));
    this.#owned.add(
      surface.onVisible((visible) => {
        if (visible) return;
        this.#listening = false;
        this.#leaveEdit();
        // What happens from here on is not seen; the next page shows its thread anew.
        this.#unwatch();
        this.#unwatch = () => undefined;
      }),
    );
    const badge = (): void => {
      const waiting = services.book.needsYou();
      surface.badge(waiting, t("{0} waiting for you", waiting));
    };
    badge();
    this.#owned.add({
      dispose: services.book.onChange(() => {
        this.#parts({ threads: services.book.summaries() });
        this.#leaveDeleted();
        badge();
      }),
    });
    this.#owned.add({
      dispose: services.engine.onChange((change) => {
        if (change.thread === this.#thread) this.#take(change);
      }),
    });
  }

  get thread(): string {
    return this.#thread;
  }

  /** Shows a thread from its start: a snapshot, then what changes. */
  async show(thread: string): Promise<void> {
    const { engine, book, store, log, drafts } = this.#services;
    if (this.place === "sideBar") {
      const begun = book.begun(thread);
      void drafts.setShown({
        id: thread,
        ...(begun === undefined ? {} : { begun }),
      });
    }
    this.#unwatch();
    this.#unwatch = book.watch(thread);
    if (thread !== this.#thread) this.#passing = [];
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
    this.#dirty.clear();
    this.#takeTail();
    this.#unsaved = this.#liveParts().unsaved;
    this.#feed.snapshot(randomUUID(), this.#state());
    this.#shown();
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
    this.#news = homeNotices(this.#services.home.news);
    void this.show(this.#thread);
  }

  dismiss(notice: string): void {
    this.#folderKnown ||= notice === noFolderNotice.id;
    this.#answered.add(notice);
    this.#news = this.#news.filter(({ id }) => id !== notice);
    this.#passing = this.#passing.filter(({ id }) => id !== notice);
    this.#parts({ notices: this.#notices() });
  }

  /** The newest that is known; the agent may not repeat what it was told. */
  optionsAre(options: readonly ConfigOption[]): void {
    this.#options = options;
    this.#live();
  }

  /** What the agent offers, or offered when it last ran. */
  #optionsOf(
    agent: string,
    snapshot: ThreadSnapshot | undefined,
  ): readonly ConfigOption[] {
    const told = this.#options ?? snapshot?.options ?? [];
    return told.length > 0 ? told : this.#services.options.offered(agent);
  }

  #learn(options: readonly ConfigOption[]): void {
    const agent = this.#snapshot()?.thread.agent;
    if (agent !== undefined) this.#services.options.offers(agent, options);
  }

  async ask(message: ToHost): Promise<void> {
    await this.#requests.handle(message);
  }

  reveal(what: Reveal): void {
    if (this.#listening) this.#channel.post({ type: "reveal", what });
    else this.#wanted = what;
  }

  dispose(): void {
    clearTimeout(this.#frame);
    this.#unwatch();
    this.#owned.dispose();
    this.#feed.dispose();
    this.#channel.dispose();
    this.#leaveEdit();
  }

  /** An item that nobody edits any more must not hold the queue; a page that comes back takes it up again. */
  #leaveEdit(): void {
    void this.#services.engine.cancelEdit(this.id);
  }

  #listens(): void {
    this.#listening = true;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.reveal(wanted);
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
        if (shownIn !== null) this.#soon(shownIn);
        return;
      case "text": {
        const { id, offset, text } = change;
        this.#feed.change({ op: "text", id, offset, text });
        return;
      }
      case "textClosed": {
        const batch = this.#transcript.batchOf(change.id);
        if (batch !== null) this.#soon(batch);
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
        this.#passing = [
          ...this.#passing,
          passingNotice(randomUUID(), change.notice),
        ].slice(-3);
        this.#parts({ notices: this.#notices() });
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
          if (batch !== null) this.#dirty.add(batch);
        this.#unsaved = change.unsaved?.batch ?? null;
        this.#live();
        return;
      case "left":
        this.#parts({ notices: this.#notices() });
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
    this.#showBatches();
    const { state } = this.#feed;
    if (state === undefined || this.#reading) return;
    const { messages, batches } = state;
    this.#feed.become({ ...this.#about(), messages, batches });
  }

  /** Many changes of a batch within a frame are shown as one. */
  #soon(batch: string): void {
    this.#dirty.add(batch);
    this.#frame ??= setTimeout(() => this.#showBatches(), frameMs);
  }

  #showBatches(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    const { state } = this.#feed;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    if (state === undefined || dirty.length === 0 || this.#reading) return;
    if (this.#transcript.takeTrimmed()) {
      this.refresh();
      return;
    }
    const live = this.#liveParts();
    const shown = dirty.map((batch) =>
      this.#transcript.projectOne(batch, live),
    );
    const isDirty = (batch: string | null): boolean =>
      batch !== null && dirty.includes(batch);
    this.#feed.become({
      ...state,
      messages: [
        ...state.messages.filter(({ batch }) => !isDirty(batch)),
        ...shown.flatMap(({ messages }) => messages),
      ],
      batches: [
        ...state.batches.filter(({ id }) => !isDirty(id)),
        ...shown.flatMap(({ batches }) => batches),
      ],
    });
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

  #notices(): readonly Notice[] {
    const snapshot = this.#snapshot();
    const standing =
      snapshot === undefined
        ? []
        : standingNotices(
            snapshot,
            vscode.workspace.isTrusted,
            this.#services.catalog.label(snapshot.thread.agent),
          ).filter(({ id }) => !this.#answered.has(id));
    const about = noFolder() && !this.#folderKnown ? [noFolderNotice] : [];
    return [...this.#news, ...about, ...standing, ...this.#passing];
  }

  #state(): ViewState {
    return { ...this.#about(), ...this.#transcript.project(this.#liveParts()) };
  }

  #about(): Omit<ViewState, "messages" | "batches"> {
    const { book, catalog, drafts, settings, home } = this.#services;
    const snapshot = this.#snapshot();
    const about = snapshot?.thread ?? book.draft(this.#thread);
    const { dispatch, enter, userName } = settings();
    const memory = drafts.memory(this.#thread);
    return {
      thread:
        about === undefined
          ? null
          : {
              id: about.id,
              title: snapshot?.thread.title ?? "",
              agent: { id: about.agent, label: catalog.label(about.agent) },
              folder: about.folder,
              folderLabel: noFolder()
                ? t("none is open")
                : vscode.workspace.asRelativePath(about.folder, true),
              held: snapshot?.thread.held ?? null,
            },
      threads: book.summaries(),
      more: this.#transcript.more(),
      ...projectQueue(snapshot?.queue, dispatch, this.id),
      status: projectStatus(snapshot?.status),
      permissions: (snapshot?.permissions ?? []).map(projectPermission),
      elicitations: (snapshot?.elicitations ?? []).map(projectElicitation),
      commands: snapshot?.commands ?? [],
      usage: snapshot?.usage ?? null,
      notices: this.#notices(),
      readOnly: home.readOnly,
      settings: { enter, userName },
      agents: catalog.choices(),
      draft: drafts.get(this.#thread),
      ...(memory === undefined ? {} : { memory }),
      options: [...this.#optionsOf(about?.agent ?? "", snapshot)],
    };
  }
}

function noFolder(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length === 0;
}
