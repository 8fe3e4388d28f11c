/**
 * SQLite's text is UTF-8: half a surrogate pair would come back changed, and two ids could become one.
 * What it could not give back is kept as JSON instead, told apart by its first character.
 */
export function toText(value: string): string {
  return isPlain(value) ? value : JSON.stringify(value);
}

export function fromText(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** The inside of a JSON string: pieces of it can be joined, even where a character was split between them. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

function isPlain(value: string): boolean {
  return (
    value.isWellFormed() && !value.includes("\0") && !value.startsWith('"')
  );
}
