import { group, orphans } from "../batch.ts";
import type { Message } from "../message.ts";
import type { Store } from "../ports.ts";
import type { Stepped } from "./events.ts";
import { originalsOf, storedOriginals } from "./originals.ts";
import type { ThreadState } from "./state.ts";

/**
 * What the record took although its answer got lost (a worker that died after the commit) and memory does not know:
 * messages that wait, adopted as they are stored; or (`turn`) a turn that nobody runs.
 */
export async function lostAnswer(
  store: Store,
  state: ThreadState,
): Promise<Stepped | "turn" | undefined> {
  const { id } = state.thread;
  const [thread, stored, unsettled] = await Promise.all([
    store.thread(id),
    store.queue(id),
    store.unsettled(id),
  ]);
  const active = state.turn?.batch ?? null;
  if (orphans(group(unsettled), active).length > 0) return "turn";
  const known = new Set(state.queue.map((message) => message.id));
  const missing = stored.filter((message) => !known.has(message.id));
  if (missing.length === 0 || thread === undefined) return undefined;
  const originals = originalsOf(missing, await storedOriginals(store, missing));
  return {
    state: {
      ...state,
      thread,
      queue: [...state.queue, ...missing].sort(byRank),
      originals: { ...state.originals, ...originals },
    },
    writes: [],
    durability: "full",
    flush: false,
    prompt: null,
    effects: [{ kind: "dispatch" }],
    touched: missing,
    reply: { ok: true },
  };
}

/** Whether memory has a message on its way. */
export function isOnItsWay({ queue, turn }: ThreadState, id: string): boolean {
  return [...queue, ...(turn?.messages ?? [])].some(
    (message) => message.id === id,
  );
}

function byRank(one: Message, other: Message): number {
  return (one.rank ?? 0) - (other.rank ?? 0);
}
