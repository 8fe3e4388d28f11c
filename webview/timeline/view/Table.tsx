import type { JSX } from "preact";
import { useState } from "preact/hooks";
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

const rowsAtOnce = 200;

/** The same data as a table: newest first. */
export function Table({ app }: { readonly app: Timeline }): JSX.Element {
  const [count, setCount] = useState(rowsAtOnce);
  const now = app.now.value;
  const rows = app.lanes.value
    .flatMap(({ thread, bars }) => bars.map((bar) => ({ thread, bar })))
    .sort((a, b) => b.bar.from - a.bar.from);
  return (
    <div class="table-wrap">
      <table data-testid="timeline-table">
        <caption class="sr">Turns, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Thread</th>
            <th scope="col">Agent</th>
            <th scope="col">Status</th>
            <th scope="col">Type</th>
            <th scope="col">Messages</th>
            <th scope="col">Sent at</th>
            <th scope="col">Took</th>
            <th scope="col">Details</th>
            <th scope="col">
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Waiting lanes={app.lanes.value} app={app} />
          {rows.slice(0, count).map(({ thread, bar }) => (
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
                {thread.title || "New thread"}
              </td>
              <td>{agentOf(bar.batch, thread)}</td>
              <td>{statusWords[bar.batch.status]}</td>
              <td>{typeWords[bar.batch.type]}</td>
              <td>{bar.batch.typed.length}</td>
              <td>{moment(bar.from, now)}</td>
              <td>{lasted(bar, now)}</td>
              <td>
                {details(bar, now, app.notResent.value.get(bar.batch.id))
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(". ")}
              </td>
              <td class="act">
                <IconButton
                  name="inspect"
                  label={`Inspect ${turnName(bar)}`}
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
          Show more ({rows.length - count})
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
              Queued
            </button>
          </td>
          <td class="cut" title={thread.title}>
            {thread.title || "New thread"}
          </td>
          <td>{thread.agent}</td>
          <td>{thread.held ? "on hold" : "waits"}</td>
          <td />
          <td>1</td>
          <td />
          <td />
          <td>
            Typed: {moment(typed, app.now.value)}. Waits:{" "}
            {took(Math.max(0, app.now.value - typed))}
          </td>
          <td />
        </tr>
      ))}
    </>
  );
}
