import type { Body, Marks, ToolContent } from "./message.ts";

/** Most of a tool's output that is kept, in characters; what is longer keeps its head and its tail. */
export const keptOutput = { head: 48_000, tail: 16_000 } as const;

/** Shortens large tool output for storage and says in `cut` how large the whole was. */
export function cutBody(body: Body): { readonly body: Body; cut?: number } {
  if (body.kind !== "toolCall" && body.kind !== "toolResult") return { body };
  let whole = 0;
  const shorten = (text: string): Shortened => {
    const short = shortened(text);
    if (short.cut !== undefined) whole += short.cut;
    return short;
  };
  const content = body.content.map((part) => cutContent(part, shorten));
  const changed =
    body.kind === "toolCall"
      ? { ...body, content, ...cutField("input", body.input, shorten) }
      : { ...body, content, ...cutField("output", body.output, shorten) };
  return whole === 0 ? { body } : { body: changed, cut: whole };
}

export function cutMarks(marks: Marks, cut: number | undefined): Marks {
  const changed: { -readonly [K in keyof Marks]: Marks[K] } = { ...marks };
  delete changed.cut;
  return cut === undefined ? changed : { ...changed, cut };
}

interface Shortened {
  readonly text: string;
  readonly cut?: number;
}

function cutContent(
  part: ToolContent,
  shorten: (text: string) => Shortened,
): ToolContent {
  switch (part.type) {
    case "text":
      return part.cut === undefined ? { ...part, ...shorten(part.text) } : part;
    case "terminal": {
      if (part.cut !== undefined) return part;
      const { text, ...cut } = shorten(part.output);
      return { ...part, output: text, ...cut };
    }
    case "block": {
      if (part.cut !== undefined || part.block.type !== "resource") return part;
      const { text, ...cut } = shorten(part.block.text);
      return { ...part, block: { ...part.block, text }, ...cut };
    }
    case "diff":
      return part;
  }
}

function cutField<K extends string>(
  key: K,
  text: string | undefined,
  shorten: (text: string) => Shortened,
): Partial<Record<K, string>> {
  if (text === undefined) return {};
  return { [key]: shorten(text).text } as Record<K, string>;
}

function shortened(text: string): Shortened {
  const { head, tail } = keptOutput;
  if (text.length <= head + tail) return { text };
  const start = wholeCharacters(text, head);
  const end = wholeCharacters(text, text.length - tail);
  const left = utf8Length(text.slice(start, end));
  return {
    text: `${text.slice(0, start)}\n[… ${left} bytes left out …]\n${text.slice(end)}`,
    cut: utf8Length(text),
  };
}

/** Moves an index back so that it does not split a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let n = 0; n < text.length; n += 1) {
    const code = text.charCodeAt(n);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if ((text.codePointAt(n) ?? 0) > 0xffff) {
      bytes += 4;
      n += 1;
    } else bytes += 3;
  }
  return bytes;
}
