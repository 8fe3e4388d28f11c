/** Stands where a secret stood. */
export const hidden = "[redacted]";

/** A name whose value is nobody's business. */
const secretName =
  /(?:api[-_]?key|access[-_]?key|_key|token|secret|password|passwd|authorization|cookie|credential|passphrase|(?:^|[-_])pat$)/iu;
/** What counts tokens names no secret. */
const harmless = /tokens$|^(?:input|output|max|total|cached)[-_]?token/iu;
/** Values that tell what they are by themselves. */
const secretValues =
  /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|npm|xox[abp]|AKIA|AIza)[-_][-_A-Za-z0-9]{12,}|\b(?:AKIA|AIza)[-_A-Za-z0-9]{12,}|\beyJ[-\w]{8,}\.[-\w]{8,}\.[-\w]*|\b(?:Bearer|Basic)\s+[-\w.~+/]{8,}=*/gu;
/** How settings, arguments and addresses name what is secret. */
const secretWord =
  "(?:api[-_]?key|access[-_]?key|token|secret|passw(?:or)?d|passphrase|[-_]pat)";
/** An argument whose next one is a secret. */
const secretFlag = new RegExp(`^--?[\\w-]*${secretWord}$`, "iu");
const inText: readonly RegExp[] = [
  new RegExp(
    `(\\b[\\w-]*${secretWord}["']?\\s*[=:]\\s*["']?)[^\\s"',;&]{4,}`,
    "giu",
  ),
  new RegExp(
    `(--?[\\w-]*${secretWord}["']?[\\s,]+["']?)[^\\s"',;&]{4,}`,
    "giu",
  ),
  // The password of an address.
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/giu,
];
/** Shorter ones would hide ordinary words. */
const leastChars = 6;

/** Secrets that are known by their value: left out of text wherever they stand. */
export class KnownSecrets {
  readonly #values = new Set<string>();

  add(value: string): void {
    if (value.length < leastChars) return;
    this.#values.add(value);
    // As it stands inside of JSON.
    this.#values.add(JSON.stringify(value).slice(1, -1));
  }

  /** Those of the variables whose names tell that they are secret. */
  addFrom(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables))
      if (isSecretName(name)) this.add(value);
  }

  readonly hide = (text: string): string => {
    let left = text;
    for (const value of this.#values) left = left.replaceAll(value, hidden);
    return left;
  };
}

/** JSON as text with every secret in it left out: by the name it has, by its looks, or by the words before it. */
export function redacted(value: unknown): string {
  return JSON.stringify(value, (name, given: unknown) => {
    if (isSecretName(name) && (typeof given === "string" || isList(given)))
      return hidden;
    if (typeof given === "string") return redactedText(given);
    if (isList(given)) return withoutSecretArguments(given);
    return isNamedSecret(given) ? { ...given, value: hidden } : given;
  });
}

/** Text with what looks like a secret left out. */
export function redactedText(text: string): string {
  return inText.reduce(
    (left, secret) => left.replace(secret, `$1${hidden}`),
    text.replace(secretValues, hidden),
  );
}

export function isSecretName(name: string): boolean {
  return secretName.test(name) && !harmless.test(name);
}

/** `["--token", "x"]`: how commands are handed their secrets. */
function withoutSecretArguments(list: readonly string[]): readonly string[] {
  return list.map((one, n) =>
    n > 0 && secretFlag.test(list[n - 1] ?? "") ? hidden : one,
  );
}

/** `{name, value}`: how ACP hands over variables and headers. */
function isNamedSecret(
  given: unknown,
): given is { readonly name: string; readonly value: string } {
  return (
    typeof given === "object" &&
    given !== null &&
    "name" in given &&
    "value" in given &&
    typeof given.name === "string" &&
    typeof given.value === "string" &&
    isSecretName(given.name)
  );
}

function isList(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}
