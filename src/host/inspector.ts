import * as vscode from "vscode";
import type { Disposable } from "../util/disposables.ts";
import { batchText, concerns, type Place } from "./inspectBatch.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

const scheme = "turnline-turn";
/** While a turn runs, a tab need not keep up with every step. */
const settleMs = 150;

type Ends = Pick<Services, "engine" | "store" | "catalog">;

/** Opens one batch whole in a tab of its own. */
export async function inspect(
  { engine }: Ends,
  thread: string,
  batch: string,
): Promise<void> {
  const title = engine.snapshot(thread)?.thread.title ?? "";
  const name = title.replace(/[^\p{L}\p{N}]+/gu, " ").trim() || t("Turn");
  const uri = vscode.Uri.from({
    scheme,
    path: `/${t("{0} (turn)", name.slice(0, 40))}.md`,
    query: new URLSearchParams({ thread, batch }).toString(),
  });
  await vscode.window.showTextDocument(uri, { preview: true });
}

/** The batch of the tab in front; undefined when none is. */
export function inspected(): Place | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === scheme ? placeOf(uri) : undefined;
}

/** Gives such tabs their text, also after a reload. */
export function provideInspector(ends: Ends): Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const due = new Map<string, NodeJS.Timeout>();
  const tell = (uri: vscode.Uri): void => {
    const key = uri.toString();
    if (due.has(key)) return;
    const timer = setTimeout(() => {
      due.delete(key);
      changed.fire(uri);
    }, settleMs);
    due.set(key, timer);
  };
  const stop = ends.engine.onChange((change) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      const place = uri.scheme === scheme ? placeOf(uri) : undefined;
      if (place !== undefined && concerns(change, place)) tell(uri);
    }
  });
  const dispose = (): void => {
    stop();
    for (const timer of due.values()) clearTimeout(timer);
  };
  const provider = vscode.workspace.registerTextDocumentContentProvider(
    scheme,
    {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => {
        const place = placeOf(uri);
        const text =
          place === undefined
            ? undefined
            : await batchText({ ...ends, now: Date.now }, place);
        return text ?? `${t("This turn is not there any more.")}\n`;
      },
    },
  );
  return vscode.Disposable.from(provider, changed, { dispose });
}

function placeOf(uri: vscode.Uri): Place | undefined {
  const query = new URLSearchParams(uri.query);
  const thread = query.get("thread");
  const batch = query.get("batch");
  return thread === null || batch === null ? undefined : { thread, batch };
}
