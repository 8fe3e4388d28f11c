import type { Clock } from "../../src/core/ports.ts";

/** Time that passes several times faster than outside: for limits of half a minute on real processes. */
export function hastyClock(factor: number): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now() * factor,
    after: (ms, run) => {
      const timer = setTimeout(run, ms / factor);
      return () => clearTimeout(timer);
    },
    afterPoll: (run) => {
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  };
}
