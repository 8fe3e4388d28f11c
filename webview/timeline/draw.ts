import { scaleTime } from "d3-scale";
import { t } from "../../src/util/l10n.ts";
import type { GlyphName } from "./glyphs.ts";
import { anyWithin, firstAfter } from "./lanes.ts";
import type { Bar, Lane } from "./lanes.ts";
import {
  drawAgain,
  drawGoesOn,
  drawQueue,
  drawTyped,
  fade,
  fill,
  hatch,
  stamp,
  tear,
} from "./marks.ts";
import type { Context, Rect } from "./marks.ts";
import {
  axisHeight,
  barHeight,
  barTop,
  laneHeight,
  standsFree,
  timeAt,
  x,
} from "./picture.ts";
import type { Picture } from "./picture.ts";

/** Narrower bars are drawn together: what a screen can't show costs nothing. */
const narrow = 3;

/** Rectangles by what they mean: each colour is filled once. */
interface Ink {
  readonly think: Rect[];
  readonly tool: Rect[];
  readonly permission: Rect[];
  readonly compile: Rect[];
  readonly failed: Rect[];
  readonly dense: Rect[];
}

export function draw(context: Context, picture: Picture): void {
  const { width, height, colours, lanes, top } = picture;
  context.clearRect(0, 0, width, height);
  drawAxis(context, picture);
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, width, height - axisHeight);
  context.clip();
  const ink: Ink = {
    think: [],
    tool: [],
    permission: [],
    compile: [],
    failed: [],
    dense: [],
  };
  const first = Math.floor(top / laneHeight);
  const last = Math.ceil((top + height - axisHeight) / laneHeight);
  const after: (() => void)[] = [];
  lanes.slice(first, last).forEach((lane, index) => {
    const y = axisHeight + (first + index) * laneHeight - top;
    drawLane(context, picture, lane, y, ink, after);
  });
  fill(context, ink.dense, colours.think);
  fill(
    context,
    ink.think,
    colours.border === null ? colours.think : colours.bg,
  );
  fill(context, ink.tool, colours.tool);
  fill(context, ink.permission, hatch(context, colours));
  fill(context, ink.failed, colours.bad);
  if (colours.border !== null) {
    context.strokeStyle = colours.border;
    context.lineWidth = 1;
    for (const list of [ink.think, ink.tool, ink.permission, ink.dense])
      for (const [x, y, w, h] of list)
        context.strokeRect(x + 0.5, y + 0.5, Math.max(0, w - 1), h - 1);
  }
  fill(context, ink.compile, colours.fg);
  for (const paint of after) paint();
  context.restore();
}

function drawAxis(context: Context, picture: Picture): void {
  const { range, width, height, now, colours } = picture;
  const scale = scaleTime([range.from, range.to], [0, width]);
  const ticks = scale.ticks(Math.max(2, Math.floor(width / 130)));
  const format = scale.tickFormat();
  const step = (ticks[1]?.getTime() ?? 0) - (ticks[0]?.getTime() ?? 0);
  context.font = colours.font;
  const at = x(picture, now);
  const word = t("now");
  const wordWidth = context.measureText(word).width;
  const inView = at >= 0 && at <= width;
  // Its word stands within the axis where its line is at the edge.
  const spot = {
    at: Math.min(Math.max(at, wordWidth / 2), width - wordWidth / 2),
    width: wordWidth,
  };
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colours.fg2;
  const lines: Rect[] = [];
  for (const tick of ticks) {
    const left = Math.round(scale(tick));
    lines.push([left, axisHeight, 1, height - axisHeight]);
    const text = label(tick, step, format);
    const place = { at: left, width: context.measureText(text).width };
    if (standsFree(place, width, inView ? spot : undefined))
      context.fillText(text, left, axisHeight / 2 + 1);
  }
  context.globalAlpha = colours.border === null ? 0.6 : 0.35;
  fill(context, lines, colours.hair);
  context.globalAlpha = 1;
  if (!inView) return;
  fill(
    context,
    [[Math.round(at), axisHeight, 1, height - axisHeight]],
    colours.accent,
  );
  context.fillStyle = colours.link;
  context.fillText(word, spot.at, axisHeight / 2 + 1);
}

/** 14:05, 14:05:30, or what d3 makes of a day. */
function label(tick: Date, step: number, format: (at: Date) => string): string {
  if (step >= 43_200_000) return format(tick);
  const two = (n: number): string => String(n).padStart(2, "0");
  const minutes = `${two(tick.getHours())}:${two(tick.getMinutes())}`;
  return step >= 60_000 ? minutes : `${minutes}:${two(tick.getSeconds())}`;
}

function drawLane(
  context: Context,
  picture: Picture,
  { queued, bars, failed }: Lane,
  y: number,
  ink: Ink,
  after: (() => void)[],
): void {
  const { range, now, width, colours } = picture;
  fill(context, [[0, Math.round(y), width, 1]], colours.hair);
  let at = firstAfter(bars, range.from);
  // The icon at the end of an earlier bar may still be in view.
  at = Math.max(0, at - 1);
  for (let bar = bars[at]; bar !== undefined; bar = bars[at]) {
    if (Math.min(bar.from, ...bar.batch.typed) > range.to) break;
    const left = x(picture, bar.from);
    const right = x(picture, Math.min(bar.to, now));
    if (right - left >= narrow || !crowded(picture, bars, at)) {
      drawBar(context, picture, bar, bars[at - 1], y, ink, after);
      at += 1;
      continue;
    }
    const end = Math.max(right, left + narrow);
    ink.dense.push([left, y + barTop, end - left, barHeight]);
    const until = timeAt(picture, end);
    if (anyWithin(failed, bar.from, until))
      ink.failed.push([left, y + barTop + barHeight - 3, end - left, 3]);
    at = Math.max(at + 1, firstAfter(bars, until));
  }
  drawQueue(context, picture, queued, y);
}

/** Whether the next bar begins where this one can hardly be seen. */
function crowded(picture: Picture, bars: readonly Bar[], at: number): boolean {
  const [bar, next] = [bars[at], bars[at + 1]];
  if (bar === undefined || next === undefined) return false;
  return x(picture, next.from) - x(picture, bar.from) < narrow * 2;
}

function drawBar(
  context: Context,
  picture: Picture,
  bar: Bar,
  before: Bar | undefined,
  y: number,
  ink: Ink,
  after: (() => void)[],
): void {
  const { now, colours } = picture;
  const { batch } = bar;
  const top = y + barTop;
  const failed = batch.status === "failed";
  const height = failed ? barHeight - 3 : barHeight;
  const start = x(picture, bar.from);
  let end = start + 2;
  ink.compile.push([start, top, 2, barHeight]);
  for (const { kind, from, to } of batch.parts) {
    const left = Math.max(start + 2, x(picture, from));
    const right = Math.max(left + 1, x(picture, Math.min(to ?? now, now)) - 1);
    if (kind === "compile") ink.compile.push([right - 1, top, 2, barHeight]);
    else ink[kind].push([left, top, right - left, height]);
    end = Math.max(end, right);
  }
  if (failed) ink.failed.push([start, top + height, end - start, 3]);
  after.push(() => {
    drawTyped(context, picture, bar, y);
    if (before !== undefined && before.batch.id === batch.parent)
      if (batch.retry) drawAgain(context, picture, before, start, y);
      else drawGoesOn(context, picture, before.to, bar.from, y);
    else if (batch.type === "continuation")
      drawGoesOn(context, picture, bar.from, bar.from, y);
    for (const { claimed } of batch.turns.slice(1))
      drawGoesOn(context, picture, endBefore(batch.parts, claimed), claimed, y);
    const running =
      batch.status === "processing" || batch.status === "collecting";
    if (running) fade(context, end, top, colours.bg);
    const glyph = endGlyphs[batch.status];
    if (glyph === undefined) return;
    if (batch.status === "interrupted") tear(context, end, top, colours.bg);
    const colour = failed ? colours.bad : colours.fg2;
    stamp(context, glyph, end + 3, top - 1, colour);
  });
}

/** Where the turn ended that another of the same batch goes on from. */
function endBefore(
  parts: readonly Bar["batch"]["parts"][number][],
  time: number,
): number {
  return parts.findLast(({ to }) => to !== null && to <= time)?.to ?? time;
}

const endGlyphs: Readonly<Partial<Record<Bar["batch"]["status"], GlyphName>>> =
  {
    failed: "error",
    interrupted: "debug-disconnect",
    cancelled: "circle-slash",
  };
