/** A compiled pattern over `/`-separated paths. Matching is linear: no pattern can hang the agent. */
export type Glob = readonly (readonly Segment[])[];

type Segment = "**" | readonly Token[];
type Token =
  | "*"
  | "?"
  | { readonly chars: string }
  | {
      readonly set: readonly (readonly [string, string])[];
      readonly not: boolean;
    };

/** `*`, `?`, `**`, `[a-z]` and `{a,b}`. */
export function compileGlob(pattern: string): Glob {
  return expandBraces(pattern).map((one) =>
    one
      .split("/")
      .filter((segment) => segment !== "")
      .map((segment) => (segment === "**" ? "**" : tokens(segment))),
  );
}

export function matchesGlob(glob: Glob, file: string): boolean {
  const names = file.split("/");
  return glob.some((segments) =>
    matchSequence(
      segments,
      names,
      (segment) => segment === "**",
      (segment, name) => segment !== "**" && matchesName(segment, name),
    ),
  );
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function matchesName(segment: readonly Token[], name: string): boolean {
  return matchSequence(
    segment,
    Array.from(name),
    (token) => token === "*",
    (token, char) => {
      if (token === "*" || token === "?") return token === "?";
      if ("chars" in token) return token.chars === char;
      const inSet = token.set.some(([from, to]) => from <= char && char <= to);
      return inSet !== token.not;
    },
  );
}

/** Greedy with one point of return, the last star: enough when every other item takes exactly one. */
function matchSequence<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (part: P) => boolean,
  takes: (part: P, item: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let item = 0; item < items.length;) {
    const part = pattern[at];
    const value = items[item];
    if (part !== undefined && isStar(part)) {
      star = at++;
      resume = item;
    } else if (
      part !== undefined &&
      value !== undefined &&
      takes(part, value)
    ) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++resume;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}

function tokens(segment: string): readonly Token[] {
  const found: Token[] = [];
  const chars = Array.from(segment);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    const close = char === "[" ? chars.indexOf("]", at + 2) : -1;
    if (char === "*") {
      if (found.at(-1) !== "*") found.push("*");
    } else if (char === "?") found.push("?");
    else if (close > 0) {
      found.push(charSet(chars.slice(at + 1, close)));
      at = close;
    } else if (char === "\\" && at + 1 < chars.length)
      found.push({ chars: chars[++at] ?? "" });
    else found.push({ chars: char });
  }
  return found;
}

function charSet(body: readonly string[]): Token {
  const not = body[0] === "!" || body[0] === "^";
  const chars = not ? body.slice(1) : body;
  const set: (readonly [string, string])[] = [];
  for (let at = 0; at < chars.length; at++) {
    const from = chars[at] ?? "";
    const to = chars[at + 1] === "-" ? chars[at + 2] : undefined;
    set.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return { set, not };
}

const maxAlternatives = 64;

function expandBraces(pattern: string): readonly string[] {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length < maxAlternatives) {
    const next: string[] = [];
    for (const one of open) {
      const brace = /\{([^{}]*,[^{}]*)\}/.exec(one);
      if (brace === null) done.push(one);
      else
        for (const choice of (brace[1] ?? "").split(","))
          next.push(
            one.slice(0, brace.index) +
              choice +
              one.slice(brace.index + brace[0].length),
          );
    }
    open = next;
  }
  return [...done, ...open].slice(0, maxAlternatives);
}
