import * as vscode from "vscode";
import { group } from "../core/batch.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import type { Disposable } from "../util/disposables.ts";
import { inspectorText } from "./inspectorText.ts";
import { promptOf } from "./previewSent.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

const scheme = "turnline-turn";

type Ends = Pick<Services, "engine" | "store" | "catalog">;

/** Which batch a read-only tab shows. */
export interface Place {
  readonly thread: string;
  readonly batch: string;
}

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
  const stop = ends.engine.onChange((change) => {
    if (change.kind !== "turn") return;
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === scheme && placeOf(uri)?.thread === change.thread)
        changed.fire(uri);
  });
  const provider = vscode.workspace.registerTextDocumentContentProvider(
    scheme,
    {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => {
        const place = placeOf(uri);
        return (
          (place === undefined ? undefined : await textOf(ends, place)) ??
          `${t("This turn is not there any more.")}\n`
        );
      },
    },
  );
  return vscode.Disposable.from(provider, changed, { dispose: stop });
}

/** The text of a batch; undefined when it is gone. */
export async function textOf(
  { engine, store, catalog }: Ends,
  { thread, batch }: Place,
): Promise<string | undefined> {
  const [found] = group(await store.batch(thread, batch));
  const about = engine.snapshot(thread)?.thread ?? (await store.thread(thread));
  if (found === undefined || about === undefined) return undefined;
  const prompts: Rebuilt[] = [];
  for (const { body } of found.rows)
    if (body.kind === "turnStart")
      prompts.push(await promptOf(store, body.recipe, thread, found.rows));
  return inspectorText({
    thread: about,
    batch: found,
    prompts,
    agent: (id) => catalog.label(id),
    timeText: (ms) => new Date(ms).toLocaleString(),
  });
}

/** The same as data: the records of the batch, and each prompt that could be rebuilt. */
export async function jsonOf(
  { store }: Pick<Ends, "store">,
  { thread, batch }: Place,
): Promise<string | undefined> {
  const [found] = group(await store.batch(thread, batch));
  if (found === undefined) return undefined;
  const { rows, ...about } = found;
  const prompts: unknown[] = [];
  for (const { body } of rows)
    if (body.kind === "turnStart") {
      const prompt = await promptOf(store, body.recipe, thread, rows);
      prompts.push(prompt.ok ? { blocks: prompt.blocks } : prompt);
    }
  return `${JSON.stringify({ ...about, prompts, records: rows }, null, 2)}\n`;
}

function placeOf(uri: vscode.Uri): Place | undefined {
  const query = new URLSearchParams(uri.query);
  const thread = query.get("thread");
  const batch = query.get("batch");
  return thread === null || batch === null ? undefined : { thread, batch };
}
