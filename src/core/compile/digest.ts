import type { Message } from "../message.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { nameOf } from "./sender.ts";
import { tokensOf } from "./tokens.ts";

const wordsLimit = 100;
const titleLimit = 60;
const titles = 3;

export const leftOutLine =
  "[Earlier messages of this conversation are left out.]";

/** The outline of one batch on one line: who asked what, how it was answered, and with which tools. */
export function outlineOf(rows: readonly Message[]): string {
  const entries = entriesOf(rows);
  const said = entries.filter((entry) => entry.kind === "said");
  const asked = said.filter((entry) => entry.row.body.kind === "user");
  const answered = said.filter((entry) => entry.row.body.kind === "agent");
  const parts = [
    asked.map(quoted).join(", "),
    answered.slice(-1).map(quoted).join(""),
  ];
  const aside = [...toolsOf(entries), ...endsOf(entries)];
  const line = parts.filter((part) => part !== "").join(" → ");
  return `- ${line}${aside.length > 0 ? ` (${aside.join("; ")})` : ""}`;
}

/** Outlines, oldest first, under a line that says what they are and what is missing. */
export function digestOf(
  outlines: readonly string[],
  leftOut: boolean,
): string {
  const missing = leftOut ? " Earlier ones are left out." : "";
  if (outlines.length === 0) return leftOut ? leftOutLine : "";
  const count = `${outlines.length} earlier exchange${outlines.length === 1 ? "" : "s"}`;
  return `[Digest of ${count}, oldest first; only outlines are included.${missing}]\n\n${outlines.join("\n")}\n`;
}

/** A summary within so many tokens: whole, else its newest lines; null when there is room for none. */
export function shortened(text: string, mostTokens: number): string | null {
  if (tokensOf(text.length) <= mostTokens) return text;
  const head = "[The newest part of a summary.]\n\n";
  const lines = text.trimEnd().split("\n").slice(1);
  const kept: string[] = [];
  let characters = head.length;
  for (const line of lines.toReversed()) {
    characters += line.length + 1;
    if (line === "" || tokensOf(characters) > mostTokens) break;
    kept.unshift(line);
  }
  return kept.length === 0 ? null : `${head}${kept.join("\n")}\n`;
}

function quoted(entry: Extract<Entry, { kind: "said" }>): string {
  const words = entry.blocks
    .map((block) => (block.type === "text" ? block.text : `(${block.type})`))
    .join(" ");
  return `${oneLine(nameOf(entry.row.sender), titleLimit)}: ${JSON.stringify(oneLine(words, wordsLimit))}`;
}

function toolsOf(entries: readonly Entry[]): string[] {
  const calls = entries.filter((entry) => entry.kind === "tool");
  const named = calls
    .slice(0, titles)
    .map(
      ({ row }) =>
        `${row.body.toolKind} ${JSON.stringify(oneLine(row.body.title, titleLimit))}`,
    );
  const more = calls.length - named.length;
  return more > 0 ? [...named, `${more} more tool calls`] : named;
}

function endsOf(entries: readonly Entry[]): string[] {
  return entries
    .filter((entry) => entry.kind === "ended")
    .map(({ row }) => `ended: ${row.body.stop}`);
}

function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/gu, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
