import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Timeline } from "../app.ts";
import { act, type KeyPlace } from "../keys.ts";
import { Chart } from "./Chart.tsx";
import { Figures } from "./Figures.tsx";
import { Table } from "./Table.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { t } from "../../../src/util/l10n.ts";

export function Root({ app }: { readonly app: Timeline }): JSX.Element {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (act(app, event, placeOf(event.target))) event.preventDefault();
    };
    // A turn that goes from under the pointer tells of no leaving: what is under it now says so.
    const onPointer = ({ type, target }: PointerEvent): void => {
      const turn =
        type === "pointerover" && target instanceof Element
          ? target.closest(".turn")
          : null;
      app.hover.value = turn?.getAttribute("data-batch") ?? undefined;
    };
    const ends = new AbortController();
    const { signal } = ends;
    const page = document.documentElement;
    document.addEventListener("keydown", onKeyDown, { signal });
    document.addEventListener("pointerover", onPointer, { signal });
    page.addEventListener("pointerleave", onPointer, { signal });
    return () => ends.abort();
  }, [app]);
  return (
    <main class="tl" data-testid="timeline">
      <h1 class="sr">{t("Batch timeline")}</h1>
      <Toolbar app={app} />
      {app.table.value ? <Table app={app} /> : <Chart app={app} />}
      <Figures app={app} />
    </main>
  );
}

function placeOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof HTMLElement)) return "page";
  if (target.matches("input, select, textarea")) return "field";
  if (target.matches(".turn")) return "turn";
  return target.matches("button, [role=slider]") ? "button" : "page";
}
