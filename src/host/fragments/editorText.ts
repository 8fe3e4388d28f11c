import type { EditorPart } from "../settings.ts";
import { oneLine } from "./texts.ts";

/** What the user has in front of them, as far as it lies in the workspace. */
export interface EditorFacts {
  /** Relative to the thread's folder where it lies in it; undefined when no file is open. */
  readonly file?: string;
  readonly selection?: {
    readonly from: number;
    readonly to: number;
    readonly text: string;
  };
  /** Of that file, the worst first. */
  readonly problems: readonly {
    readonly line: number;
    readonly level: "error" | "warning";
    readonly text: string;
  }[];
}

const mostSelected = 4000;
const mostProblems = 10;

export function editorText(
  { file, selection, problems }: EditorFacts,
  shown: readonly EditorPart[],
): string {
  if (file === undefined) return "";
  const selected = shown.includes("selection") ? selection : undefined;
  const wrong = shown.includes("diagnostics") ? problems : [];
  if (!shown.includes("file") && selected === undefined && wrong.length === 0)
    return "";
  return [
    `The user has ${file} open.`,
    ...(selected === undefined ? [] : selectionLines(selected)),
    ...(wrong.length === 0
      ? []
      : [
          "Problems in it:",
          ...wrong
            .slice(0, mostProblems)
            .map(
              ({ line, level, text }) =>
                `- line ${line}, ${level}: ${oneLine(text)}`,
            ),
          ...(wrong.length > mostProblems
            ? [`- and ${wrong.length - mostProblems} more`]
            : []),
        ]),
  ].join("\n");
}

function selectionLines({
  from,
  to,
  text,
}: NonNullable<EditorFacts["selection"]>): readonly string[] {
  const where = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  if (text.length > mostSelected) return [`Selected: ${where}.`];
  const runs = [...text.matchAll(/`+/gu)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`Selected, ${where}:`, fence, text, fence];
}
