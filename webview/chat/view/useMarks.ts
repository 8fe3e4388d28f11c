import { useEffect } from "preact/hooks";
import type { Marking } from "../spot.ts";
import { useApp } from "./context.ts";
import { rangesIn } from "./ranges.ts";

/** How often what is drawn meanwhile is marked anew. */
const every = 120;

/** Keeps what was looked for marked, also in what is drawn later. */
export function useMarks(): void {
  const app = useApp();
  const marking = app.reveal.marking.value;
  useEffect(() => {
    if (marking === undefined || !("highlights" in CSS)) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      mark(marking);
    };
    draw();
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(draw, every);
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      CSS.highlights.clear();
    };
  }, [marking]);
}

function mark(marking: Marking): void {
  const { only, current } = marking;
  const others: Range[] = [];
  const here: Range[] = [];
  const records = document.querySelectorAll<HTMLElement>(
    ".log [data-id], .queue [data-id]",
  );
  for (const record of records) {
    const { id } = record.dataset;
    if (only !== undefined && id !== only) continue;
    const ranges = rangesIn(record, marking);
    const nth =
      current !== undefined && id === current.message
        ? Math.min(current.nth, ranges.length - 1)
        : -1;
    for (const [i, range] of ranges.entries())
      (i === nth ? here : others).push(range);
  }
  CSS.highlights.set("found", new Highlight(...others));
  CSS.highlights.set("found-here", new Highlight(...here));
}
