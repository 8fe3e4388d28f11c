import { maskQuoted } from "./words.ts";

/** The steps of a request: "find x, then read the first one", or a list. `explicit` also splits at `;`. */
export function splitSteps(
  message: string,
  explicit: boolean,
): readonly string[] {
  const text = message.trim();
  const masked = maskQuoted(text);
  const lines = masked.split("\n").filter((line) => line.trim() !== "");
  const isList =
    lines.length > 1 && (explicit || lines.every((line) => marker.test(line)));
  const separator = isList ? /\n+/g : explicit ? explicitly : naturally;
  const steps: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(separator)) {
    steps.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  steps.push(text.slice(from));
  return steps.map(trimStep).filter((step) => step !== "");
}

/** Steps beyond doubt, where a bare "then" or "and" may be part of what is looked for. */
export function saysThen(text: string): boolean {
  return /(?:[,;.]\s*|\band\s+)then\b/i.test(maskQuoted(text));
}

const marker = /^\s*(?:\d+[.)]|[-*•])\s+/;
const verbs =
  "find|read|search|show|list|open|look|grep|run|execute|replace|change|explain|describe|create";
const then = String.raw`(?:\s*[,;.]\s*|\s+)(?:and\s+)?(?:then|after that|afterwards|finally)[,:]?\s+`;
const andVerb = String.raw`\s*,?\s+and\s+(?=(?:${verbs})\b)`;
const naturally = new RegExp(`${then}|${andVerb}`, "gi");
const explicitly = new RegExp(`${then}|${andVerb}|\\s*;\\s*`, "gi");

function trimStep(step: string): string {
  return step
    .replace(marker, "")
    .replace(/^\s*first,?\s+(?=\S+\s)/i, "")
    .trim()
    .replace(/[,;]$/, "");
}
