import type { Marking, Spot } from "../spot.ts";
import { rangesIn } from "./ranges.ts";
import type { VirtualHandle } from "./virtual.ts";

/** Frames it may take until sizes are known. */
const patience = 120;
/** Room kept above what comes into view, and below: the find box lies over the top. */
const margin = 72;

export interface Bringing {
  readonly box: HTMLElement;
  readonly virtual: VirtualHandle;
  readonly index: number;
  readonly spot: Spot;
  readonly marking: Marking | undefined;
  readonly done: (found: HTMLElement | undefined) => void;
}

/** Scrolls to a spot that may not be drawn yet, until it stands still in view; the answer gives up. */
export function bring(what: Bringing): () => void {
  const { box, virtual, index, spot } = what;
  let frames = 0;
  let still = 0;
  let request = 0;
  const group = (): HTMLElement | undefined =>
    [...box.querySelectorAll<HTMLElement>("[data-key]")].find(
      ({ dataset }) => dataset["key"] === spot.key,
    );
  const look = (): void => {
    const found = group();
    const rect = found === undefined ? undefined : rectOf(found, what);
    if (rect === undefined) {
      if (frames % 10 === 0) virtual.scrollToIndex(index, { align: "start" });
    } else {
      const before = box.scrollTop;
      box.scrollTop += offBy(rect, box, spot);
      // At an end of the transcript it can come no nearer.
      still = Math.abs(box.scrollTop - before) < 1 ? still + 1 : 0;
    }
    if (still >= 3 || ++frames > patience) what.done(found);
    else request = requestAnimationFrame(look);
  };
  request = requestAnimationFrame(look);
  return () => cancelAnimationFrame(request);
}

interface Rect {
  readonly top: number;
  readonly bottom: number;
}

function rectOf(
  group: HTMLElement,
  { spot, marking }: Bringing,
): Rect | undefined {
  if (spot.message === undefined) return group.getBoundingClientRect();
  const selector = `[data-id="${CSS.escape(spot.message)}"]`;
  const message = group.querySelector<HTMLElement>(selector);
  if (message === null) return undefined;
  const ranges = marking === undefined ? [] : rangesIn(message, marking);
  const range = ranges[spot.nth ?? 0] ?? ranges.at(-1);
  const rect = range?.getBoundingClientRect();
  // A place that is cut off on one line has no height of its own.
  return rect === undefined || rect.height === 0
    ? message.getBoundingClientRect()
    : rect;
}

function offBy(rect: Rect, box: HTMLElement, spot: Spot): number {
  const { top, height } = box.getBoundingClientRect();
  const [from, to] = [rect.top - top, rect.bottom - top];
  if (spot.message === undefined)
    return from >= 0 && from < height / 2 ? 0 : from;
  return from >= margin && to <= height - margin ? 0 : from - height / 3;
}
