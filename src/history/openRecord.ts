import { openStore } from "./sqliteStore.ts";
import type { OpenAnswer, StoreOptions } from "./sqliteStore.ts";
import { gatherStrays, type Gathered } from "./strays.ts";

export type RecordAnswer =
  | (Extract<OpenAnswer, { ok: true }> & {
      /** Brings in what had to be kept elsewhere; for the writer. */
      gather(): Promise<Gathered>;
    })
  | Extract<OpenAnswer, { ok: false }>;

/** Opens a workspace's record, which knows where parts of it may have gone. */
export async function openRecord(
  options: StoreOptions,
  strays: readonly string[],
): Promise<RecordAnswer> {
  const opened = await openStore(options);
  if (!opened.ok) return opened;
  const { store, others } = opened;
  return { ...opened, gather: () => gatherStrays(store, others, strays) };
}
