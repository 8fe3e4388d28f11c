import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { TimelineThread } from "../../../src/protocol/timeline.ts";
import type { Timeline } from "../app.ts";
import { Icon } from "../icons.tsx";
import { spread } from "../lanes.ts";
import type { Bar, Lane } from "../lanes.ts";
import { laneHeight, x } from "../picture.ts";
import { barLabel } from "../words.ts";
import { cardId } from "./Card.tsx";
import { t } from "../../../src/util/l10n.ts";

/** More could not be told apart, nor reached one by one. */
const mostButtons = 100;
const least = 6;

interface LanesProps {
  readonly app: Timeline;
  /** Of the tracks, in pixels. */
  readonly width: number;
}

/** Names, and a button for each turn in view. */
export function Lanes({ app, width }: LanesProps): JSX.Element {
  const lanes = app.lanes.value;
  const bars = inView(app, width);
  const focus = app.focus.value;
  const stop = bars.some(({ batch }) => batch.id === focus)
    ? focus
    : bars.at(-1)?.batch.id;
  useEffect(() => {
    // The turn the keys went to may only now be in view; by then they may have gone on.
    const at = app.focus.peek();
    const active = document.activeElement;
    if (at === undefined || active?.matches(".turn, body") !== true) return;
    const wanted = document.querySelector<HTMLElement>(
      `[data-batch="${CSS.escape(at)}"]`,
    );
    if (wanted !== null && wanted !== active) wanted.focus();
  }, [app, focus, bars.length]);
  return (
    <>
      {lanes.map((lane, index) => (
        <div
          key={lane.thread.id}
          class="lane"
          style={{ top: `${index * laneHeight}px` }}
        >
          <LaneName app={app} lane={lane} />
          <div class="track">
            {bars
              .filter(({ batch }) => batch.thread === lane.thread.id)
              .map((bar) => (
                <Turn
                  key={bar.batch.id}
                  app={app}
                  bar={bar}
                  width={width}
                  stop={bar.batch.id === stop}
                />
              ))}
          </div>
        </div>
      ))}
    </>
  );
}

function LaneName(props: {
  readonly app: Timeline;
  readonly lane: Lane;
}): JSX.Element {
  const { thread, queued } = props.lane;
  const title = thread.title || t("New thread");
  return (
    <button
      type="button"
      class="row"
      title={t("Open {0} in the chat", title)}
      onClick={() => props.app.open(thread.id)}
    >
      <Mark thread={thread} />
      <span class="who">
        <span class="cut">{title}</span>
        <span class="small cut">
          {[
            thread.agent,
            ...(queued.length > 0 ? [t("{0} queued", queued.length)] : []),
            ...(thread.held ? [t("on hold")] : []),
          ].join(", ")}
        </span>
      </span>
    </button>
  );
}

function Mark({ thread }: { readonly thread: TimelineThread }): JSX.Element {
  const [icon, look] =
    thread.mark === "needsYou"
      ? (["bell-dot", "needs"] as const)
      : thread.mark === "working"
        ? (["loading", "live"] as const)
        : thread.mark === "failed"
          ? (["error", "bad"] as const)
          : thread.held
            ? (["debug-pause", ""] as const)
            : [undefined, ""];
  return (
    <span class={`mk ${look}`}>
      {icon !== undefined && (
        <Icon name={icon} small class={icon === "loading" ? "spin" : ""} />
      )}
    </span>
  );
}

function Turn(props: {
  readonly app: Timeline;
  readonly bar: Bar;
  readonly width: number;
  readonly stop: boolean;
}): JSX.Element {
  const { app, bar, width, stop } = props;
  const { batch } = bar;
  const now = app.now.value;
  const range = app.range.value;
  const left = x({ range, width }, bar.from);
  const right = x({ range, width }, Math.min(bar.to, now));
  return (
    <button
      type="button"
      class="turn"
      data-testid="timeline-batch"
      data-batch={batch.id}
      data-status={batch.status}
      aria-label={barLabel(bar, now)}
      aria-describedby={
        (app.hover.value ?? app.focus.value) === batch.id ? cardId : undefined
      }
      tabIndex={stop ? 0 : -1}
      style={{
        left: `${left}px`,
        width: `${Math.max(least, right - left)}px`,
      }}
      onClick={() => app.open(batch.thread, batch.id)}
      onFocus={() => {
        app.focus.value = batch.id;
        // A pointer at rest means nothing any more.
        app.hover.value = undefined;
      }}
      onBlur={() => {
        if (app.focus.value === batch.id) app.focus.value = undefined;
      }}
      onKeyDown={(event) => {
        if (step(app, event.key)) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
    />
  );
}

function step(app: Timeline, key: string): boolean {
  const to = {
    ArrowLeft: () => app.beside("turn", -1),
    ArrowRight: () => app.beside("turn", 1),
    ArrowUp: () => app.beside("thread", -1),
    ArrowDown: () => app.beside("thread", 1),
  }[key];
  if (to === undefined) return false;
  const next = to();
  if (next !== undefined) app.go(next);
  return true;
}

/** The turns in view: one for each spot, and of too many the widest. */
function inView(app: Timeline, width: number): readonly Bar[] {
  const range = app.range.value;
  const now = app.now.value;
  const at = app.bars.value.get(app.focus.value ?? "");
  const focus =
    at !== undefined && at.to > range.from && at.from <= range.to
      ? at
      : undefined;
  const spot = ((range.to - range.from) / Math.max(1, width)) * least;
  const found = app.lanes.value.flatMap(({ thread, bars }) => {
    const own = spread(bars, range, spot);
    return focus !== undefined &&
      focus.batch.thread === thread.id &&
      !own.includes(focus)
      ? [...own, focus]
      : own;
  });
  if (found.length <= mostButtons) return found;
  const long = ({ from, to }: Bar): number => Math.min(to, now) - from;
  const kept = new Set(
    found
      .toSorted((a, b) => long(b) - long(a) || b.from - a.from)
      .slice(0, mostButtons),
  );
  return found.filter((bar) => kept.has(bar) || bar === focus);
}
