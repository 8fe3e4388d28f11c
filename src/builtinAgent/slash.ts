import { parseEdit } from "./editRequest.ts";
import type { Intent } from "./request.ts";
import { takeRange } from "./lineRange.ts";
import { parseTarget } from "./target.ts";
import { parseTextSearch } from "./textSearch.ts";
import { unquote } from "./words.ts";

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** For the help and for a command without what it needs. */
  readonly example: string;
}

type Slash =
  | Exclude<Intent, { kind: "plan" } | { kind: "unknown" }>
  | { readonly kind: "plan"; readonly text: string };

/** What the agent announces, in the order it is shown. */
export const commands: readonly Command[] = [
  {
    name: "workspace",
    description: "What is in this workspace",
    example: "/workspace",
  },
  {
    name: "find",
    description: "Find files by name or pattern",
    hint: "name or pattern",
    example: "/find *.test.ts",
  },
  {
    name: "read",
    description: "Read a file, or some of its lines, or list a folder",
    hint: "path [from-to]",
    example: "/read README.md 1-20",
  },
  {
    name: "search",
    description: "Search the text of all files",
    hint: "text or /pattern/ [in path]",
    example: "/search TODO in src",
  },
  {
    name: "edit",
    description: "Replace text in a file, after asking",
    hint: 'path "old" -> "new"',
    example: '/edit README.md "teh" -> "the"',
  },
  {
    name: "run",
    description: "Run a command, after asking",
    hint: "command",
    example: "/run npm test",
  },
  {
    name: "diagnostics",
    description: "Explain the errors and warnings attached to the message",
    example: "/diagnostics",
  },
  {
    name: "plan",
    description: "Do several things in order",
    hint: "step; step; …",
    example: "/plan find *.md; read the first one",
  },
  {
    name: "help",
    description: "What this agent can do",
    example: "/help",
  },
];

/** Of what the rules look at; only `/edit` and `/run` take more. */
export const longest = 4_000;

/** A message that is a slash command; undefined when it is not one. */
export function parseSlash(text: string): Slash | undefined {
  const match = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text);
  if (match === null) return undefined;
  const name = (match[1] ?? "").toLowerCase();
  const rest = (match[2] ?? "").trim();
  const tooLong = rest.length > longest;
  const incomplete: Slash = { kind: "incomplete", command: name };
  switch (name) {
    case "help":
      return { kind: "help" };
    case "workspace":
      return { kind: "workspace" };
    case "diagnostics":
      return { kind: "diagnostics" };
    case "find":
      return tooLong || rest === ""
        ? incomplete
        : { kind: "find", pattern: unquote(rest), orText: false };
    case "read": {
      const { rest: path, range } = takeRange(tooLong ? "" : rest);
      const target = parseTarget(path) ?? {
        kind: "path",
        path: unquote(path),
      };
      return tooLong || path === ""
        ? incomplete
        : { kind: "read", target, ...(range && { range }) };
    }
    case "search":
      return (tooLong ? undefined : parseTextSearch(rest)) ?? incomplete;
    case "edit":
      return parseEdit(rest) ?? incomplete;
    case "run":
      return rest === "" ? incomplete : { kind: "run", command: rest };
    case "plan":
      return tooLong || rest === "" ? incomplete : { kind: "plan", text: rest };
    default:
      return { kind: "noSuchCommand", name };
  }
}
