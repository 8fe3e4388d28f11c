/** What is in view, in wall-clock milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const shortest = 1_000;

/** Zooms by a factor; what is under `at` stays there. */
export function zoomed(range: Range, factor: number, at: number): Range {
  const span = range.to - range.from;
  const next = Math.max(shortest, span * factor);
  const share = span === 0 ? 0.5 : (at - range.from) / span;
  const from = at - next * share;
  return { from, to: from + next };
}

export function panned(range: Range, by: number): Range {
  return { from: range.from + by, to: range.to + by };
}

/** Keeps the view on what there is, with a little air. */
export function kept(range: Range, all: Range): Range {
  const whole = withAir(all);
  const span = Math.min(range.to - range.from, whole.to - whole.from);
  const from = Math.min(Math.max(range.from, whole.from), whole.to - span);
  return { from, to: from + span };
}

/** All there is, and a little more on both sides. */
export function withAir({ from, to }: Range): Range {
  const span = Math.max(shortest * 10, to - from);
  return { from: from - span * 0.02, to: from + span * 1.04 };
}

/** Goes along with an end that moves on, a little ahead of it. */
export function following(range: Range, end: number): Range {
  const ahead = (range.to - range.from) * 0.04;
  return end <= range.to ? range : panned(range, end + ahead - range.to);
}

/** Moves just as far as it takes to have something in view. */
export function including(range: Range, { from, to }: Range): Range {
  const span = range.to - range.from;
  const air = span * 0.05;
  if (from < range.from) return panned(range, from - air - range.from);
  if (Math.min(to, from + span) > range.to)
    return panned(range, Math.min(to + air - range.to, from - range.from));
  return range;
}

export function middle({ from, to }: Range): number {
  return (from + to) / 2;
}

/** What a pointer takes hold of: an edge of the window, or all of it. */
export type Grip = "from" | "to" | "window";

/** How near to an edge is on it, in pixels; a narrow window keeps a middle to take hold of. */
const edge = 6;

export function gripAt(at: number, left: number, right: number): Grip {
  const inside = Math.min(edge, (right - left) / 3);
  if (at > left - edge && at < left + inside) return "from";
  if (at < right + edge && at > right - inside) return "to";
  return "window";
}

/** One edge goes to a time; the other stays. */
export function resized(range: Range, grip: "from" | "to", to: number): Range {
  return grip === "from"
    ? { from: Math.min(to, range.to - shortest), to: range.to }
    : { from: range.from, to: Math.max(to, range.from + shortest) };
}
