import path from "node:path";
import * as vscode from "vscode";
import type { Thread } from "../../core/thread.ts";
import type { Disposable } from "../../util/disposables.ts";
import type { EditorFacts } from "./editorText.ts";

/**
 * Knows the file the user worked in last: while the chat has the focus, no editor is active.
 * Files outside the workspace are nobody's business.
 */
export class EditorWatch implements Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #owned: vscode.Disposable;
  #last: vscode.TextEditor | undefined;
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#take(vscode.window.activeTextEditor);
    this.#owned = vscode.Disposable.from(
      this.#changed,
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#take(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) =>
        this.#take(textEditor),
      ),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length > 0) this.#forgetClosed();
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const own = this.#last?.document.uri.toString();
        if (uris.some((uri) => uri.toString() === own)) this.#changed.fire();
      }),
    );
  }

  read({ folder }: Pick<Thread, "folder">): EditorFacts {
    if (this.#last === undefined) return { problems: [] };
    const { selection, document } = this.#last;
    const { fsPath } = document.uri;
    const relative = path.relative(folder, fsPath);
    const inside = !relative.startsWith("..") && !path.isAbsolute(relative);
    return {
      file: inside ? relative.split(path.sep).join("/") : fsPath,
      ...(selection.isEmpty
        ? {}
        : {
            selection: {
              from: selection.start.line + 1,
              to: selection.end.line + 1,
              text: document.getText(selection),
            },
          }),
      problems: problemsOf(document.uri),
    };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #take(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    if (uri?.scheme !== "file") return;
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
    this.#last = editor;
    this.#changed.fire();
  }

  /** A file whose last tab was closed is not in front of the user any more. */
  #forgetClosed(): void {
    const own = this.#last?.document.uri.toString();
    const open = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .some(
        ({ input }) =>
          (input instanceof vscode.TabInputText &&
            input.uri.toString() === own) ||
          (input instanceof vscode.TabInputTextDiff &&
            input.modified.toString() === own),
      );
    if (own === undefined || open) return;
    this.#last = undefined;
    this.#changed.fire();
  }
}

function problemsOf(uri: vscode.Uri): EditorFacts["problems"] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
    .sort(
      (a, b) =>
        a.severity - b.severity || a.range.start.line - b.range.start.line,
    )
    .map(({ severity, range, message }) => ({
      line: range.start.line + 1,
      level: severity === vscode.DiagnosticSeverity.Error ? "error" : "warning",
      text: message,
    }));
}
