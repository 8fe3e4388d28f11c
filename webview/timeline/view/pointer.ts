import { useEffect } from "preact/hooks";
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import type { Timeline } from "../app.ts";
import { timeAt } from "../picture.ts";

const names = 164;
/** Less is a click. */
const dragFrom = 4;

/** Wheel, touchpad and drag: pinch or Ctrl zooms at the pointer, sideways pans, a drag takes the paper along. */
export function usePointer(
  app: Timeline,
  field: RefObject<HTMLElement | null>,
  size: Signal<{ readonly width: number }>,
): void {
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    const ends = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(
      type: K,
      run: (event: HTMLElementEventMap[K]) => void,
      more: AddEventListenerOptions = {},
    ): void =>
      element.addEventListener(type, run, { ...more, signal: ends.signal });
    const perPixel = (): number => {
      const { from, to } = app.range.value;
      return (to - from) / Math.max(1, size.value.width);
    };
    on(
      "wheel",
      (event) => {
        const { from, to } = app.range.value;
        const left =
          event.clientX - element.getBoundingClientRect().left - names;
        const at = timeAt(
          { range: { from, to }, width: size.value.width },
          left,
        );
        const sideways = isSideways(event);
        if (event.ctrlKey || event.metaKey || (!sideways && !scrolls(element)))
          app.zoom(Math.exp(clamp(event.deltaY) * 0.004), at);
        else if (sideways) app.pan((event.deltaX || event.deltaY) * perPixel());
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
    let last: number | undefined;
    let moved = 0;
    on("pointerdown", (event) => {
      if (event.button !== 0) return;
      last = event.clientX;
      moved = 0;
    });
    on("pointermove", (event) => {
      if (last === undefined || event.buttons !== 1) return;
      const by = event.clientX - last;
      moved += Math.abs(by);
      if (moved < dragFrom) return;
      last = event.clientX;
      app.pan(-by * perPixel());
      if (!element.hasPointerCapture(event.pointerId))
        element.setPointerCapture(event.pointerId);
    });
    on("pointerup", () => {
      last = undefined;
    });
    // The end of a drag is no click.
    on(
      "click",
      (event) => {
        if (moved < dragFrom) return;
        event.preventDefault();
        event.stopPropagation();
        moved = 0;
      },
      { capture: true },
    );
    return () => ends.abort();
  }, [app, field, size]);
}

/** A touchpad is never moved quite straight: the larger part tells what was meant. */
export function isSideways(
  event: Pick<WheelEvent, "shiftKey" | "deltaX" | "deltaY">,
): boolean {
  return event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
}

function scrolls(element: HTMLElement): boolean {
  const lanes = element.querySelector(".lanes");
  return lanes !== null && lanes.scrollHeight > lanes.clientHeight;
}

function clamp(delta: number): number {
  return Math.max(-200, Math.min(200, delta));
}
