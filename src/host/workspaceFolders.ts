import { mkdirSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { Surroundings } from "../core/dispatch/lives.ts";
import type { Thread } from "../core/thread.ts";

export interface WorkspaceFolders {
  /** Where this workspace's history is kept. */
  readonly storage: string;
  roots(): readonly string[];
  /** The folder it had while that is one of the workspace's, else that of the active editor, else the first, else an empty one of ours. */
  forNewThread(kept?: string): string;
  /** Calls back when the workspace's folders are others. */
  onChange(run: () => void): vscode.Disposable;
  /** Settles when VS Code has read the folders of a workspace file, which it may do after it has started us. */
  loaded(): Promise<void>;
  surroundings(thread: Thread): Surroundings;
}

export function workspaceFolders(
  context: vscode.ExtensionContext,
): WorkspaceFolders {
  const empty = path.join(context.globalStorageUri.fsPath, "no-folder");
  const roots = (): readonly string[] =>
    (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const storage = (context.storageUri ?? context.globalStorageUri).fsPath;
  return {
    storage,
    roots,
    onChange: (run) => vscode.workspace.onDidChangeWorkspaceFolders(run),
    loaded: async () => {
      if (roots().length === 0 && vscode.workspace.workspaceFile !== undefined)
        await foldersChange();
    },
    forNewThread: (kept) => {
      if (kept !== undefined && roots().includes(kept)) return kept;
      const editor = vscode.window.activeTextEditor?.document.uri;
      const active =
        editor === undefined
          ? undefined
          : vscode.workspace.getWorkspaceFolder(editor)?.uri.fsPath;
      const chosen = active ?? roots()[0];
      if (chosen === undefined) mkdirSync(empty, { recursive: true });
      return chosen ?? empty;
    },
    surroundings: ({ folder }) => ({
      fragments: [],
      additionalFolders: roots().filter((root) => root !== folder),
    }),
  };
}

export function isNoFolderOpen(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length === 0;
}

/** A workspace file without folders never tells of any. */
const foldersLimitMs = 3_000;

function foldersChange(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(limit);
      heard.dispose();
      resolve();
    };
    const limit = setTimeout(done, foldersLimitMs);
    const heard = vscode.workspace.onDidChangeWorkspaceFolders(done);
  });
}
