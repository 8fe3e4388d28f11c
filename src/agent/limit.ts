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
): Promise<T | typeof tooLong> {
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  const late = new Promise<typeof tooLong>((resolve) => {
    const look = (): void => {
      if (done) return;
      const left = since() + ms - performance.now();
      if (left <= 0) resolve(tooLong);
      else wait(left);
    };
    const wait = (left: number): void => {
      timer = setTimeout(() => setImmediate(look), left);
    };
    wait(since() + ms - performance.now());
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    done = true;
    clearTimeout(timer);
  }
}
