import { createHash } from "node:crypto";
import {
  rebuild,
  textsNamedBy,
  type Rebuilt,
} from "../core/compile/rebuild.ts";
import type { Body, Message, Recipe } from "../core/message.ts";
import type { Store } from "../core/ports.ts";

/** A prompt that was sent, as far as the record can still tell it. */
export interface Sent {
  readonly start: Extract<Body, { kind: "turnStart" }>;
  readonly position: string;
  readonly prompt: Rebuilt;
}

type Reads = Pick<Store, "batch" | "page" | "blobs">;

/** What each turn of a batch was sent, oldest first, each checked against the hash it was sent with. */
export async function sentIn(
  store: Reads,
  thread: string,
  batch: string,
): Promise<readonly Sent[]> {
  const rows = await store.batch(thread, batch);
  const sent: Sent[] = [];
  for (const { body, position } of rows)
    if (body.kind === "turnStart")
      sent.push({
        start: body,
        position: position ?? batch,
        prompt: await promptOf(store, body.recipe, thread, rows),
      });
  return sent;
}

export async function promptOf(
  store: Reads,
  recipe: Recipe,
  thread: string,
  /** Rows that are at hand: those of the batch. */
  own: readonly Message[],
): Promise<Rebuilt> {
  const bytes = await store.blobs(textsNamedBy(recipe));
  const texts = new Map(
    [...bytes].map(([hash, data]) => [hash, new TextDecoder().decode(data)]),
  );
  const rows = await rowsAt(store, recipe, thread, own);
  return rebuild(recipe, rows, texts, (data) =>
    createHash("sha256").update(data).digest("hex"),
  );
}

async function rowsAt(
  store: Reads,
  { positions }: Recipe,
  thread: string,
  own: readonly Message[],
): Promise<readonly Message[]> {
  const known = new Set(own.map(({ position }) => position));
  const others = positions.filter((at) => !known.has(at)).sort();
  const rows = [...own];
  // Whatever is shorter comes before all that begin with it.
  let after = others[0]?.slice(0, -1);
  const last = others.at(-1) ?? "";
  while (after !== undefined && after <= last) {
    const { messages, more } = await store.page(thread, { after, limit: 500 });
    rows.push(...messages);
    after = more ? (messages.at(-1)?.position ?? undefined) : undefined;
  }
  return rows;
}
