import type { History } from "../core/recordPort.ts";

/** What stands in for a record that could not be opened: nothing is in it, and nothing goes in. */
export function emptyHistory(detail: string): History {
  const none = (): Promise<readonly never[]> => Promise.resolve([]);
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return {
    commit: () => Promise.resolve({ ok: false, reason: "readOnly", detail }),
    threads: none,
    thread: nothing,
    sessions: none,
    queue: none,
    unsettled: none,
    unfinished: none,
    sinceUser: none,
    page: () => Promise.resolve({ messages: [], more: false }),
    batch: none,
    message: nothing,
    blobs: () => Promise.resolve(new Map()),
    greatest: nothing,
    discarded: none,
    search: () => Promise.resolve({ hits: [], next: null }),
    find: none,
    batches: none,
    batchesBefore: () => Promise.resolve(0),
    archives: none,
    statistics: () =>
      Promise.resolve({
        ...{ threads: 0, messages: 0, queued: 0, batches: 0 },
        ...{ blobs: 0, blobBytes: 0, bytes: 0 },
      }),
    retain: () => Promise.resolve({ batches: 0, messages: 0 }),
    maintain: () => Promise.resolve({ damage: null }),
    close: () => Promise.resolve(),
  };
}
