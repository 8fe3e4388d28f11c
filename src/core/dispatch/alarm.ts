import type { Clock } from "../ports.ts";

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
    this.#cancel = this.#clock.after(wait, () => {
      this.#cancel = this.#clock.afterPoll(this.#ring);
    });
  }
}
