import { Home } from "../../src/host/home.ts";
import { openRecord } from "../../src/history/openRecord.ts";
import type { Faults } from "../../src/history/operations.ts";
import type { SqliteStore } from "../../src/history/sqliteStore.ts";
import { WriterLock } from "../../src/history/writerLock.ts";
import { silentLog } from "../contract/agentHarness.ts";
import { storeWorker } from "./realStore.ts";

export interface RealHome {
  readonly home: Home;
  /** The stores it has opened, in order. */
  readonly stores: readonly SqliteStore[];
}

/** A home on real files and real locks, put together as the extension does. */
export async function realHome(
  folder: string,
  rescue: readonly string[] = [],
  /** What goes wrong in the nth store it opens. */
  faults: readonly Faults[] = [],
): Promise<RealHome> {
  const worker = await storeWorker();
  const stores: SqliteStore[] = [];
  const home = await Home.open({
    folder,
    rescue,
    open: async (where, mode, events) => {
      const opened = await openRecord(
        {
          ...{ folder: where, mode, worker, ...events },
          faults: faults[stores.length] ?? {},
        },
        where === folder ? rescue : [],
      );
      if (opened.ok) stores.push(opened.store);
      return opened;
    },
    lock: (where, events) =>
      new WriterLock({ folder: where, askAgainMs: 20, ...events }),
    isWindowAlive: () => Promise.resolve(true),
    log: silentLog,
    lookAgainMs: 20,
  });
  return { home, stores };
}
