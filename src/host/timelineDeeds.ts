import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { t } from "../util/l10n.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { inspect } from "./inspector.ts";
import type { Services } from "./services.ts";
import type { TimelineDeeds } from "./timelineView.ts";

/** What pages of the timeline ask of VS Code. */
export function timelineDeeds(
  services: Services,
  surfaces: ChatSurfaces,
): TimelineDeeds {
  return {
    open: (thread, batch) =>
      surfaces.reveal(
        thread,
        batch === undefined
          ? { kind: "composer" }
          : { kind: "batch", id: batch },
      ),
    inspect: (thread, batch) => inspect(services, thread, batch),
    save,
  };
}

async function save(format: "csv" | "json", text: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const parent = folder?.uri.fsPath ?? os.homedir();
  const uri = await vscode.window.showSaveDialog({
    title: t("Export the timeline"),
    defaultUri: vscode.Uri.file(path.join(parent, `turnline.${format}`)),
    filters: { [format.toUpperCase()]: [format] },
  });
  if (uri === undefined) return;
  await writeFile(uri.fsPath, text);
  void vscode.window.showInformationMessage(t("Exported to {0}.", uri.fsPath));
}
