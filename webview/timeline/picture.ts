import type { Colours } from "./colours.ts";
import type { Lane } from "./lanes.ts";
import type { Range } from "./range.ts";

export const laneHeight = 40;
export const axisHeight = 22;
export const barHeight = 12;
export const barTop = laneHeight - 6 - barHeight;
export const dotY = 8;

export interface Picture {
  readonly lanes: readonly Lane[];
  readonly range: Range;
  readonly now: number;
  readonly width: number;
  readonly height: number;
  /** How far the lanes are scrolled. */
  readonly top: number;
  readonly colours: Colours;
}

type Span = Pick<Picture, "range" | "width">;

export function x({ range, width }: Span, time: number): number {
  return ((time - range.from) / (range.to - range.from)) * width;
}

export function timeAt({ range, width }: Span, left: number): number {
  return range.from + (left / width) * (range.to - range.from);
}

/** A text of the axis: where its middle is, and how wide it is. */
export interface AxisText {
  readonly at: number;
  readonly width: number;
}

/** Whether it is within the axis and does not touch another. */
export function standsFree(
  text: AxisText,
  width: number,
  other?: AxisText,
): boolean {
  const half = text.width / 2;
  const gap = 8;
  return (
    text.at > half &&
    text.at < width - half &&
    (other === undefined ||
      Math.abs(text.at - other.at) > half + other.width / 2 + gap)
  );
}
