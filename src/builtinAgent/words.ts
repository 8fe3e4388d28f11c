export interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** Words of a request; what stands in quotes or backticks is one word. */
export function words(text: string): readonly Word[] {
  return [...text.matchAll(wordPattern)].map(([whole, ...groups]) => {
    const inner = insideOf(groups);
    return inner === undefined
      ? { text: whole, quoted: false }
      : { text: inner, quoted: true };
  });
}

/** The text itself, or what is inside when all of it is in quotes. */
export function unquote(text: string): string {
  const found = words(text.trim());
  const only = found.length === 1 ? found[0] : undefined;
  return only?.quoted === true ? only.text : text.trim();
}

export function isQuoted(text: string): boolean {
  const found = words(text.trim());
  return found.length === 1 && found[0]?.quoted === true;
}

/** The text with everything in quotes blanked out, at the same length. */
export function maskQuoted(text: string): string {
  return text.replaceAll(wordPattern, (match: string, ...groups: unknown[]) =>
    insideOf(groups.slice(0, 5)) !== undefined
      ? "\0".repeat(match.length)
      : match,
  );
}

/** Reads as a path: a slash, an extension, or a name that projects give to files. */
export function looksLikePath(text: string): boolean {
  return (
    !/[\s"<>|]/.test(text) &&
    (/[/\\]/.test(text) ||
      /^[^.]*\.?[\w@-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(text) ||
      /^\.[\w.-]+$/.test(text) ||
      wellKnown.test(text))
  );
}

const wellKnown =
  /^(?:readme|license|licence|changelog|contributing|makefile|dockerfile|gemfile|rakefile|procfile|authors|notice|codeowners)$/i;

const wordPattern =
  /"([^"]*)"|'([^']*)'(?=[\s,.;:?)]|$)|`([^`]+)`|“([^”]*)”|‘([^’]*)’|\S+/g;

/** What stood between the quotes; a plain word matches no group. */
function insideOf(groups: readonly unknown[]): string | undefined {
  return groups.find((group) => typeof group === "string");
}
