import type { BatchFacts } from "../../src/core/batchFacts.ts";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import type { Session, Thread } from "../../src/core/thread.ts";
import type { Archive } from "../../src/core/writes.ts";

export interface Dump {
  readonly threads: readonly Thread[];
  readonly sessions: readonly Session[];
  readonly messages: readonly Message[];
  readonly queues: readonly (readonly string[])[];
  readonly unsettled: readonly (readonly string[])[];
  readonly batches: readonly BatchFacts[];
  readonly archives: readonly Archive[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly greatest: string | undefined;
}

/** All that a record tells of itself. */
export async function dump(store: History): Promise<Dump> {
  const threads = await store.threads();
  const sessions: Session[] = [];
  const messages: Message[] = [];
  const archives: Archive[] = [];
  const queues: string[][] = [];
  const unsettled: string[][] = [];
  for (const { id } of threads) {
    sessions.push(...(await store.sessions(id)));
    archives.push(...(await store.archives(id)));
    const queue = await store.queue(id);
    const open = await store.unsettled(id);
    const page = await store.page(id, { limit: 1e6 });
    const discarded = await store.discarded(id, 1e6);
    messages.push(
      ...page.messages,
      ...queue,
      ...discarded.filter(({ position }) => position === null),
    );
    queues.push(queue.map((message) => message.id));
    unsettled.push(open.map((message) => message.id));
  }
  return {
    threads,
    sessions,
    messages,
    archives,
    queues,
    unsettled,
    batches: await store.batches({ limit: 1e6 }),
    blobs: await store.blobs(["hash0", "hash1", "hash2"]),
    greatest: await store.greatest(),
  };
}
