import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { clockTime } from "../../chat/format.ts";
import type { Timeline } from "../app.ts";
import { firstAfter } from "../lanes.ts";
import type { Lane } from "../lanes.ts";
import { gripAt, middle, resized, withAir } from "../range.ts";
import type { Grip, Range } from "../range.ts";
import { span } from "../words.ts";
import { t } from "../../../src/util/l10n.ts";

const [width, height, rows] = [700, 33, 6];

/** Everything there is; the window is what the lanes show. */
export function Overview({ app }: { readonly app: Timeline }): JSX.Element {
  const path = useComputed(() =>
    pathOf(app.lanes.value, withAir(app.all.value), app.now.value),
  );
  const whole = withAir(app.all.value);
  const range = app.range.value;
  const share = (time: number): number =>
    Math.min(1, Math.max(0, (time - whole.from) / (whole.to - whole.from)));
  const [left, right] = [share(range.from), share(range.to)];
  const grip = useRef<Grip>("window");
  const held = useRef(0);
  const timeOf = (event: PointerEvent, box: DOMRect): number =>
    whole.from +
    ((event.clientX - box.left) / box.width) * (whole.to - whole.from);
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.currentTarget instanceof Element)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    const at = event.clientX - box.left;
    grip.current = gripAt(at, left * box.width, right * box.width);
    const time = timeOf(event, box);
    // Beside the window, it comes to the pointer.
    if (time < range.from || time > range.to)
      if (grip.current === "window") app.pan(time - middle(range));
    held.current = time;
  };
  const move = (event: PointerEvent): void => {
    if (event.buttons !== 1 || !(event.currentTarget instanceof Element))
      return;
    const time = timeOf(event, event.currentTarget.getBoundingClientRect());
    const by = time - held.current;
    held.current = time;
    if (grip.current === "window") app.pan(by);
    else app.show(resized(range, grip.current, time));
  };
  return (
    <>
      <div class="over-name small cut">
        {span(
          app.all.value.from,
          app.live.value ? null : app.all.value.to,
          app.now.value,
        )}
      </div>
      <div
        class="over"
        role="slider"
        tabIndex={0}
        aria-label={t("Visible range")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(left * 100)}
        aria-valuetext={t(
          "{0} to {1}",
          clockTime(range.from),
          clockTime(range.to),
        )}
        onPointerDown={down}
        onPointerMove={move}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -0.2, ArrowRight: 0.2 }[event.key];
          if (by !== undefined) app.pan((range.to - range.from) * by);
        }}
      >
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          <path d={path.value} />
        </svg>
        <span
          class="win"
          style={{
            left: `${left * 100}%`,
            width: `${Math.max(0.4, (right - left) * 100)}%`,
          }}
        >
          <i data-testid="timeline-from" />
          <i data-testid="timeline-to" />
        </span>
      </div>
    </>
  );
}

/** A dash for each stretch with turns; what is closer than a pixel is one. */
function pathOf(lanes: readonly Lane[], whole: Range, now: number): string {
  const scale = width / (whole.to - whole.from);
  const dashes: string[] = [];
  const used = Math.max(1, Math.min(rows, lanes.length));
  lanes.forEach(({ bars }, index) => {
    const y = (((index % used) + 0.8) * height) / (used + 0.6);
    for (let at = 0; at < bars.length;) {
      const bar = bars[at];
      if (bar === undefined) break;
      const left = (bar.from - whole.from) * scale;
      const right = Math.max(
        left + 2,
        (Math.min(bar.to, now) - whole.from) * scale,
      );
      dashes.push(
        `M${left.toFixed(1)} ${y.toFixed(1)}h${(right - left).toFixed(1)}`,
      );
      at = Math.max(at + 1, firstAfter(bars, whole.from + right / scale));
    }
  });
  return dashes.join("");
}
