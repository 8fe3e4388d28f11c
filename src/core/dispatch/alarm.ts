import type { Clock } from "../ports.ts";

/** What a timer takes at most: given more, it comes at once. */
const longestWait = 2 ** 31 - 1;

/** One deadline at a time; it rings once input that was waiting has been read. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Replaces what was set; undefined for no deadline. */
  set(deadline: number | undefined): void {
    this.#cancel?.();
    this.#cancel = null;
    if (deadline === undefined) return;
    const wait = Math.max(0, deadline - this.#clock.monotonic());
    // Rung too early, whoever listens looks at what is due and sets the rest.
    this.#cancel = this.#clock.after(Math.min(wait, longestWait), () => {
      this.#cancel = this.#clock.afterPoll(this.#ring);
    });
  }
}
