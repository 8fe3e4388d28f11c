/** Lets what is done under one key go one after another, in the order it was asked for; other keys do not wait. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    // A failure is its own caller's, not the next one's.
    const before = this.#last.get(key) ?? Promise.resolve();
    const done = before.then(job, job);
    this.#last.set(key, done);
    const forget = (): void => {
      if (this.#last.get(key) === done) this.#last.delete(key);
    };
    done.then(forget, forget);
    return done;
  }
}
