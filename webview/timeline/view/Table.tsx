import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { took } from "../../../src/util/took.ts";
import type { Timeline } from "../app.ts";
import { agentOf } from "../filter.ts";
import { IconButton } from "../icons.tsx";
import type { Lane } from "../lanes.ts";
import {
  details,
  lasted,
  moment,
  statusWords,
  turnName,
  typeWords,
} from "../words.ts";
import { t } from "../../../src/util/l10n.ts";

const rowsAtOnce = 200;

/** The same data as a table: newest first. */
export function Table({ app }: { readonly app: Timeline }): JSX.Element {
  const [count, setCount] = useState(rowsAtOnce);
  const now = app.now.value;
  const rows = app.lanes.value
    .flatMap(({ thread, bars }) => bars.map((bar) => ({ thread, bar })))
    .sort((a, b) => b.bar.from - a.bar.from);
  const shown = rows.slice(0, count);
  useEffect(() => {
    for (const { bar } of shown) app.look(bar);
  }, [app, shown.map(({ bar }) => bar.batch.id).join()]);
  return (
    <div class="table-wrap">
      <table data-testid="timeline-table">
        <caption class="sr">{t("Turns, newest first")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("Turn")}</th>
            <th scope="col">{t("Thread")}</th>
            <th scope="col">{t("Agent")}</th>
            <th scope="col">{t("Status")}</th>
            <th scope="col">{t("Type")}</th>
            <th scope="col">{t("Messages")}</th>
            <th scope="col">{t("Typed at")}</th>
            <th scope="col">{t("Sent at")}</th>
            <th scope="col">{t("Took")}</th>
            <th scope="col">{t("Details")}</th>
            <th scope="col">{t("Said")}</th>
            <th scope="col">
              <span class="sr">{t("Actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Waiting lanes={app.lanes.value} app={app} />
          {shown.map(({ thread, bar }) => (
            <tr key={bar.batch.id} data-testid="timeline-row">
              <td>
                <button
                  type="button"
                  class="link"
                  onClick={() => app.open(thread.id, bar.batch.id)}
                >
                  {turnName(bar)}
                </button>
              </td>
              <td class="cut" title={thread.title}>
                {thread.title || t("New thread")}
              </td>
              <td>{agentOf(bar.batch, thread)}</td>
              <td>{statusWords[bar.batch.status]}</td>
              <td>{typeWords[bar.batch.type]}</td>
              <td>{bar.batch.typed.length}</td>
              <td>
                {bar.batch.typed.map((at) => moment(at, now)).join(" · ")}
              </td>
              <td>{moment(bar.from, now)}</td>
              <td>{lasted(bar, now)}</td>
              <td>
                {details(bar, now, app.notResent.value.get(bar.batch.id))
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(". ")}
              </td>
              <td class="cut said-in">
                {(app.said.value.get(bar.batch.id) ?? []).join(" · ")}
              </td>
              <td class="act">
                <IconButton
                  name="inspect"
                  label={t("Inspect {0}", turnName(bar))}
                  testid="timeline-inspect"
                  onClick={() => app.inspect(bar)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > count && (
        <button
          type="button"
          class="link more"
          onClick={() => setCount(count + rowsAtOnce)}
        >
          {t("Show more ({0})", rows.length - count)}
        </button>
      )}
    </div>
  );
}

/** What waits for a turn of its own, newest first. */
function Waiting(props: {
  readonly app: Timeline;
  readonly lanes: readonly Lane[];
}): JSX.Element {
  const { app, lanes } = props;
  const waiting = lanes
    .flatMap(({ thread, queued }) => queued.map((typed) => ({ thread, typed })))
    .sort((a, b) => b.typed - a.typed);
  return (
    <>
      {waiting.map(({ thread, typed }, index) => (
        <tr key={`queued ${index}`} data-testid="timeline-queued">
          <td>
            <button
              type="button"
              class="link"
              onClick={() => app.open(thread.id)}
            >
              {t("Queued")}
            </button>
          </td>
          <td class="cut" title={thread.title}>
            {thread.title || t("New thread")}
          </td>
          <td>{thread.agent}</td>
          <td>{thread.held ? t("on hold") : t("waits")}</td>
          <td />
          <td>1</td>
          <td>{moment(typed, app.now.value)}</td>
          <td />
          <td />
          <td>{t("Waits: {0}", took(Math.max(0, app.now.value - typed)))}</td>
          <td />
          <td />
        </tr>
      ))}
    </>
  );
}
