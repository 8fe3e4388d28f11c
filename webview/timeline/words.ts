import type { TimelineBatch } from "../../src/protocol/timeline.ts";
import {
  bytes,
  clockTime,
  compact,
  exactTime,
  running,
} from "../chat/format.ts";
import { took } from "../../src/util/took.ts";
import { spent } from "./figures.ts";
import type { Bar } from "./lanes.ts";

export const statusWords: Readonly<Record<TimelineBatch["status"], string>> = {
  collecting: "starting",
  processing: "running",
  completed: "done",
  cancelled: "stopped",
  failed: "failed",
  interrupted: "interrupted",
};

export const typeWords: Readonly<Record<TimelineBatch["type"], string>> = {
  user_request: "from you",
  agent_to_agent: "from an agent",
  system_trigger: "from a trigger",
  continuation: "continued",
};

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

/** How long a turn has taken, as it is said of one that runs and of one that is over. */
export function lasted({ from, to }: Bar, now: number): string {
  return Number.isFinite(to) ? took(to - from) : running(now - from);
}

/** 14:03:02 today, 3 Nov, 14:03:02 on another day. */
export function moment(at: number, now: number): string {
  return `${dayBefore(at, now)}${exactTime(at)}`;
}

/** 14:03 to 15:10, with the day of each that is not today; now when it goes on. */
export function span(from: number, to: number | null, now: number): string {
  const told = (at: number): string => `${dayBefore(at, now)}${clockTime(at)}`;
  if (to === null) return `${told(from)} to now`;
  const same = new Date(from).toDateString() === new Date(to).toDateString();
  const end = same ? clockTime(to) : told(to);
  return told(from) === told(to) ? told(from) : `${told(from)} to ${end}`;
}

function dayBefore(at: number, now: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date(now).toDateString()) return "";
  const day = { day: "numeric", month: "short" } as const;
  return `${then.toLocaleDateString(undefined, day)}, `;
}

/** Turn 12, or just that it is one before all are counted. */
export function turnName({ n }: Pick<Bar, "n">): string {
  return n === null ? "Turn" : `Turn ${n}`;
}

/** A turn in one line, for those who listen. */
export function barLabel(bar: Bar, now: number): string {
  const { batch } = bar;
  const parts = [
    turnName(bar),
    counted(batch.typed.length, "message"),
    ...(batch.type === "user_request" ? [] : [typeWords[batch.type]]),
    ...relations(bar),
    statusWords[batch.status],
    lasted(bar, now),
  ];
  return parts.join(", ");
}

/** What the card and the table tell of a turn: name and value. */
export function details(
  bar: Bar,
  now: number,
  /** Estimated bytes that were not sent again. */
  notResent = 0,
): readonly (readonly [string, string])[] {
  const { batch } = bar;
  const { typed, claimed, sent, tokens, stop } = batch;
  const waits = waitsOf(batch, claimed);
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  const wait =
    most < 100
      ? "not at all"
      : took(least) === took(most)
        ? took(most)
        : `${took(least)} to ${took(most)}`;
  const work = (["tool", "think", "permission"] as const).flatMap((kind) => {
    const ms = spent(batch, kind, now);
    return ms < 1 ? [] : [`${partWords[kind]} ${took(ms)}`];
  });
  return [
    ...(typed.length === 0 ? [] : [["Waited", wait] as const]),
    ...(work.length === 0 ? [] : [["Worked", work.join(", ")] as const]),
    ...(sent === null
      ? []
      : [["Sent", `${sent.kind}, ${sizes(sent.bytes, notResent)}`] as const]),
    ...(tokens === undefined ? [] : [["Tokens", compact(tokens)] as const]),
    ...(stop === null ? [] : [["Ended", stop] as const]),
    ...relations(bar).map((text) => ["Again", text] as const),
  ];
}

/** Retry of 3, continues 3, retried as 4 and 5. */
export function relations({
  batch,
  parent,
  retries,
  attempt,
}: Bar): readonly string[] {
  const which = parent === null ? "an earlier turn" : `turn ${parent}`;
  return [
    ...(batch.parent === null
      ? []
      : [
          batch.retry
            ? `retry of ${which}${attempt > 2 ? `, try ${attempt}` : ""}`
            : `continues ${which}`,
        ]),
    ...(batch.turns.length > 1
      ? [`continued ${counted(batch.turns.length - 1, "time")}`]
      : []),
    ...(retries.length === 0
      ? []
      : [`retried as turn ${retries.join(" and ")}`]),
  ];
}

function sizes(sent: number, notResent: number): string {
  return notResent === 0
    ? bytes(sent)
    : `${bytes(sent)} of ≈${bytes(sent + notResent)}`;
}

/** Each message waited until its own turn took it. */
function waitsOf(
  { typed, turns }: TimelineBatch,
  claimed: number,
): readonly number[] {
  const taken = turns.flatMap((turn) =>
    Array.from({ length: turn.messages }, () => turn.claimed),
  );
  return typed.map((at, index) => Math.max(0, (taken[index] ?? claimed) - at));
}

export const partWords = {
  compile: "compile",
  think: "thinking",
  tool: "tools",
  permission: "waits for you",
} as const;
