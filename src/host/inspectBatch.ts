import { group, type Batch } from "../core/batch.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import type { ThreadChange } from "../core/dispatch/changes.ts";
import type { Engine } from "../core/engine.ts";
import type { Message } from "../core/message.ts";
import type { Store } from "../core/ports.ts";
import { inspectorText } from "./inspectorText.ts";
import { promptOf } from "./previewSent.ts";

/** Which batch is looked at. */
export interface Place {
  readonly thread: string;
  readonly batch: string;
}

export interface InspectPorts {
  readonly engine: Pick<Engine, "snapshot">;
  readonly store: Pick<Store, "batch" | "page" | "blobs" | "thread">;
  readonly catalog: { readonly label: (id: string) => string };
  readonly now: () => number;
}

/** A batch whole, for people to read; undefined when it is gone. */
export async function batchText(
  ports: InspectPorts,
  place: Place,
): Promise<string | undefined> {
  const { engine, store, catalog, now } = ports;
  const { thread } = place;
  const batch = await batchAt(ports, place);
  const about = engine.snapshot(thread)?.thread ?? (await store.thread(thread));
  if (batch === undefined || about === undefined) return undefined;
  return inspectorText({
    thread: about,
    batch,
    prompts: await promptsOf(ports, place, batch.rows),
    agent: (id) => catalog.label(id),
    timeText: (ms) => new Date(ms).toLocaleString(),
    now: now(),
  });
}

/** The same as data: the records of the batch, and each prompt that could be rebuilt. */
export async function batchJson(
  ports: InspectPorts,
  place: Place,
): Promise<string | undefined> {
  const batch = await batchAt(ports, place);
  if (batch === undefined) return undefined;
  const { rows, ...about } = batch;
  const prompts = (await promptsOf(ports, place, rows)).map((prompt) => {
    if (!prompt.ok) return prompt;
    const { blocks, systemPrompt } = prompt;
    return systemPrompt === undefined ? { blocks } : { systemPrompt, blocks };
  });
  return `${JSON.stringify({ ...about, prompts, records: rows }, null, 2)}\n`;
}

/** Whether a change is to be seen in what is told of the batch. Text that streams is not followed letter by letter. */
export function concerns(change: ThreadChange, place: Place): boolean {
  const { kind, thread } = change;
  if (thread !== place.thread) return false;
  return kind === "message"
    ? change.message.batch === place.batch
    : kind === "turn" || kind === "textClosed" || kind === "rebuilt";
}

/** As it is stored, and what is heard but not stored yet. */
async function batchAt(
  { engine, store }: InspectPorts,
  { thread, batch }: Place,
): Promise<Batch | undefined> {
  const stored = await store.batch(thread, batch);
  const tail = new Map(
    (engine.snapshot(thread)?.tail ?? []).map((row) => [row.id, row]),
  );
  const rows = stored.map((row) => ({
    ...row,
    body: tail.get(row.id)?.body ?? row.body,
  }));
  for (const { id } of stored) tail.delete(id);
  const news = [...tail.values()]
    .filter((row) => row.batch === batch)
    .map((row, n) => ({ ...row, sequence: stored.length + n }));
  return group([...rows, ...news])[0];
}

async function promptsOf(
  { store }: InspectPorts,
  { thread }: Place,
  rows: readonly Message[],
): Promise<readonly Rebuilt[]> {
  const prompts: Rebuilt[] = [];
  for (const { body } of rows)
    if (body.kind === "turnStart")
      prompts.push(await promptOf(store, body.recipe, thread, rows));
  return prompts;
}
