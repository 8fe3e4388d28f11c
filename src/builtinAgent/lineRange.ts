import type { LineRange } from "./request.ts";

/** Takes "lines 10-20", "first 5 lines of", `:10-20` or `#L10-L20` out of a request. */
export function takeRange(text: string): {
  readonly rest: string;
  readonly range?: LineRange;
} {
  for (const { pattern, make } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return {
      rest: rest.trim().replaceAll(/\s{2,}/g, " "),
      range: make(Number(match[1]), match[2] ? Number(match[2]) : undefined),
    };
  }
  return { rest: text.trim() };
}

const forms: readonly {
  readonly pattern: RegExp;
  readonly make: (a: number, b: number | undefined) => LineRange;
}[] = [
  {
    pattern:
      /\b(?:the\s+)?(?:first|top)\s+(\d{1,7})\s+lines?(?:\s+(?:of|in|from))?(?=\s|$)/i,
    make: (a) => ({ from: 1, to: a }),
  },
  {
    pattern:
      /\b(?:the\s+)?(?:last|bottom)\s+(\d{1,7})\s+lines?(?:\s+(?:of|in|from))?(?=\s|$)/i,
    make: (a) => ({ last: a }),
  },
  {
    pattern:
      /,?\s*\bfrom\s+line\s+(\d{1,7})(?:\s*(?:-|–|to|through|until|till)\s*(?:line\s+)?(\d{1,7}))?(?=[\s,.]|$)/i,
    make: (a, b) => (b === undefined ? { from: a } : ordered(a, b)),
  },
  {
    pattern:
      /,?\s*\(?\b(?:at\s+)?lines?\s+(\d{1,7})(?:\s*(?:-|–|to|through|until|till)\s*(?:line\s+)?(\d{1,7}))?\)?(?:\s+(?:of|in|from))?(?=[\s,.]|$)/i,
    make: (a, b) => ordered(a, b ?? a),
  },
  {
    pattern: /#L(\d{1,7})(?:-L?(\d{1,7}))?(?=\s|$)/i,
    make: (a, b) => ordered(a, b ?? a),
  },
  {
    pattern: /(?<=\S):(\d{1,7})(?:-(\d{1,7})|:\d+)?(?=\s|$)/,
    make: (a, b) => ordered(a, b ?? a),
  },
  {
    pattern: /(?<=\S)\s+(\d{1,7})\s*(?:-|–|\s)\s*(\d{1,7})$/,
    make: (a, b) => ordered(a, b ?? a),
  },
];

function ordered(a: number, b: number): LineRange {
  return { from: Math.max(1, Math.min(a, b)), to: Math.max(1, a, b) };
}
