import type { Log } from "../core/ports.ts";
import type { History } from "../core/recordPort.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Drafts } from "./drafts.ts";
import { keepInUse } from "./keptBytes.ts";
import type { Settings } from "./settings.ts";

const firstAfterMs = 60_000;
const everyMs = 6 * 3_600_000;
const day = 24 * 3_600_000;

/** Cuts history to what the user wants kept and clears away what nobody can ask for, now and then. */
export function keepHouse(
  store: History,
  wanted: () => Settings["history"],
  drafts: Pick<Drafts, "blobs">,
  log: Log,
  /** Some of the past is gone. */
  cut: () => void,
): Disposable {
  const clean = async (): Promise<void> => {
    const { maxAgeDays, maxMegabytes } = wanted();
    try {
      if (maxAgeDays > 0 || maxMegabytes > 0) {
        const gone = await store.retain({
          ...(maxAgeDays > 0 ? { before: Date.now() - maxAgeDays * day } : {}),
          ...(maxMegabytes > 0 ? { maxBytes: maxMegabytes * 1_000_000 } : {}),
        });
        log.info("history.retained", { ...gone });
        if (gone.batches > 0) cut();
      }
      await keepInUse(store, drafts.blobs());
      const { damage } = await store.maintain();
      if (damage !== null) log.error("history.damaged", { damage });
    } catch (error) {
      log.warn("history.notKept", { error: String(error) });
    }
  };
  const first = setTimeout(() => void clean(), firstAfterMs);
  const later = setInterval(() => void clean(), everyMs);
  return {
    dispose: () => {
      clearTimeout(first);
      clearInterval(later);
    },
  };
}
