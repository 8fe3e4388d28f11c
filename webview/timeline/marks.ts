import type { Colours } from "./colours.ts";
import { glyphs } from "./glyphs.ts";
import type { GlyphName } from "./glyphs.ts";
import type { Bar } from "./lanes.ts";
import { barHeight, barTop, dotY, x } from "./picture.ts";
import type { Picture } from "./picture.ts";

export type Context = CanvasRenderingContext2D;
export type Rect = readonly [x: number, y: number, w: number, h: number];

/** Dots when typed; the line gathers them and drops into the bar. */
export function drawTyped(
  context: Context,
  picture: Picture,
  { batch, from }: Bar,
  y: number,
): void {
  const { colours } = picture;
  const xs = batch.typed.map((time) => x(picture, time));
  const [first, end] = [Math.min(...xs), x(picture, from)];
  if (end - first > 4) {
    context.strokeStyle = colours.fg3;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(first, y + dotY + 0.5);
    context.arcTo(end + 0.5, y + dotY + 0.5, end + 0.5, y + barTop, 5);
    context.lineTo(end + 0.5, y + barTop);
    context.stroke();
  }
  context.fillStyle = colours.fg2;
  context.beginPath();
  for (const at of xs)
    if (batch.type === "agent_to_agent") diamond(context, at, y + dotY + 0.5);
    else if (batch.type === "system_trigger")
      context.rect(at - 2.5, y + dotY - 2, 5, 5);
    else {
      context.moveTo(at + 2.5, y + dotY + 0.5);
      context.arc(at, y + dotY + 0.5, 2.5, 0, 7);
    }
  context.fill();
}

export function drawQueue(
  context: Context,
  picture: Picture,
  queued: readonly number[],
  y: number,
): void {
  if (queued.length === 0) return;
  const { colours, now } = picture;
  const line = y + dotY + 0.5;
  context.strokeStyle = colours.fg3;
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  context.beginPath();
  context.moveTo(x(picture, Math.min(...queued)), line);
  context.lineTo(x(picture, now), line);
  context.stroke();
  context.setLineDash([]);
  context.strokeStyle = colours.fg2;
  context.fillStyle = colours.bg;
  context.beginPath();
  for (const at of queued) {
    const left = x(picture, at);
    context.moveTo(left + 2.5, line);
    context.arc(left, line, 2.5, 0, 7);
  }
  context.fill();
  context.stroke();
}

export function drawAgain(
  context: Context,
  picture: Picture,
  before: Bar,
  start: number,
  y: number,
): void {
  const from = x(picture, before.to) + 20;
  if (start - from < 4) return;
  context.strokeStyle = picture.colours.fg2;
  context.setLineDash([1, 2]);
  context.beginPath();
  context.moveTo(from, y + barTop + 6.5);
  context.lineTo(start - 2, y + barTop + 6.5);
  context.stroke();
  context.setLineDash([]);
}

/** Goes on where another ended: a whole line between them, and a notch where it begins. */
export function drawGoesOn(
  context: Context,
  picture: Picture,
  ended: number,
  begins: number,
  y: number,
): void {
  const { colours } = picture;
  const [from, start] = [x(picture, ended), x(picture, begins)];
  const top = y + barTop;
  if (start - from > 4) {
    context.strokeStyle = colours.fg3;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(from, top + barHeight / 2 + 0.5);
    context.lineTo(start, top + barHeight / 2 + 0.5);
    context.stroke();
  }
  context.fillStyle = colours.bg;
  context.beginPath();
  context.moveTo(start, top);
  context.lineTo(start + 5, top + barHeight / 2);
  context.lineTo(start, top + barHeight);
  context.fill();
}

/** Running: its end is not there yet. */
export function fade(
  context: Context,
  end: number,
  top: number,
  bg: string,
): void {
  const shade = context.createLinearGradient(end - 28, 0, end, 0);
  shade.addColorStop(0, "transparent");
  shade.addColorStop(1, bg);
  context.fillStyle = shade;
  context.fillRect(end - 28, top, 29, barHeight);
}

export function tear(
  context: Context,
  end: number,
  top: number,
  bg: string,
): void {
  context.fillStyle = bg;
  context.beginPath();
  context.moveTo(end + 1, top);
  context.lineTo(end - 4, top + 4);
  context.lineTo(end, top + 8);
  context.lineTo(end - 4, top + barHeight);
  context.lineTo(end + 1, top + barHeight);
  context.fill();
}

export function stamp(
  context: Context,
  name: GlyphName,
  left: number,
  top: number,
  colour: string,
): void {
  context.save();
  context.translate(left, top);
  context.scale(14 / 16, 14 / 16);
  context.fillStyle = colour;
  for (const path of glyphs[name]) context.fill(path);
  context.restore();
}

function diamond(context: Context, at: number, y: number): void {
  context.moveTo(at - 3.5, y);
  context.lineTo(at, y - 3.5);
  context.lineTo(at + 3.5, y);
  context.lineTo(at, y + 3.5);
  context.closePath();
}

export function fill(
  context: Context,
  rects: readonly Rect[],
  style: string | CanvasPattern,
): void {
  if (rects.length === 0) return;
  context.fillStyle = style;
  context.beginPath();
  for (const [left, top, width, height] of rects)
    context.rect(left, top, width, height);
  context.fill();
}

const hatches = new Map<string, CanvasPattern>();

/** Waits for you: told by its pattern, not by its colour alone. */
export function hatch(
  context: Context,
  { perm, bg }: Colours,
): CanvasPattern | string {
  const key = `${perm} ${bg}`;
  const known = hatches.get(key);
  if (known !== undefined) return known;
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
  if (pen === null) return perm;
  pen.fillStyle = bg;
  pen.fillRect(0, 0, 6, 6);
  pen.globalAlpha = 0.22;
  pen.fillStyle = perm;
  pen.fillRect(0, 0, 6, 6);
  pen.globalAlpha = 1;
  pen.strokeStyle = perm;
  pen.lineWidth = 2;
  for (const shift of [-6, 0, 6]) {
    pen.beginPath();
    pen.moveTo(shift - 1, 7);
    pen.lineTo(shift + 7, -1);
    pen.stroke();
  }
  const pattern = context.createPattern(tile, "repeat") ?? perm;
  if (typeof pattern !== "string") hatches.set(key, pattern);
  return pattern;
}
