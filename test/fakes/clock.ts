import type { Clock } from "../../src/core/ports.ts";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only when a test says so. Both clocks can be moved apart. */
export class ManualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #timers: Timer[] = [];
  /** Timers that come due are dropped while true: lost, as after a crash of whoever should have called. */
  loseTimers = false;
  /** Timers come this much too early, as real ones do by a fraction. */
  earlyBy = 0;
  /** Every look at the clock takes this long. */
  creep = 0;

  constructor(wall = 1_700_000_000_000) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    this.#moveTo(this.#monotonic + this.creep);
    return this.#monotonic;
  }

  after(ms: number, run: () => void): () => void {
    const timer = {
      at: this.#monotonic + (ms > this.earlyBy ? ms - this.earlyBy : ms),
      run,
    };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  afterPoll(run: () => void): () => void {
    let cancelled = false;
    setImmediate(() => {
      if (!cancelled) run();
    });
    return () => {
      cancelled = true;
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  /** Moves the wall clock alone, as a user or a time server would. */
  jump(ms: number): void {
    this.#wall += ms;
  }

  /** Lets time pass, timer by timer; after each, everything that follows from it has happened. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settled();
    for (;;) {
      const next = this.#due(end);
      if (next === undefined) break;
      this.#moveTo(Math.max(next.at, this.#monotonic));
      this.#timers = this.#timers.filter((other) => other !== next);
      if (!this.loseTimers) next.run();
      await settled();
    }
    this.#moveTo(end);
    await settled();
  }

  /** Time passes while nobody can run: a blocked or sleeping host. Timers come all at once, late. */
  async freeze(ms: number): Promise<void> {
    this.#moveTo(this.#monotonic + ms);
    // Timers that are due run before anything else is looked at.
    for (
      let next = this.#due(this.#monotonic);
      next !== undefined;
      next = this.#due(this.#monotonic)
    ) {
      const due = next;
      this.#timers = this.#timers.filter((other) => other !== due);
      if (!this.loseTimers) due.run();
    }
    await this.advance(0);
  }

  #due(end: number): Timer | undefined {
    return this.#timers
      .filter(({ at }) => at <= end)
      .sort((one, other) => one.at - other.at)[0];
  }

  #moveTo(instant: number): void {
    this.#wall += instant - this.#monotonic;
    this.#monotonic = instant;
  }
}

/** Everything that follows without time passing has happened: promises, and a few polls for those that wait for one. */
export async function settled(): Promise<void> {
  for (let n = 0; n < 4; n += 1)
    await new Promise((resolve) => setImmediate(resolve));
}
