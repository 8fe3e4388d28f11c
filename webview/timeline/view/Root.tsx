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
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
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
