/** Whether time is no matter, as in `npm run test:long`. */
export const long = process.env["TURNLINE_LONG"] === "1";

/** Of many variants of one thing those that every run looks at; the others wait for the long tests. */
export function chosen<T>(
  variants: readonly T[],
  always: (one: T) => boolean,
): readonly T[] {
  return long ? variants : variants.filter(always);
}
