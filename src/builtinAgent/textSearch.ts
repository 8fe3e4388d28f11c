import type { Request, TextPattern } from "./request.ts";
import { isGlob } from "./glob.ts";
import { extensionsOf } from "./languages.ts";
import { looksLikePath, maskQuoted, unquote } from "./words.ts";

/** "TODO in src", `/fo+/i in *.ts`, "\"two words\"": what to search for, and where. */
export function parseTextSearch(
  text: string,
): Extract<Request, { kind: "search" }> | undefined {
  const { what, within } = splitPlace(text.trim());
  const pattern = parsePattern(what);
  if (pattern === undefined) return undefined;
  return { kind: "search", pattern, ...(within !== undefined && { within }) };
}

/** The place after the last "in", where it is one; "in this project" is everywhere. */
export function splitPlace(text: string): {
  readonly what: string;
  readonly within?: string;
} {
  const match = /^([\s\S]+)\s+(?:in|inside|under|within)\s+(\S.*)$/i.exec(
    maskQuoted(text),
  );
  if (match === null) return { what: text };
  const what = text.slice(0, match[1]?.length).trim();
  const place = text.slice(text.length - (match[2]?.length ?? 0)).trim();
  if (everywhere.test(place)) return { what };
  const within = placePattern(place);
  return within === undefined ? { what: text } : { what, within };
}

/** "the src folder", "*.ts", ".ts files", "TypeScript files": as a path or glob. */
function placePattern(place: string): string | undefined {
  const bare = place.replace(/^(?:all\s+)?(?:the\s+)?/i, "");
  const files = /^(\S+)\s+files?$/i.exec(bare)?.[1];
  if (files !== undefined) {
    const extensions = extensionsOf(files);
    if (extensions.length > 0) return `*.{${extensions.join(",")},}`;
    return files.startsWith(".") ? `*${files}` : files;
  }
  const folder =
    /^(?:(?:folder|directory|file)\s+)?(\S+?)\/?(?:\s+(?:folder|directory))?$/i.exec(
      unquote(bare),
    )?.[1];
  if (folder === undefined) return undefined;
  const named = /\b(?:folder|directory|file)\b/i.test(bare);
  return named ||
    isGlob(folder) ||
    looksLikePath(folder) ||
    /^[\w.-]+$/.test(folder)
    ? folder
    : undefined;
}

function parsePattern(written: string): TextPattern | undefined {
  const text = written.trim();
  const slashed = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (slashed !== null)
    return {
      kind: "regex",
      source: slashed[1] ?? "",
      ignoreCase: (slashed[2] ?? "").includes("i"),
    };
  const regex =
    /^(?:the\s+)?(?:regex|regexp|regular expression|pattern)\s+(\S.*)$/is.exec(
      text,
    );
  if (regex !== null)
    return {
      kind: "regex",
      source: unquote(regex[1] ?? ""),
      ignoreCase: false,
    };
  const literal = unquote(
    text.replace(
      /^(?:all\s+|every\s+)?(?:the\s+)?(?:(?:word|words|text|string|phrase|term|symbol|function|method|class|variable|identifier|name)\s+)?(?=\S)/i,
      "",
    ),
  );
  return literal === "" ? undefined : { kind: "literal", text: literal };
}

const everywhere =
  /^(?:(?:all|any|every)\s+(?:the\s+)?files?|here|(?:the\s+|this\s+|my\s+|our\s+)?(?:workspace|project|repo(?:sitory)?|code\s?base|code|folder|files|source|text)(?:\s+files)?)$/i;
