import type { Clock } from "../core/ports.ts";

/** Node's clocks and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  afterPoll: (run) => {
    const timer = setImmediate(run);
    return () => {
      clearImmediate(timer);
    };
  },
};
