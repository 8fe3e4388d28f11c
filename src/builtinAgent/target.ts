import type { Target } from "./request.ts";

/** "the first one", "number 2", "it", "this file": a file named by where it stands. */
export function parseTarget(text: string): Target | undefined {
  const plain = text
    .toLowerCase()
    .replace(/^the\s+/, "")
    .replace(/\s+(?:one|file|result|match)$/, "")
    .trim();
  if (/^(?:this|attached|attachment|selection|these(?:\s+files)?)$/.test(plain))
    return { kind: "attached" };
  if (/^(?:it|that|them)$/.test(plain)) return { kind: "ordinal", at: 1 };
  if (plain === "last") return { kind: "ordinal", at: -1 };
  const place = ordinals.indexOf(plain);
  if (place >= 0) return { kind: "ordinal", at: place + 1 };
  const digits =
    /^(?:(?:number|no\.?|file)\s+|#)?(\d{1,3})(?:st|nd|rd|th)?$/.exec(plain);
  return digits === null
    ? undefined
    : { kind: "ordinal", at: Number(digits[1]) };
}

const ordinals: readonly string[] = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
