import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** The whole page of a webview: one script, one style sheet, and a policy that lets nothing else in. */
export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  bundle: "chat" | "timeline",
): string {
  const nonce = randomBytes(16).toString("base64");
  const asset = (name: string): string =>
    webview
      .asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name))
      .toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${asset(`${bundle}.css`)}">
    <title>Turnline</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="application/json" nonce="${nonce}" id="words">${wordsOfPage()}</script>
    <script type="module" nonce="${nonce}" src="${asset(`${bundle}.js`)}"></script>
  </body>
</html>`;
}

/** Data, not a script; and no word of it can end its element. */
function wordsOfPage(): string {
  return JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll("<", "\\u003c");
}

export function webviewOptions(
  extensionUri: vscode.Uri,
): vscode.WebviewOptions {
  return {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist", "webview")],
  };
}
