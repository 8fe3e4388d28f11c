import type { History } from "../core/recordPort.ts";

type Calls = { readonly [K in keyof History]: History[K] };

/** The record behind a door that can be changed: what holds it need not know that another window let go of it. */
export class HistoryGate {
  #now: History;
  readonly history: History;

  constructor(first: History) {
    this.#now = first;
    this.history = new Proxy<Calls>(first, {
      get: (_, name) => {
        const found: unknown = Reflect.get(this.#now, name);
        return typeof found === "function"
          ? (found.bind(this.#now) as unknown)
          : found;
      },
    });
  }

  use(next: History): void {
    this.#now = next;
  }

  close(): Promise<void> {
    return this.#now.close();
  }
}
