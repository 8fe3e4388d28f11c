import { long } from "../lab/long.ts";

/** How often a generated test runs: many times more where time is no matter. */
export function runs(count: number): number {
  return long ? count * 25 : count;
}
