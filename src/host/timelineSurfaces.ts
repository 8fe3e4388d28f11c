import * as vscode from "vscode";
import { Disposables } from "../util/disposables.ts";
import type { TimelinePage } from "./timelineView.ts";
import { webviewHtml, webviewOptions } from "./webviewHtml.ts";
import { t } from "../util/l10n.ts";

export const timelineViewId = "turnline.timeline";
const panelType = "turnline.timelinePanel";

interface Connection extends vscode.Disposable {
  refresh(): void;
}
type Connect = (page: TimelinePage) => Connection;

/** Makes the timeline's webviews: the view in the panel area and editor tabs. */
export class TimelineSurfaces
  implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer
{
  readonly #extensionUri: vscode.Uri;
  readonly #connect: Connect;
  readonly #owned = new Disposables();
  readonly #open = new Set<Connection>();

  constructor(extensionUri: vscode.Uri, connect: Connect) {
    this.#extensionUri = extensionUri;
    this.#connect = connect;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(timelineViewId, this),
      vscode.window.registerWebviewPanelSerializer(panelType, this),
      this.#owned,
    );
  }

  /** Whatever is shown is told anew. */
  refresh(): void {
    for (const connection of this.#open) connection.refresh();
  }

  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${timelineViewId}.focus`);
  }

  showInEditor(): void {
    this.#takePanel(
      vscode.window.createWebviewPanel(
        panelType,
        t("Batch Timeline"),
        vscode.ViewColumn.Active,
        webviewOptions(this.#extensionUri),
      ),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const connection = this.#attach(view.webview);
    view.onDidDispose(() => this.#close(connection));
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
    const connection = this.#attach(panel.webview);
    panel.onDidDispose(() => this.#close(connection));
  }

  #close(connection: Connection): void {
    this.#open.delete(connection);
    connection.dispose();
  }

  #attach(webview: vscode.Webview): Connection {
    webview.options = webviewOptions(this.#extensionUri);
    const connection = this.#connect({
      // A page that went away meanwhile asks anew: what could not be sent is not missed.
      send: (data) =>
        void webview.postMessage(data).then(undefined, () => undefined),
      onMessage: (receive) =>
        webview.onDidReceiveMessage((data: unknown) => {
          receive(data);
        }),
    });
    this.#owned.add(connection);
    this.#open.add(connection);
    webview.html = webviewHtml(webview, this.#extensionUri, "timeline");
    return connection;
  }
}
