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
import { t } from "../../src/util/l10n.ts";

export const statusWords: Readonly<Record<TimelineBatch["status"], string>> = {
  collecting: t("starting"),
  processing: t("running"),
  completed: t("done"),
  cancelled: t("stopped"),
  failed: t("failed"),
  interrupted: t("interrupted"),
};

export const typeWords: Readonly<Record<TimelineBatch["type"], string>> = {
  user_request: t("from you"),
  agent_to_agent: t("from an agent"),
  system_trigger: t("from a trigger"),
  continuation: t("continued"),
};

/** Why a turn ended: what the agent gave as its reason, or what kept it from giving one. */
const stopWords: Readonly<Record<NonNullable<TimelineBatch["stop"]>, string>> =
  {
    end_turn: t("by itself"),
    cancelled: t("when it was stopped"),
    max_tokens: t("at the limit of tokens"),
    max_turn_requests: t("at the limit of steps"),
    refusal: t("with a refusal"),
    stuck: t("stuck, and was given up"),
    error: t("with an error"),
    interrupted: t("in the middle"),
  };

export function countedMessages(n: number): string {
  return n === 1 ? t("1 message") : t("{0} messages", n);
}

export function countedTurns(n: number): string {
  return n === 1 ? t("1 turn") : t("{0} turns", n);
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
  if (to === null) return t("{0} to now", told(from));
  const same = new Date(from).toDateString() === new Date(to).toDateString();
  const end = same ? clockTime(to) : told(to);
  return told(from) === told(to)
    ? told(from)
    : t("{0} to {1}", told(from), end);
}

function dayBefore(at: number, now: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date(now).toDateString()) return "";
  const day = { day: "numeric", month: "short" } as const;
  return `${then.toLocaleDateString(undefined, day)}, `;
}

/** Turn 12, or just that it is one before all are counted. */
export function turnName({ n }: Pick<Bar, "n">): string {
  return n === null ? t("Turn") : t("Turn {0}", n);
}

/** A turn in one line, for those who listen. */
export function barLabel(bar: Bar, now: number): string {
  const { batch } = bar;
  const parts = [
    turnName(bar),
    countedMessages(batch.typed.length),
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
      ? t("not at all")
      : took(least) === took(most)
        ? took(most)
        : t("{0} to {1}", took(least), took(most));
  const work = (["tool", "think", "permission", "compile"] as const).flatMap(
    (kind) => {
      const ms = spent(batch, kind, now);
      const long = ms < 100 ? `${Math.round(ms)} ms` : took(ms);
      return ms < 1 ? [] : [`${partWords[kind]} ${long}`];
    },
  );
  return [
    ...(typed.length === 0 ? [] : [[t("Waited"), wait] as const]),
    ...(work.length === 0 ? [] : [[t("Worked"), work.join(", ")] as const]),
    ...(sent === null
      ? []
      : [
          [
            t("Sent"),
            `${sentWords[sent.kind]}, ${sizes(sent.bytes, notResent)}`,
          ] as const,
        ]),
    ...(tokens === undefined ? [] : [[t("Tokens"), compact(tokens)] as const]),
    ...(stop === null ? [] : [[t("Ended"), stopWords[stop]] as const]),
    ...relations(bar).map((text) => [t("Again"), text] as const),
  ];
}

/** Retry of 3, continues 3, retried as 4 and 5. */
export function relations({
  batch,
  parent,
  retries,
  attempt,
}: Bar): readonly string[] {
  return [
    ...(batch.parent === null
      ? []
      : batch.retry
        ? [retryOf(parent, attempt)]
        : [continues(parent)]),
    ...(batch.turns.length > 1 ? [continuedTimes(batch.turns.length - 1)] : []),
    ...(retries.length === 0
      ? []
      : [t("retried as turn {0}", retries.join(t(" and ")))]),
  ];
}

function retryOf(turn: number | null, attempt: number): string {
  if (turn === null)
    return attempt > 2
      ? t("retry of an earlier turn, try {0}", attempt)
      : t("retry of an earlier turn");
  return attempt > 2
    ? t("retry of turn {0}, try {1}", turn, attempt)
    : t("retry of turn {0}", turn);
}

function continues(turn: number | null): string {
  return turn === null
    ? t("continues an earlier turn")
    : t("continues turn {0}", turn);
}

function continuedTimes(n: number): string {
  return n === 1 ? t("continued 1 time") : t("continued {0} times", n);
}

function sizes(sent: number, notResent: number): string {
  return notResent === 0
    ? bytes(sent)
    : t("{0} of ≈{1}", bytes(sent), bytes(sent + notResent));
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

export const sentWords: Readonly<
  Record<NonNullable<TimelineBatch["sent"]>["kind"], string>
> = { full: t("full"), delta: t("delta") };

export const partWords = {
  compile: t("compile"),
  think: t("thinking"),
  tool: t("tools"),
  permission: t("waits for you"),
} as const;
