import { setImmediate, setTimeout } from "node:timers/promises";

/**
 * Text in pieces that end between words, so that it is read as it comes.
 * A long text has larger pieces, not more of them: no answer is held back for long.
 */
export function pieces(text: string): readonly string[] {
  const size = Math.max(smallest, Math.ceil(text.length / most));
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = from + size;
    const end = Math.min(text.length, from + 2 * size);
    while (to < end && !/\s/.test(text.charAt(to - 1))) to++;
    if (/[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to++;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}

/** Lets what has arrived meanwhile be heard: a cancel is read before the next piece goes out. */
export async function breathe(paceMs: number): Promise<void> {
  await (paceMs > 0 ? setTimeout(paceMs) : setImmediate());
}

const smallest = 32;
const most = 150;
