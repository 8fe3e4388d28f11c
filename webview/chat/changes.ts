import { structuredPatch } from "diff";
import type { ViewToolContent } from "../../src/protocol/transcript.ts";

export type DiffContent = Extract<ViewToolContent, { type: "diff" }>;

export interface DiffLine {
  readonly kind: "same" | "add" | "del" | "gap";
  readonly number: number;
  readonly text: string;
}

export interface Change {
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  /** Lines that are left out of the preview. */
  readonly hidden: number;
}

const known = new WeakMap<DiffContent, Change | "large">();

/** What a diff changes, worked out once; a change that would take too long is too large to preview. */
export function changeOf(content: DiffContent): Change | "large" {
  const before = known.get(content);
  if (before !== undefined) return before;
  const change = computed(content);
  known.set(content, change);
  return change;
}

const longest = 400;

function computed({ oldText, newText }: DiffContent): Change | "large" {
  const patch = structuredPatch("a", "b", oldText ?? "", newText, "", "", {
    context: 2,
    timeout: 100,
  });
  if (patch === undefined) return "large";
  const lines: DiffLine[] = [];
  let [added, removed] = [0, 0];
  for (const [i, hunk] of patch.hunks.entries()) {
    let [was, is] = [hunk.oldStart, hunk.newStart];
    if (i > 0) lines.push({ kind: "gap", number: 0, text: "" });
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        added++;
        lines.push({ kind: "add", number: is++, text });
      } else if (line.startsWith("-")) {
        removed++;
        lines.push({ kind: "del", number: was++, text });
      } else if (line.startsWith(" ")) {
        was++;
        lines.push({ kind: "same", number: is++, text });
      }
    }
  }
  const hidden = Math.max(0, lines.length - longest);
  return { added, removed, lines: lines.slice(0, longest), hidden };
}
