import type { Group } from "./groups.ts";

export interface Step {
  readonly shown: readonly Group[];
  /** Groups came or went at the start: the place is kept from the end. */
  readonly shift: boolean;
  /** False when one more step is needed. */
  readonly done: boolean;
}

/** The next list to show on the way from one window to another: never a change at both ends at once. */
export function transition(from: readonly Group[], to: readonly Group[]): Step {
  const first = from[0]?.key;
  const newFirst = to[0]?.key;
  if (first === undefined || newFirst === undefined || first === newFirst)
    return { shown: to, shift: false, done: true };
  const grewBefore = to.findIndex(({ key }) => key === first);
  const cutBefore = from.findIndex(({ key }) => key === newFirst);
  if (grewBefore < 0 && cutBefore < 0)
    return { shown: to, shift: false, done: true };
  const atStart =
    grewBefore > 0
      ? [...to.slice(0, grewBefore), ...from]
      : from.slice(cutBefore);
  const same =
    atStart.length === to.length &&
    atStart.every(({ key }, i) => key === to[i]?.key);
  return same
    ? { shown: to, shift: true, done: true }
    : { shown: atStart, shift: true, done: false };
}
