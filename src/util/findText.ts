/** What a find box looks for: the text as typed, anywhere; any white space stands for any other. Null for nothing. */
export function finder(text: string, matchCase: boolean): RegExp | null {
  const parts = text.split(/\s+/u).filter((part) => part !== "");
  if (parts.length === 0) return null;
  const source = parts
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"))
    .join(String.raw`\s+`);
  return new RegExp(source, matchCase ? "gu" : "giu");
}

/**
 * What a search for words found: each word whole, the last also as the beginning of one, without case and accents.
 * Writing without spaces has no words to tell apart.
 */
export function wordFinder(text: string): RegExp | null {
  const words = bare(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
  if (words.length === 0) return null;
  const letter = String.raw`[\p{L}\p{N}\p{Co}]`;
  const parts = words.map((word, i) => {
    if (unspaced.test(word)) return word;
    const tail = i === words.length - 1 ? "" : `(?!${letter})`;
    return `(?<!${letter})${word}${tail}`;
  });
  return new RegExp(parts.join("|"), "giu");
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A text without accents, as long as it was, so that places in it are places in the original. */
export function bare(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (letter) => {
    const plain = letter.normalize("NFD").replaceAll(/\p{Mn}/gu, "");
    return plain.length === letter.length ? plain : letter;
  });
}
