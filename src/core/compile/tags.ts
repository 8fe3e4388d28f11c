import type { Sha256 } from "./types.ts";

/** Writes the elements that structure a prompt; with a key, no text can pass for one of them. */
export class Tags {
  readonly key: string | null;

  constructor(key: string | null) {
    this.key = key;
  }

  open(name: string, attributes: Attributes): string {
    return `<${this.#keyed(name)}${written(attributes)}>`;
  }

  close(name: string): string {
    return `</${this.#keyed(name)}>`;
  }

  empty(name: string, attributes: Attributes): string {
    return `<${this.#keyed(name)}${written(attributes)}/>`;
  }

  #keyed(name: string): string {
    return this.key === null ? name : `${name}-${this.key}`;
  }
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

const shortestKey = 8;

/**
 * Null when no text holds any of `openings`; else a key that no text holds, from a SHA-256 over the texts.
 * Letters count in either case: a reader may be more lenient than a parser.
 */
export function keyAgainst(
  openings: readonly string[],
  texts: readonly string[],
  sha256: Sha256,
): string | null {
  const lower = texts.map((text) => text.toLowerCase());
  const held = (part: string) => lower.some((text) => text.includes(part));
  if (!openings.some(held)) return null;
  const digest = sha256(texts.join("\u0000"));
  for (let length = shortestKey; length <= digest.length; length += 4)
    if (!held(digest.slice(0, length))) return digest.slice(0, length);
  let count = 2;
  while (held(`${digest}${count}`)) count += 1;
  return `${digest}${count}`;
}

/** The beginnings by which a text could pass for one of these elements. */
export function openingsOf(names: readonly string[]): string[] {
  return names.flatMap((name) => [`<${name}`, `</${name}`]);
}

/** One line, with nothing in it that could end the attribute or the tag. */
export function escapeAttribute(value: string): string {
  return value.replace(
    /[&<>"'[\]]|\p{Cc}|\p{Zl}|\p{Zp}/gu,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join("");
}
