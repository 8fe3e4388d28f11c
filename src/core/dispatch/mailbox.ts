/** Jobs one at a time, in order; what is put first goes before what already waits. */
export class Mailbox<T> {
  readonly #take: (item: T) => Promise<void>;
  readonly #waiting: T[] = [];
  #running: Promise<void> | null = null;

  /** `take` must not reject: whoever takes an item answers for it. */
  constructor(take: (item: T) => Promise<void>) {
    this.#take = take;
  }

  post(item: T): void {
    this.#waiting.push(item);
    this.#start();
  }

  postFirst(...items: readonly T[]): void {
    this.#waiting.unshift(...items);
    this.#start();
  }

  /** Puts an item behind the first that fits; false when none does. */
  postBehind(item: T, fits: (other: T) => boolean): boolean {
    const place = this.#waiting.findIndex(fits);
    if (place !== -1) this.#waiting.splice(place + 1, 0, item);
    return place !== -1;
  }

  /** Settles when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // The poster goes on first, so that `post` never runs a job itself.
    await Promise.resolve();
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      await this.#take(next);
    }
    this.#running = null;
  }
}
