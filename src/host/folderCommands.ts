import path from "node:path";
import * as vscode from "vscode";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Moves the thread in front to another folder of the workspace: a new session there, with the history told. */
export function folderCommands(
  surfaces: ChatSurfaces,
  { engine, book }: Services,
  roots: () => readonly string[],
): Readonly<Record<string, () => unknown>> {
  return {
    chooseFolder: async () => {
      const thread = surfaces.thread() ?? "";
      const about = engine.snapshot(thread)?.thread ?? book.draft(thread);
      if (about === undefined) {
        void vscode.window.showInformationMessage(t("There is no thread yet."));
        return;
      }
      const picked = await vscode.window.showQuickPick(
        roots().map((root) => ({
          label: path.basename(root),
          description: root === about.folder ? t("{0} (now)", root) : root,
          root,
        })),
        { title: t("Which folder does the agent of this thread work in?") },
      );
      if (picked === undefined || picked.root === about.folder) return;
      if (engine.snapshot(thread) === undefined)
        book.chooseFolder(thread, picked.root);
      else await engine.setFolder(thread, picked.root);
      surfaces.refresh();
    },
  };
}
