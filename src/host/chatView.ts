import { randomUUID } from "node:crypto";
import { Channel } from "../protocol/channel.ts";
import { toHost, type ToHost } from "../protocol/toHost.ts";
import type { ToView } from "../protocol/toView.ts";
import { Disposables } from "../util/disposables.ts";
import { t } from "../util/l10n.ts";
import { ChatRequests } from "./chatRequests.ts";
import type { ConnectedView, Reveal, Surface } from "./chatSurfaces.ts";
import type { Services } from "./services.ts";
import { ShownThread } from "./shownThread.ts";

/** One page that shows the chat: it is told what there is, and asks for what the user wants. */
export class ChatView implements ConnectedView {
  /** Names this view where it holds something: an item it edits. */
  readonly id = randomUUID();
  readonly ready: Promise<void>;
  readonly place: Surface["place"];
  readonly shown: ShownThread;
  readonly #services: Services;
  readonly #owned = new Disposables();
  readonly #channel: Channel<ToHost, ToView>;
  readonly #requests: ChatRequests;
  /** The page has the keyboard, or no longer. */
  readonly focused: (on: boolean) => void;
  /** A hidden page is gone; a new one says when it listens. */
  #listening = false;
  /** What to bring into view once it does. */
  #wanted: Reveal | undefined;

  constructor(surface: Surface, services: Services) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.ready = promise;
    this.place = surface.place;
    this.focused = (on) => surface.focused(on);
    this.#services = services;
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
    this.shown = new ShownThread(services, {
      view: this.id,
      remember: (thread) => this.#remember(thread),
      post: (message) => this.#channel.post(message),
      shows: () => {
        resolve(undefined);
        surface.shows();
      },
    });
    this.#owned.add(surface.onMessage((data) => this.#channel.receive(data)));
    this.#owned.add(
      surface.onVisible((visible) => {
        if (visible) return;
        this.#listening = false;
        this.#leaveEdit();
        this.shown.unseen();
      }),
    );
    const badge = (): void => {
      const waiting = services.book.needsYou();
      surface.badge(waiting, t("{0} waiting for you", waiting));
    };
    badge();
    this.#owned.add({ dispose: services.book.onChange(badge) });
  }

  get thread(): string {
    return this.shown.id;
  }

  refresh(): void {
    this.shown.refresh();
  }

  reopen(): void {
    this.shown.reopen();
  }

  async ask(message: ToHost): Promise<void> {
    await this.#requests.handle(message);
  }

  reveal(what: Reveal): void {
    if (this.#listening) this.#channel.post({ type: "reveal", what });
    else this.#wanted = what;
  }

  dispose(): void {
    this.shown.dispose();
    this.#owned.dispose();
    this.#channel.dispose();
    this.#leaveEdit();
  }

  /** An item that nobody edits any more must not hold the queue; a page that comes back takes it up again. */
  #leaveEdit(): void {
    void this.#services.engine.cancelEdit(this.id);
  }

  #remember(thread: string): void {
    if (this.place !== "sideBar") return;
    const { book, drafts } = this.#services;
    const begun = book.begun(thread);
    void drafts.setShown({
      id: thread,
      ...(begun === undefined ? {} : { begun }),
    });
  }

  #listens(): void {
    this.#listening = true;
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined) this.reveal(wanted);
  }
}
