import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { took } from "../../../src/util/took.ts";
import { bytes } from "../../chat/format.ts";
import type { Timeline } from "../app.ts";
import type { Group, Quantiles } from "../figures.ts";
import { t } from "../../../src/util/l10n.ts";

/** More would push the rest out of sight. */
const mostRows = 14;

/** What each day or each thread comes to. */
export function Sums({ app }: { readonly app: Timeline }): JSX.Element {
  const by = app.sums.value;
  const groups = app.groups.value;
  const most = Math.max(1, ...groups.map(({ turns }) => turns));
  const [all, setAll] = useState(false);
  return (
    <div class="sums small">
      <table data-testid="timeline-sums">
        <caption class="sr">
          {by === "day" ? t("Figures by day") : t("Figures by thread")}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <select
                class="pick"
                aria-label={t("Sums by")}
                data-testid="timeline-sums-by"
                value={by}
                onChange={({ currentTarget }) => {
                  app.sums.value =
                    currentTarget.value === "thread" ? "thread" : "day";
                }}
              >
                <option value="day">{t("By day")}</option>
                <option value="thread">{t("By thread")}</option>
              </select>
            </th>
            <th scope="col">{t("turns")}</th>
            <th
              scope="col"
              title={t("From typing to the agent's first output, the median")}
            >
              {t("first output")}
            </th>
            <th scope="col" title={t("Turns saved, an estimate")}>
              {t("saved")}
            </th>
            <th scope="col" title={t("Context not resent, an estimate")}>
              {t("not resent")}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, all ? undefined : mostRows).map((group) => (
            <Row
              key={group.key}
              name={by === "day" ? dayName(group.key) : nameOf(app, group.key)}
              group={group}
              most={most}
            />
          ))}
        </tbody>
      </table>
      {!all && groups.length > mostRows && (
        <button type="button" class="link" onClick={() => setAll(true)}>
          {t("{0} more", groups.length - mostRows)}
        </button>
      )}
    </div>
  );
}

function Row(props: {
  readonly name: string;
  readonly group: Group;
  readonly most: number;
}): JSX.Element {
  const { turns, saved, notResent, first } = props.group;
  const [open, setOpen] = useState(false);
  const whole = told(props.name, props.group);
  return (
    <>
      <tr title={whole}>
        <th scope="row">
          <button
            type="button"
            class="link cut"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {props.name}
          </button>
        </th>
        <td>
          <i style={{ width: `${(turns / props.most) * 100}%` }} />
          <span>{turns}</span>
        </td>
        <td>{first === null ? "–" : took(first.p50)}</td>
        <td>≈{saved}</td>
        <td>≈{bytes(notResent)}</td>
      </tr>
      {open && (
        <tr class="whole" data-testid="timeline-sum">
          <td colSpan={5}>{whole}</td>
        </tr>
      )}
    </>
  );
}

/** All there is about a day or a thread: the row has room for the half of it. */
function told(name: string, group: Group): string {
  const { turns, messages, sizes } = group;
  const counts = sizes.flatMap((count, n) =>
    count === 0
      ? []
      : [`${count} × ${n + 1}${n + 1 === sizes.length ? "+" : ""}`],
  );
  return [
    t("{0}: {1} messages in {2} turns", name, messages, turns),
    ...outputs(group.single, (half, most) =>
      t("First output, one message: {0}, 9 of 10 under {1}", half, most),
    ),
    ...outputs(group.batched, (half, most) =>
      t("First output, several: {0}, 9 of 10 under {1}", half, most),
    ),
    t("Messages in a turn: {0}", counts.join(", ")),
  ].join("\n");
}

function outputs(
  of: Quantiles | null,
  tell: (half: string, most: string) => string,
): readonly string[] {
  return of === null ? [] : [tell(took(of.p50), took(of.p90))];
}

function nameOf(app: Timeline, id: string): string {
  const thread = app.threads.value.find((one) => one.id === id);
  return thread?.title || t("New thread");
}

/** Wed, 18 Nov */
function dayName(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).toLocaleDateString(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
  });
}
