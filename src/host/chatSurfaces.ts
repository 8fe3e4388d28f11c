import * as vscode from "vscode";
import type { ToHost } from "../protocol/toHost.ts";
import type { ToView } from "../protocol/toView.ts";
import { Disposables } from "../util/disposables.ts";
import { webviewHtml, webviewOptions } from "./webviewHtml.ts";

/** A page that shows the chat: the side bar's view or an editor tab. */
export interface Surface {
  send(data: unknown): void;
  onMessage(receive: (data: unknown) => void): vscode.Disposable;
  onVisible(run: (visible: boolean) => void): vscode.Disposable;
  visible(): boolean;
  /** There is one side bar, and any number of tabs. */
  readonly place: "sideBar" | "tab";
  /** Shown beside the view's name: how many threads need the user. */
  badge(count: number, tooltip: string): void;
  /** Another thread is shown from now on. */
  shows(): void;
  /** The page has the keyboard from now on, or no longer. */
  focused(on: boolean): void;
}

export interface ConnectedView extends vscode.Disposable {
  /** The thread it shows. */
  readonly thread: string;
  /** Settles when the page has been told what to show. */
  readonly ready: Promise<void>;
  /** Brings a part of the page into view and gives it focus. */
  reveal(what: Reveal): void;
  /** Does what the page itself could ask for. */
  ask(message: ToHost): Promise<unknown>;
  /** Tells the page what is different from what it shows. */
  refresh(): void;
  /** Shows its thread anew: everything may be different. */
  reopen(): void;
}

export type Reveal = Extract<ToView, { type: "reveal" }>["what"];

export type Connect = (surface: Surface) => ConnectedView;

export const chatViewId = "turnline.chat";
const panelType = "turnline.chatPanel";

/** Makes the chat's webviews; each gets a connection of its own, which lives as long as its page. */
export class ChatSurfaces
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer
{
  readonly #extensionUri: vscode.Uri;
  readonly #connect: Connect;
  readonly #owned = new Disposables();
  /** Each with whether it is the editor in front; the one used last is the last. */
  readonly #views = new Map<ConnectedView, () => boolean>();
  /** The one the keyboard is in. */
  #focused: ConnectedView | undefined;
  readonly #front = new vscode.EventEmitter<void>();
  /** Another thread is in front, or none; or the keyboard has come or gone. */
  readonly onFront = this.#front.event;

  constructor(extensionUri: vscode.Uri, connect: Connect) {
    this.#extensionUri = extensionUri;
    this.#connect = connect;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(chatViewId, this),
      vscode.window.registerWebviewPanelSerializer(panelType, this),
      this.#owned,
      this.#front,
    );
  }

  /** Brings the chat to the front and puts the cursor into its composer. */
  async show(): Promise<void> {
    (await this.#bringUp()).reveal({ kind: "composer" });
  }

  /** The thread in front; undefined while no chat is open. */
  thread(): string | undefined {
    return this.#current()?.thread;
  }

  /** Whether the keyboard is in a chat. */
  focused(): boolean {
    return this.#focused !== undefined;
  }

  /** Brings the chat to the front and, once it shows a thread, asks it for something about that thread. */
  async ask(make: (thread: string) => ToHost): Promise<void> {
    await this.show();
    const view = await this.#open();
    await view.ready;
    await view.ask(make(view.thread));
  }

  /** Brings the chat to the front with a thread, and something of it in view. */
  async reveal(thread: string, what: Reveal): Promise<void> {
    const view = await this.#bringUp();
    await view.ready;
    if (view.thread !== thread) await view.ask({ type: "openThread", thread });
    view.reveal(what);
  }

  /** Opens the find box of the chat the user is in. */
  find(): Promise<void> {
    return this.revealHere({ kind: "find" });
  }

  /** Shows something of the chat the user is in: where the keyboard is, else a tab that is active, else the side bar. */
  async revealHere(what: Reveal): Promise<void> {
    const tab = [...this.#views.keys()].find((view) =>
      this.#views.get(view)?.(),
    );
    const view = this.#focused ?? tab ?? (await this.#bringUp());
    await view.ready;
    view.reveal(what);
  }

  refresh(): void {
    for (const view of this.#views.keys()) view.refresh();
  }

  reopen(): void {
    for (const view of this.#views.keys()) view.reopen();
  }

  showInEditor(): void {
    const panel = vscode.window.createWebviewPanel(
      panelType,
      "Turnline",
      vscode.ViewColumn.Active,
      webviewOptions(this.#extensionUri),
    );
    this.#takePanel(panel);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const connection = this.#attach(view.webview, {
      place: "sideBar",
      visible: () => view.visible,
      onVisible: (run) => view.onDidChangeVisibility(() => run(view.visible)),
      badge: (count, tooltip) => {
        view.badge = count === 0 ? undefined : { value: count, tooltip };
      },
    });
    view.onDidDispose(() => {
      this.#close(connection);
    });
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#takePanel(panel);
    return Promise.resolve();
  }

  #takePanel(panel: vscode.WebviewPanel): void {
    panel.iconPath = vscode.Uri.joinPath(
      this.#extensionUri,
      "media",
      "turnline.svg",
    );
    const connection = this.#attach(
      panel.webview,
      {
        place: "tab",
        visible: () => panel.visible,
        onVisible: (run) =>
          panel.onDidChangeViewState(() => run(panel.visible)),
        badge: () => undefined,
      },
      () => panel.active,
    );
    panel.onDidDispose(() => {
      this.#close(connection);
    });
  }

  #current(): ConnectedView | undefined {
    return [...this.#views.keys()].at(-1);
  }

  async #bringUp(): Promise<ConnectedView> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    return this.#open();
  }

  /** VS Code makes the page in its own time. */
  async #open(): Promise<ConnectedView> {
    for (;;) {
      const view = this.#current();
      if (view !== undefined) return view;
      await new Promise<void>((resolve) => {
        const stop = this.onFront(() => {
          stop.dispose();
          resolve();
        });
      });
    }
  }

  #toFront(view: ConnectedView, active: () => boolean): void {
    this.#views.delete(view);
    this.#views.set(view, active);
    this.#front.fire();
  }

  #setFocused(view: ConnectedView, on: boolean): void {
    // Of two pages the one that is left may speak last.
    if (!on && this.#focused !== view) return;
    this.#focused = on ? view : undefined;
    this.#front.fire();
  }

  #close(view: ConnectedView): void {
    this.#views.delete(view);
    this.#setFocused(view, false);
    view.dispose();
    this.#front.fire();
  }

  #attach(
    webview: vscode.Webview,
    rest: Pick<Surface, "place" | "visible" | "onVisible" | "badge">,
    active: () => boolean = () => false,
  ): ConnectedView {
    webview.options = webviewOptions(this.#extensionUri);
    const connection: ConnectedView = this.#connect({
      ...rest,
      focused: (on) => this.#setFocused(connection, on),
      shows: () => this.#front.fire(),
      // A page that went away meanwhile is rebuilt from a snapshot: what could not be sent is not missed.
      send: (data) =>
        void webview.postMessage(data).then(undefined, () => undefined),
      onMessage: (receive) =>
        webview.onDidReceiveMessage((data: unknown) => {
          receive(data);
        }),
    });
    this.#owned.add(connection);
    this.#toFront(connection, active);
    this.#owned.add(
      rest.onVisible((visible) => {
        if (visible) this.#toFront(connection, active);
        else this.#setFocused(connection, false);
      }),
    );
    webview.html = webviewHtml(webview, this.#extensionUri, "chat");
    return connection;
  }
}
