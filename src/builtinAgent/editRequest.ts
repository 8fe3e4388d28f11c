import type { Request } from "./request.ts";
import { looksLikePath, unquote, type Word, words } from "./words.ts";

type Edit = Extract<Request, { kind: "edit" }>;

/**
 * What follows `/edit`: a path, then `"old" -> "new"`, or two code fences (old, new),
 * or one fence for a file that does not exist yet.
 */
export function parseEdit(text: string): Edit | undefined {
  const match = /^("[^"]+"|`[^`]+`|\S+)\s+([\s\S]+)$/.exec(text.trim());
  if (match === null) return undefined;
  const path = unquote(match[1] ?? "");
  const rest = (match[2] ?? "").trim();
  const blocks = fences(rest);
  if (blocks.length >= 2)
    return {
      kind: "edit",
      path,
      change: { kind: "replace", old: blocks[0] ?? "", new: blocks[1] ?? "" },
    };
  if (blocks.length === 1)
    return {
      kind: "edit",
      path,
      change: { kind: "create", text: `${blocks[0] ?? ""}\n` },
    };
  return replacement(path, words(rest), arrow);
}

/** "replace a with b in path", "in path, change a to b", "create path with …". */
export function parseEditPhrase(text: string): Edit | undefined {
  const created =
    /^(?:create|write|make)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?("[^"]+"|`[^`]+`|\S+)\s+(?:with|containing)\s+(?:the\s+)?(?:(?:contents?|text)\s*:?\s+)?([\s\S]+)$/i.exec(
      text,
    );
  const newPath = unquote(created?.[1] ?? "").replace(/:$/, "");
  if (created !== null && looksLikePath(newPath)) {
    const body = (created[2] ?? "").trim();
    const block = fences(body)[0];
    return {
      kind: "edit",
      path: newPath,
      change: { kind: "create", text: `${block ?? unquote(body)}\n` },
    };
  }
  const all = words(text);
  const first = all[0]?.text.toLowerCase() ?? "";
  if (first === "in") {
    const verb = all.findIndex((word) => isVerb(word));
    const path = all[1]?.text.replace(/,$/, "");
    return verb >= 2 && path !== undefined && looksLikePath(path)
      ? replacement(path, dropNouns(all.slice(verb + 1)), joint)
      : undefined;
  }
  if (all[0] === undefined || !isVerb(all[0])) return undefined;
  const last = all.findLastIndex((word) => isWord(word, /^in$/i));
  const path = all.at(-1)?.text ?? "";
  const near = all.length >= last + 2 && all.length <= last + 4;
  return last > 1 && near && looksLikePath(path)
    ? replacement(path, dropNouns(all.slice(1, last)), joint)
    : undefined;
}

const arrow = /^(?:->|→|=>|with|to|by)$/i;
const joint = /^(?:->|→|=>|with|to|by|into)$/i;

function isVerb(word: Word): boolean {
  return isWord(word, /^(?:replace|change|substitute|rename)$/i);
}

function isWord(word: Word, pattern: RegExp): boolean {
  return !word.quoted && pattern.test(word.text);
}

function dropNouns(all: readonly Word[]): readonly Word[] {
  const from = all.findIndex(
    (word) =>
      !isWord(
        word,
        /^(?:all|every|each|the|text|word|string|occurrences?|of)$/i,
      ),
  );
  return from < 0 ? [] : all.slice(from);
}

function replacement(
  path: string,
  all: readonly Word[],
  between: RegExp,
): Edit | undefined {
  const at = all.findIndex((word) => isWord(word, between));
  if (at < 1) return undefined;
  const join = (part: readonly Word[]): string =>
    part.map((word) => word.text).join(" ");
  const old = join(all.slice(0, at));
  return old === ""
    ? undefined
    : {
        kind: "edit",
        path,
        change: { kind: "replace", old, new: join(all.slice(at + 1)) },
      };
}

/** The insides of fenced blocks, line by line: no text can make this slow. */
function fences(text: string): readonly string[] {
  const found: string[] = [];
  let open: { readonly ticks: string; readonly lines: string[] } | undefined;
  for (const line of text.split("\n")) {
    const ticks = /^`{3,}/.exec(line)?.[0];
    if (open === undefined) {
      if (ticks !== undefined) open = { ticks, lines: [] };
    } else if (line.trimEnd() === open.ticks) {
      found.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return found;
}
