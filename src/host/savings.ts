import { SavingsCounter, type Savings } from "../core/compile/savings.ts";
import { charactersPerToken } from "../core/compile/tokens.ts";
import type { Message, Snowflake } from "../core/message.ts";
import type { Store } from "../core/ports.ts";

export interface ThreadSavings extends Savings {
  readonly title: string;
}

const pageSize = 500;

/** What batching and deltas have saved, derived from what is on record; threads without any are left out. */
export async function savingsIn(
  store: Pick<Store, "page">,
  threads: readonly { readonly id: string; readonly title: string }[],
  budgetTokens: number,
): Promise<readonly ThreadSavings[]> {
  const found: ThreadSavings[] = [];
  for (const { id, title } of threads) {
    const counter = new SavingsCounter(budgetTokens * charactersPerToken);
    for await (const rows of batchesOf(store, id)) counter.add(rows);
    const { total } = counter;
    if (total.turnsAvoided + total.bytesNotResent > 0)
      found.push({ title, ...total });
  }
  return found;
}

/** What a thread's deltas did not carry again, batch by batch; each look reads only what came since the one before. */
export class NotResent {
  readonly #store: Pick<Store, "page">;
  readonly #thread: string;
  readonly #counter: SavingsCounter;
  readonly #bytes = new Map<Snowflake, number>();
  #after: Snowflake = "";
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    store: Pick<Store, "page">,
    thread: string,
    budgetTokens: number,
  ) {
    this.#store = store;
    this.#thread = thread;
    this.#counter = new SavingsCounter(budgetTokens * charactersPerToken);
  }

  /** What has been found so far, for who comes later. */
  get all(): Readonly<Record<Snowflake, number>> {
    return Object.fromEntries(this.#bytes);
  }

  /** Estimated bytes of the batches that are new or have gone on. One look after the other: none counts a row twice. */
  look(): Promise<Readonly<Record<Snowflake, number>>> {
    const look = this.#last.then(() => this.#read());
    this.#last = look.catch(() => undefined);
    return look;
  }

  async #read(): Promise<Readonly<Record<Snowflake, number>>> {
    const changed: Record<Snowflake, number> = {};
    const from = this.#after;
    for await (const rows of batchesOf(this.#store, this.#thread, from)) {
      const batch = rows[0]?.batch ?? "";
      for (const { position } of rows)
        if (position !== null && position > this.#after) this.#after = position;
      const more = this.#counter.add(rows);
      if (more === 0) continue;
      const bytes = (this.#bytes.get(batch) ?? 0) + more;
      this.#bytes.set(batch, bytes);
      changed[batch] = bytes;
    }
    return changed;
  }
}

/** Oldest first, a page at a time; what came late to an older batch comes by itself. */
async function* batchesOf(
  store: Pick<Store, "page">,
  thread: string,
  from: Snowflake = "",
): AsyncGenerator<readonly Message[], void, undefined> {
  let after = from;
  let open: readonly Message[] = [];
  for (;;) {
    const { messages, more } = await store.page(thread, {
      after,
      limit: pageSize,
    });
    const byBatch = Map.groupBy(
      [...open, ...messages],
      ({ batch }) => batch ?? "",
    );
    const newest = messages.at(-1)?.batch ?? "";
    open = more ? (byBatch.get(newest) ?? []) : [];
    for (const [batch, rows] of byBatch)
      if (!more || batch !== newest) yield rows;
    after = messages.at(-1)?.position ?? "";
    if (!more || after === "") return;
  }
}
