import { Fragment } from "preact";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { assertNever } from "../../../src/util/assertNever.ts";
import { clockTime, exactTime } from "../format.ts";
import type { Group, Row } from "../groups.ts";
import { rowsAtFirst } from "../spot.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { AfterBatch, Foot } from "./Foot.tsx";
import { Questions } from "./Questions.tsx";
import { AgentText, Decision, Plan, Remark, Thought } from "./rows.tsx";
import { Tools } from "./Tool.tsx";
import { UserMessage } from "./UserMessage.tsx";

/** A turn: its messages joined by one line, the agent's work beside it, its footer at the end. */
export const Batch = memo(BatchView);

function BatchView({ group }: { readonly group: Group }): JSX.Element {
  const app = useApp();
  const batch = app.store.batch(group.batch)?.value;
  const all = app.keeper.isOpen(group.key, false);
  const hidden = all ? 0 : Math.max(0, group.rows.length - rowsAtFirst);
  // The user's own messages stay in sight, however long the turn is.
  const rows = group.rows.filter(
    ({ kind }, i) => i >= hidden || kind === "user",
  );
  const more = group.rows.length - rows.length;
  const users = group.rows.filter(({ kind }) => kind === "user").length;
  const unknown = group.rows.some(
    ({ kind, ids }) =>
      kind === "user" &&
      app.store.message(ids[0] ?? "")?.value.state === "uncertain",
  );
  if (batch === undefined)
    return (
      <div class="loose" tabIndex={-1} data-key={group.key}>
        {rows.map((row) => (
          <RowView key={row.ids[0]} row={row} showTime />
        ))}
      </div>
    );
  const heading = users > 1 || batch.type !== "user_request";
  const live = batch.status === "processing" || batch.status === "collecting";
  const line = live
    ? "is-live"
    : batch.status === "interrupted"
      ? "is-cut"
      : "";
  const [first] = rows;
  const openTop = first?.kind !== "user" || more > 0;
  return (
    <>
      <article
        class={`batch ${line} is-${batch.status} ${openTop && !heading ? "no-head" : ""}`}
        tabIndex={-1}
        data-testid="batch"
        data-batch={batch.id}
        data-key={group.key}
        data-status={batch.status}
        data-type={batch.type}
        aria-busy={live}
        aria-label={words.transcript.turn(
          batch.number,
          batch.messages,
          words.batchStatus[batch.status],
        )}
      >
        {heading && (
          <div class="cap small">
            <span>
              {[
                words.batchType[batch.type],
                users > 1 ? words.transcript.oneTurn(users) : "",
              ]
                .filter((part) => part !== "")
                .join(", ")}
            </span>
            <time title={words.transcript.started(exactTime(batch.startedAt))}>
              {clockTime(batch.startedAt)}
            </time>
          </div>
        )}
        {rows.map((row, i) => (
          <Fragment key={row.ids[0]}>
            {more > 0 &&
              row.kind !== "user" &&
              rows[i - 1]?.kind !== row.kind &&
              i === rows.findIndex(({ kind }) => kind !== "user") && (
                <button
                  type="button"
                  class="more small"
                  tabIndex={-1}
                  data-nav
                  onClick={() => app.keeper.fold(group.key, true)}
                >
                  {words.transcript.earlierSteps(more)}
                </button>
              )}
            <RowView row={row} showTime={!heading} />
          </Fragment>
        ))}
        {unknown && <p class="small">{words.unknown}</p>}
        <Questions of={(asked) => asked === batch.id} />
        <Foot batch={batch} group={group} />
      </article>
      <AfterBatch batch={batch} group={group} />
    </>
  );
}

interface RowProps {
  readonly row: Row;
  readonly showTime: boolean;
}

function RowView({ row, showTime }: RowProps): JSX.Element {
  const [id = ""] = row.ids;
  switch (row.kind) {
    case "user":
      return <UserMessage id={id} showTime={showTime} />;
    case "agent":
      return <AgentText id={id} />;
    case "thought":
      return <Thought id={id} />;
    case "tool":
      return <Tools ids={row.ids} />;
    case "plan":
      return <Plan id={id} />;
    case "decision":
      return <Decision id={id} />;
    case "notice":
      return <Remark id={id} />;
    default:
      return assertNever(row.kind);
  }
}
