import type { Engine } from "../core/engine.ts";
import type { BatchStatus } from "../core/message.ts";
import type { Log } from "../core/ports.ts";
import type { History } from "../core/recordPort.ts";
import type { Disposable } from "../util/disposables.ts";

/** How the last turn of a thread went. */
export interface Outcome {
  readonly status: BatchStatus;
  /** How long it ran. */
  readonly ms: number;
}

/** `now`: a turn has just ended; `before`: it had when the window was opened. */
export type Heard = (
  thread: string,
  outcome: Outcome,
  when: "now" | "before",
) => void;

/** Turns looked back on at the start: what is older is nobody's last any more, or old news. */
const lookedBack = 500;

/** Knows how the last turn of each thread went. */
export class Outcomes implements Disposable {
  readonly #store: Pick<History, "batches">;
  readonly #log: Log;
  readonly #last = new Map<string, Outcome>();
  readonly #listeners = new Set<Heard>();
  readonly #stop: () => void;

  constructor(engine: Engine, store: Pick<History, "batches">, log: Log) {
    this.#store = store;
    this.#log = log;
    const running = new Set<string>();
    this.#stop = engine.onChange((change) => {
      if (change.kind !== "turn") return;
      const { thread } = change;
      if (change.turn !== null) running.add(thread);
      else if (running.delete(thread)) void this.#read(thread, "now");
    });
    void this.#read(undefined, "before");
  }

  of(thread: string): Outcome | undefined {
    return this.#last.get(thread);
  }

  onHeard(listener: Heard): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#stop();
    this.#listeners.clear();
  }

  async #read(
    thread: string | undefined,
    when: "now" | "before",
  ): Promise<void> {
    try {
      const batches = await this.#store.batches(
        thread === undefined ? { limit: lookedBack } : { thread, limit: 1 },
      );
      const newest = new Map(
        batches.toReversed().map((facts) => [facts.thread, facts]),
      );
      for (const [of, { status, times, ended }] of newest) {
        if (!ended && status !== "interrupted") continue;
        // What ended meanwhile is newer.
        if (when === "before" && this.#last.has(of)) continue;
        const outcome = { status, ms: times.running };
        this.#last.set(of, outcome);
        for (const listener of [...this.#listeners])
          listener(of, outcome, when);
      }
    } catch (error) {
      this.#log.warn("outcomes.failed", { error: String(error) });
    }
  }
}
