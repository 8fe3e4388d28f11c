import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Timeline } from "../app.ts";
import { Icon } from "../icons.tsx";
import type { TimelineIcon } from "../icons.tsx";
import type { Bar } from "../lanes.ts";
import { axisHeight, laneHeight, x } from "../picture.ts";
import {
  countedMessages,
  details,
  lasted,
  statusWords,
  turnName,
} from "../words.ts";
import { t } from "../../../src/util/l10n.ts";

const names = 164;
const cardWidth = 252;
const cardHeight = 210;
const gap = 8;
/** The turn it tells about refers to it. */
export const cardId = "timeline-card";

interface CardProps {
  readonly app: Timeline;
  readonly width: number;
  readonly top: number;
}

/** What there is to know of the turn under the pointer, or in focus. */
export function Card({ app, width, top }: CardProps): JSX.Element | null {
  const bar = app.told.value;
  useEffect(() => {
    if (bar !== undefined) app.look(bar);
  }, [app, bar]);
  if (bar === undefined || width === 0) return null;
  const lane = app.lanes.value.findIndex(
    ({ thread }) => thread.id === bar.batch.thread,
  );
  const range = app.range.value;
  const left = Math.max(0, x({ range, width }, bar.from));
  const right = x({ range, width }, Math.min(bar.to, app.now.value));
  const below = axisHeight + (lane + 1) * laneHeight - top + 2;
  const above = below - laneHeight - cardHeight;
  const fits = below + cardHeight < window.innerHeight - 35;
  const most = Math.max(0, width - cardWidth);
  // Where it fits neither below nor above it stands beside.
  const beside = right + gap <= most ? right + gap : left - cardWidth - gap;
  const place =
    fits || above >= 0
      ? {
          left: `${names + Math.min(left, most)}px`,
          top: `${fits ? below : above}px`,
        }
      : { left: `${names + Math.max(0, beside)}px`, bottom: "2px" };
  return (
    <div
      class="card"
      id={cardId}
      role="tooltip"
      data-testid="timeline-card"
      style={place}
    >
      <CardBody
        bar={bar}
        now={app.now.value}
        notResent={app.notResent.value.get(bar.batch.id) ?? 0}
        said={app.said.value.get(bar.batch.id) ?? []}
      />
    </div>
  );
}

function CardBody(props: {
  readonly bar: Bar;
  readonly now: number;
  readonly notResent: number;
  readonly said: readonly string[];
}): JSX.Element {
  const { bar, now, notResent, said } = props;
  const { batch } = bar;
  return (
    <>
      <h2>
        <Icon
          name={statusIcon[batch.status]}
          small
          class={batch.status === "failed" ? "bad" : ""}
        />
        <span class="grow cut">
          {turnName(bar)}
          <span class="sep">{countedMessages(batch.typed.length)}</span>
        </span>
        <span class="small">{lasted(bar, now)}</span>
      </h2>
      <div class="split">
        {batch.parts
          .filter(({ kind }) => kind !== "compile")
          .map(({ kind, from, to }, index) => (
            <i
              key={index}
              class={segment[kind]}
              style={{ flexGrow: Math.max(1, (to ?? now) - from) }}
            />
          ))}
      </div>
      {said.length > 0 && (
        <ul class="said small">
          {said.map((text, index) => (
            <li key={index} class="cut">
              {text || t("Attachment")}
            </li>
          ))}
          {batch.typed.length > said.length && (
            <li>{t("{0} more", batch.typed.length - said.length)}</li>
          )}
        </ul>
      )}
      <dl class="small">
        {batch.status !== "completed" && (
          <>
            <dt>{t("Status")}</dt>
            <dd>{statusWords[batch.status]}</dd>
          </>
        )}
        {details(bar, now, notResent).map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {/* The keys of a page that others type beside are not its own. */}
      {document.hasFocus() && (
        <p class="hint small">
          {t("Enter opens it in the chat, I inspects it")}
        </p>
      )}
    </>
  );
}

const segment = {
  compile: "comp",
  think: "sg-think",
  tool: "sg-tool",
  permission: "sg-perm",
} as const;

const statusIcon: Readonly<Record<Bar["batch"]["status"], TimelineIcon>> = {
  collecting: "loading",
  processing: "loading",
  completed: "check",
  cancelled: "circle-slash",
  failed: "error",
  interrupted: "debug-disconnect",
};
