import { isIdle, type ThreadState } from "./state.ts";

/** A place among the live agents, or in the line for one. */
export interface Place {
  /** False when there was none free at once. */
  readonly free: boolean;
  /** Settles true when the place is there, false when it was given up first. */
  readonly granted: Promise<boolean>;
}

interface Waiter {
  readonly key: string;
  grant(granted: boolean): void;
}

/** Bounds how many agents live at once. Who waits is served in order; the longest idle makes room. */
export class AgentPool {
  readonly #limit: () => number;
  readonly #makeRoom: (places: number) => void;
  readonly #holders = new Set<string>();
  #line: Waiter[] = [];

  /** `makeRoom` asks idle threads to let go; each that does calls `release`. */
  constructor(limit: () => number, makeRoom: (places: number) => void) {
    this.#limit = limit;
    this.#makeRoom = makeRoom;
  }

  /** Has a place, and not only one in the line. */
  holds(key: string): boolean {
    return this.#holders.has(key);
  }

  acquire(key: string): Place {
    if (this.#holders.size < this.#limit() && this.#line.length === 0) {
      this.#holders.add(key);
      return { free: true, granted: Promise.resolve(true) };
    }
    const granted = new Promise<boolean>((grant) => {
      this.#line.push({ key, grant });
    });
    this.look();
    return { free: false, granted };
  }

  /** Gives up waiting; a place that is already held stays held. */
  leaveLine(key: string): void {
    const left = this.#line.filter((waiter) => waiter.key === key);
    this.#line = this.#line.filter((waiter) => waiter.key !== key);
    for (const waiter of left) waiter.grant(false);
  }

  release(key: string): void {
    this.#holders.delete(key);
    this.look();
  }

  /** Something may have changed: a thread went idle, or the limit is another. */
  look(): void {
    while (this.#holders.size < this.#limit()) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#holders.add(next.key);
      next.grant(true);
    }
    const surplus = this.#holders.size - this.#limit() + this.#line.length;
    if (surplus > 0) this.#makeRoom(surplus);
  }
}

/** Who makes room: the longest idle first, as many as no holder is already about to leave. */
export function longestIdle<
  T extends { readonly id: string; readonly state: ThreadState | null },
>(
  threads: readonly T[],
  places: number,
  holds: (id: string) => boolean,
): readonly T[] {
  const ending = threads.filter(
    ({ id, state }) => state?.agent.kind === "ending" && holds(id),
  );
  return threads
    .flatMap((thread) => {
      const { state } = thread;
      return state?.agent.kind === "live" && isIdle(state)
        ? [{ thread, since: state.agent.idleSince }]
        : [];
    })
    .sort((one, other) => one.since - other.since)
    .slice(0, Math.max(0, places - ending.length))
    .map(({ thread }) => thread);
}
