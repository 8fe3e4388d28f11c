/** What a search asks of a text. */
export interface Wanted {
  /** Words to look up in an index of words; null where writing without spaces needs the whole text looked through. */
  readonly words: readonly string[] | null;
  /** What must occur, as it is compared: the words, or the pieces of unspaced writing. */
  readonly parts: readonly string[];
  matches(text: string): boolean;
  /** A line of the text around the first match. */
  excerpt(text: string): string;
}

/** Reads what was typed: every word must occur, the last also as the beginning of one, since it may still be being typed. */
export function wanted(query: string): Wanted {
  const list = wordsOf(query);
  const unspaced = isUnspaced(query);
  const parts = unspaced ? fold(query).split(/\s+/).filter(Boolean) : list;
  return {
    words: unspaced ? null : list,
    parts,
    matches: unspaced
      ? (text) => containsAll(fold(text), parts)
      : (text) => hasWords(text, list),
    excerpt: (text) => excerpt(text, parts),
  };
}

/**
 * Words are runs of letters and digits, without case and accents.
 * The full-text index cuts text the same way, so that searching with and without it finds the same.
 */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

function hasWords(text: string, list: readonly string[]): boolean {
  const last = list.at(-1);
  if (last === undefined) return true;
  const found = new Set(wordsOf(text));
  const whole = list.slice(0, -1).every((word) => found.has(word));
  return whole && [...found].some((word) => word.startsWith(last));
}

function containsAll(text: string, parts: readonly string[]): boolean {
  return parts.every((part) => text.includes(part));
}

/** Scripts that put no space between words, which an index of words cannot look into. */
function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    text,
  );
}

const excerptLength = 160;

function excerpt(text: string, parts: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= excerptLength) return flat;
  const lower = flat.toLowerCase();
  const hits = parts.map((part) => lower.indexOf(part)).filter((at) => at >= 0);
  const at = hits.length === 0 ? 0 : Math.min(...hits);
  const room = flat.length - excerptLength;
  const start = Math.max(0, Math.min(at - excerptLength / 4, room));
  const end = start + excerptLength;
  const middle = flat.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${middle}${end < flat.length ? "…" : ""}`;
}
