import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Timeline } from "../app.ts";
import { Chart } from "./Chart.tsx";
import { Figures } from "./Figures.tsx";
import { Table } from "./Table.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { t } from "../../../src/util/l10n.ts";

export function Root({ app }: { readonly app: Timeline }): JSX.Element {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (act(app, event)) event.preventDefault();
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

/** Keys for the whole view; a field that is typed into keeps its own. */
function act(app: Timeline, event: KeyboardEvent): boolean {
  const { target, key } = event;
  const typing =
    target instanceof HTMLElement && target.matches("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (key) {
    case "t":
    case "T":
      app.table.value = !app.table.value;
      return true;
    case "+":
    case "=":
      app.zoom(0.7);
      return true;
    case "-":
      app.zoom(1 / 0.7);
      return true;
    case "0":
      app.fit();
      return true;
    default:
      return false;
  }
}
