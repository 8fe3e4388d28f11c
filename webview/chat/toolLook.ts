import type { ViewBody } from "../../src/protocol/transcript.ts";
import { changeOf } from "./changes.ts";
import type { IconName } from "./icons.ts";

export type ToolBody = Extract<ViewBody, { kind: "tool" }>;

const icons: Readonly<Record<ToolBody["toolKind"], IconName>> = {
  read: "file-code",
  edit: "edit",
  delete: "trash",
  move: "go-to-file",
  search: "search",
  execute: "terminal",
  think: "comment",
  fetch: "globe",
  switch_mode: "settings",
  other: "tools",
};

export const toolIcon = (kind: ToolBody["toolKind"]): IconName => icons[kind];

/** A title may quote its command in backticks: those words are code. */
export function titleParts(
  title: string,
): readonly { readonly text: string; readonly code: boolean }[] {
  return title
    .split("`")
    .map((text, i) => ({ text, code: i % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

export function hasDetail(tool: ToolBody): boolean {
  return (
    tool.content.length > 0 ||
    tool.locations.length > 0 ||
    tool.input !== undefined ||
    tool.output !== undefined
  );
}

const smallChange = 14;

/** Open by itself: what runs in a terminal, what failed, and a change short enough to read in passing. */
export function opensItself(tool: ToolBody): boolean {
  if (tool.content.length === 0) return false;
  const runs = tool.status === "in_progress" && tool.toolKind === "execute";
  if (runs || tool.status === "failed") return true;
  const diffs = tool.content.filter((content) => content.type === "diff");
  const [first] = diffs;
  if (first === undefined || diffs.length > 1) return false;
  const change = changeOf(first);
  return change !== "large" && change.lines.length <= smallChange;
}

/** Lines added and removed over all of a tool's diffs. */
export function totals(
  tool: ToolBody,
): { readonly added: number; readonly removed: number } | undefined {
  let sum: { added: number; removed: number } | undefined;
  for (const content of tool.content) {
    if (content.type !== "diff") continue;
    const change = changeOf(content);
    if (change === "large") return undefined;
    sum = {
      added: (sum?.added ?? 0) + change.added,
      removed: (sum?.removed ?? 0) + change.removed,
    };
  }
  return sum;
}
