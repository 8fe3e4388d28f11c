import type { JSX } from "preact";
import { changeOf } from "../changes.ts";
import type { DiffContent } from "../changes.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { useTabStop } from "./context.ts";

interface Props {
  readonly content: DiffContent;
  /** Nothing in it can hide or move the rest. */
  readonly exact?: boolean | undefined;
  /** Shows it whole in the editor; a change that is in no record yet can't be. */
  readonly open?: (() => void) | undefined;
}

export function Diff({ content, exact = false, open }: Props): JSX.Element {
  const stop = useTabStop();
  const change = changeOf(content);
  const shown = (line: string): string =>
    exact ? visible(line.replace(/\r$/u, "")) : line;
  if (change === "large")
    return (
      <div class="term small" tabIndex={-1}>
        {words.tool.noPreview} <Whole open={open} />
      </div>
    );
  return (
    <>
      <div
        class="diff"
        tabIndex={stop}
        role="group"
        aria-label={words.tool.change(visible(content.path))}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || open === undefined) return;
          event.preventDefault();
          open();
        }}
      >
        {change.lines.map((line, i) => (
          <span
            key={i}
            class={line.kind === "same" ? "" : line.kind}
            data-n={line.kind === "gap" ? "⋯" : line.number}
          >
            {shown(line.text) || " "}
          </span>
        ))}
      </div>
      {change.hidden > 0 && (
        <div class="cut-note small">
          {words.tool.hiddenLines(change.hidden)} <Whole open={open} />
        </div>
      )}
    </>
  );
}

function Whole({ open }: Pick<Props, "open">): JSX.Element | null {
  const stop = useTabStop();
  return open === undefined ? null : (
    <button
      type="button"
      class="link"
      tabIndex={stop}
      data-testid="open-diff-whole"
      onClick={open}
    >
      {words.tool.openDiff}
    </button>
  );
}
