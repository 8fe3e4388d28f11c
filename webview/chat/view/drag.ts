import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Drag {
  readonly start: (id: string, event: PointerEvent) => void;
  /** The item before which the moved one would land; "" for the end. */
  readonly over: string | undefined;
  readonly moving: string | undefined;
}

/** Reorders by pointer; the keyboard has its own way. */
export function useDrag(
  root: RefObject<HTMLElement | null>,
  drop: (id: string, before: string | null) => void,
): Drag {
  const [moving, setMoving] = useState<string | undefined>(undefined);
  const [over, setOver] = useState<string | undefined>(undefined);
  const target = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (moving === undefined) return undefined;
    const point = (id: string | undefined): void => {
      target.current = id;
      setOver(id);
    };
    const onMove = (event: PointerEvent): void => {
      const rows = [
        ...(root.current?.querySelectorAll<HTMLElement>("li[data-id]") ?? []),
      ].filter((row) => row.dataset["id"] !== moving);
      const below = rows.find((row) => {
        const box = row.getBoundingClientRect();
        return event.clientY < box.top + box.height / 2;
      });
      point(below?.dataset["id"] ?? "");
    };
    const end = (): void => {
      setMoving(undefined);
      point(undefined);
    };
    const onUp = (): void => {
      const before = target.current;
      if (before !== undefined) drop(moving, before === "" ? null : before);
      end();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") end();
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onUp);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onUp);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", onKey);
    };
  }, [moving]);
  return {
    start: (id, event) => {
      event.preventDefault();
      setMoving(id);
    },
    over,
    moving,
  };
}
