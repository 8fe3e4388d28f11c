import type { Message } from "../message.ts";
import type { Store } from "../ports.ts";
import type { StepContext, Stepped } from "./events.ts";
import { storedOriginals } from "./originals.ts";
import { asStored, recover, type StoredThread } from "./recover.ts";
import type { NewestBatch, ThreadState } from "./state.ts";

export interface Loaded {
  readonly stepped: Stepped;
  /** Refused: another host may have the thread. With nothing to settle, nobody knows. */
  readonly settled: "committed" | "nothing" | "refused";
}

/**
 * Reads a thread and settles what its last host left open. Where that cannot be committed
 * nothing is touched, least of all a process that another host may still be running.
 */
export async function loadThread(
  store: Store,
  id: string,
  at: number,
  nextLife: number,
  context: StepContext,
): Promise<Loaded> {
  const stored = await readThread(store, id);
  const stepped = recover(stored, at, nextLife, context);
  const { writes, effects, state } = stepped;
  if (writes.length === 0 && effects.length === 0)
    return { stepped, settled: "nothing" };
  const { thread } = state;
  const answer = await store.commit(
    [...writes, { kind: "thread", thread }],
    "full",
  );
  return answer.ok
    ? { stepped, settled: "committed" }
    : { stepped: asStored(stored, nextLife), settled: "refused" };
}

/** Everything a thread's dispatcher needs of the record. */
async function readThread(store: Store, id: string): Promise<StoredThread> {
  const thread = await store.thread(id);
  if (thread === undefined) throw new Error(`There is no thread ${id}.`);
  const [sessions, queue, unsettled, newest, since] = await Promise.all([
    store.sessions(id),
    store.queue(id),
    store.unsettled(id),
    newestBatch(store, id),
    store.sinceUser(id, counted),
  ]);
  const claimed = unsettled.filter(({ state }) => state === "claimed");
  const originals = await storedOriginals(store, [...queue, ...claimed]);
  return {
    ...{ thread, sessions, queue, unsettled, newest, originals },
    sinceUser: since,
  };
}

/** More than the gates let anyone but the user send in a row, unless told to. */
const counted = 500;

/** More than any batch can have claimed. */
const recent = 200;

/** The newest that will still be there when claimed messages are back in the queue; late records belong to older ones. */
async function newestBatch(
  store: Store,
  thread: string,
): Promise<NewestBatch | null> {
  for (const limit of [1, recent]) {
    const { messages, more } = await store.page(thread, { limit });
    const last = messages.findLast(
      ({ state, marks }) => state !== "claimed" && marks.late !== true,
    );
    if (last === undefined && more) continue;
    const batch = last?.batch ?? null;
    if (last === undefined || batch === null) return null;
    const { batchType, parentBatch } = last;
    return { batch, batchType: batchType ?? "user_request", parentBatch };
  }
  return null;
}

/** What only views know of a thread survives its being read anew. */
export function keepViews(stepped: Stepped, before: ThreadState): Stepped {
  const { state } = stepped;
  const { discarded } = before;
  const leases = before.leases.filter((lease) =>
    state.queue.some(({ id }) => id === lease.id),
  );
  return { ...stepped, state: { ...state, leases, discarded } };
}

/** The newest batch as far as it is stored. */
export async function storedRows(
  store: Store,
  { thread, newest }: ThreadState,
): Promise<readonly Message[]> {
  if (newest === null) return [];
  const rows = await store.batch(thread.id, newest.batch);
  return rows.filter(({ state }) => state !== "claimed");
}
