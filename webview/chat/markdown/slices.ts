export interface Pace {
  /** Runs the rest of a long job later; without it, all is done at once. */
  readonly later?: (job: () => void) => void;
  /** Someone types and waits for the frames: little is done in each. */
  readonly hurried?: () => boolean;
  readonly clock?: () => number;
}

/** Milliseconds of work in a frame; a long job gets more with each, since every frame lays out all there is. */
const budget = { first: 8, most: 64, hurried: 3 };

/** Does a job a slice at a time, up to one of its rests; a new one takes the place of what is left. */
export class Slices {
  readonly #pace: Pace;
  readonly #done: () => void;
  #job: Iterator<undefined> | undefined;
  #waiting = false;

  constructor(pace: Pace, done: () => void) {
    this.#pace = pace;
    this.#done = done;
  }

  start(job: Iterator<undefined>): void {
    this.#job = job;
    this.#run(budget.first);
  }

  /** What is left to do is not done any more. */
  stop(): void {
    this.#job = undefined;
  }

  #run(time: number): void {
    const { later, hurried, clock = () => performance.now() } = this.#pace;
    const most = hurried?.() === true ? budget.hurried : time;
    const started = clock();
    while (this.#job?.next().done === false) {
      if (later === undefined || clock() - started < most) continue;
      if (this.#waiting) return;
      this.#waiting = true;
      later(() => {
        this.#waiting = false;
        this.#run(Math.min(time * 2, budget.most));
      });
      return;
    }
    this.#done();
  }
}
