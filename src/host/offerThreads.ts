import * as vscode from "vscode";
import type { Engine } from "../core/engine.ts";
import type { Brought } from "../core/recordPort.ts";
import type { Home } from "./home.ts";
import { offerOnce, tellBrought, type Elsewhere } from "./offerRule.ts";
import type { ThreadBook } from "./threadBook.ts";
import { t } from "../util/l10n.ts";

export interface OfferParts {
  readonly engine: Pick<Engine, "threads" | "takeOver">;
  readonly book: Pick<ThreadBook, "lookAll">;
  readonly home: Pick<Home, "readOnly">;
}

/**
 * VS Code takes a workspace that was moved, saved or given another folder for a new one.
 * When its folder is known, the threads are offered rather than missed; once, when the folder is known to VS Code too.
 */
export function offerThreads(
  parts: OfferParts,
  find: () => readonly Elsewhere[],
): () => void {
  return offerOnce(parts, find, (elsewhere) => void offer(elsewhere, parts));
}

async function offer(
  elsewhere: readonly Elsewhere[],
  { engine, book, home }: OfferParts,
): Promise<void> {
  const answer = await vscode.window.showInformationMessage(
    t("Turnline knows threads of this folder from another workspace."),
    t("Bring Them Here"),
    t("Not Now"),
  );
  if (answer !== t("Bring Them Here")) return;
  if (home.readOnly !== null) {
    void vscode.window.showWarningMessage(
      t("No threads were brought. {0}", home.readOnly),
    );
    return;
  }
  const outcomes: Brought[] = [];
  for (const one of elsewhere) outcomes.push(await one.bring());
  await engine.takeOver();
  book.lookAll();
  const { text, complete } = tellBrought(outcomes);
  if (complete) void vscode.window.showInformationMessage(text);
  else void vscode.window.showWarningMessage(text);
}
