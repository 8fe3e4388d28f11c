/** How time passes. */
export interface Timers {
  readonly now: () => number;
  /** Answers how to cancel it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly afterPoll: (run: () => void) => unknown;
}

const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  afterPoll: setImmediate,
};

/** What `limit` answers when nothing came in time. */
export const tooLong = Symbol("too long");

/**
 * Waits for a promise, but no longer than `ms` after `since()`. Due timers run before pipes are polled,
 * so lateness is judged after a poll: a blocked host is not a silent agent.
 */
export async function limit<T>(
  promise: Promise<T>,
  ms: number,
  since: () => number,
  { now, after, afterPoll } = realTimers,
): Promise<T | typeof tooLong> {
  let cancel: (() => void) | undefined;
  let done = false;
  const late = new Promise<typeof tooLong>((resolve) => {
    const look = (): void => {
      if (done) return;
      const left = since() + ms - now();
      if (left <= 0) resolve(tooLong);
      else wait(left);
    };
    const wait = (left: number): void => {
      cancel = after(left, () => afterPoll(look));
    };
    wait(since() + ms - now());
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    done = true;
    cancel?.();
  }
}
