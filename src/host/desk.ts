import path from "node:path";
import * as vscode from "vscode";
import type { Disposable } from "../util/disposables.ts";
import { t } from "../util/l10n.ts";

const scheme = "turnline";
const openable: ReadonlySet<string> = new Set(["http", "https", "mailto"]);

/** What the chat may do in the editor, each asked for as data. */
export class Desk implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider: vscode.Disposable;
  #last = 0;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(
      scheme,
      {
        provideTextDocumentContent: (uri) =>
          this.#texts.get(uri.toString()) ?? "",
      },
    );
  }

  /** VS Code asks the user before it leaves for a site it does not know. */
  async openLink(url: string): Promise<boolean> {
    const uri = vscode.Uri.parse(url);
    return openable.has(uri.scheme) && (await vscode.env.openExternal(uri));
  }

  /** What the text editor can't show is left to VS Code: pictures, folders. */
  async openFile(folder: string, file: string, line?: number): Promise<void> {
    const uri = vscode.Uri.file(path.resolve(folder, file));
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    if (line === undefined) {
      await vscode.commands.executeCommand("vscode.open", uri);
      return;
    }
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    await vscode.window.showTextDocument(uri, {
      selection: new vscode.Range(at, at),
      preserveFocus: false,
    });
  }

  async openDiff(file: string, before: string, after: string): Promise<void> {
    await vscode.commands.executeCommand(
      "vscode.diff",
      this.#text(file, "before", before),
      this.#text(file, "after", after),
      t("{0} (change)", path.basename(file)),
    );
  }

  /** Text of the record, to look at. */
  async openText(name: string, text: string): Promise<void> {
    const uri = this.#text(name, "text", text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async openCode(language: string, content: string): Promise<void> {
    const known = await vscode.languages.getLanguages();
    const document = await vscode.workspace.openTextDocument({
      content,
      ...(known.includes(language) ? { language } : {}),
    });
    await vscode.window.showTextDocument(document);
  }

  async copy(text: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
  }

  /** False when no editor is open to take it. */
  async insert(text: string): Promise<boolean> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return false;
    return editor.edit((edit) => {
      for (const selection of editor.selections) edit.replace(selection, text);
    });
  }

  dispose(): void {
    this.#provider.dispose();
    this.#texts.clear();
  }

  /** The newest few are enough: a closed tab asks no more. */
  #text(file: string, side: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme,
      path: `/${path.basename(file)}`,
      query: `${side}-${++this.#last}`,
    });
    this.#texts.set(uri.toString(), text);
    for (const old of [...this.#texts.keys()].slice(0, -40))
      this.#texts.delete(old);
    return uri;
  }
}
