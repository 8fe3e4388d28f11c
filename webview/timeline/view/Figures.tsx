import type { JSX } from "preact";
import { bytes, running } from "../../chat/format.ts";
import { took } from "../../../src/util/took.ts";
import type { Period, Timeline } from "../app.ts";
import type { Quantiles } from "../figures.ts";
import { Sums } from "./Sums.tsx";
import { t } from "../../../src/util/l10n.ts";

const periods: readonly (readonly [Period, string])[] = [
  ["all", t("All time, this workspace")],
  ["day", t("Last 24 hours")],
  ["week", t("Last 7 days")],
];

export function Figures({ app }: { readonly app: Timeline }): JSX.Element {
  const figures = app.figures.value;
  const { saved, wait, single, batched, asked, sizes } = figures;
  const most = Math.max(1, ...sizes);
  const both = [
    told(t("One message"), single),
    told(t("Several"), batched),
  ].flatMap((line) => line ?? []);
  return (
    <section
      class="figs"
      aria-label={t("Figures")}
      data-testid="timeline-figures"
    >
      <div class="fig-head small">
        <select
          class="pick"
          aria-label={t("Period")}
          value={app.period.value}
          onChange={({ currentTarget }) => {
            const found = periods.find(([one]) => one === currentTarget.value);
            app.period.value = found?.[0] ?? "all";
          }}
        >
          {periods.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="two">
        <Figure
          value={`≈${saved}`}
          name={t("turns saved")}
          title={t(
            "Estimate, one for each message that went along with another: {0} messages went in {1} turns",
            figures.messages,
            figures.turns,
          )}
        />
        <Figure
          value={`≈${bytes(figures.notResent)}`}
          name={t("not resent")}
          title={t("Estimate: full context minus what was sent")}
        />
        <Figure
          value={wait === null ? "–" : took(wait.p50)}
          name={t("median wait")}
          title={
            wait === null
              ? t("Nothing was sent yet")
              : t("Typed to sent. 9 of 10: under {0}", took(wait.p90))
          }
        />
        <Figure
          value={running(asked)}
          name={t("waited for you")}
          title={t("Time your permission was open")}
        />
      </div>
      <dl
        class="small first"
        title={t("From typing to the agent's first output")}
      >
        <dt>{t("First output, p50 / p90")}</dt>
        {both.length === 0 ? <dd>–</dd> : both.map((line) => <dd>{line}</dd>)}
      </dl>
      <div>
        <div class="small">{t("Messages in a turn")}</div>
        <div class="hist small">
          {sizes.map((count, index) => {
            const name =
              index === sizes.length - 1 ? `${index + 1}+` : index + 1;
            return (
              <div key={index} class={count === most ? "max" : ""}>
                <span>{count}</span>
                <i style={{ "--share": count / most }} />
                <span>{name}</span>
              </div>
            );
          })}
        </div>
      </div>
      <Sums app={app} />
    </section>
  );
}

function Figure(props: {
  readonly value: string;
  readonly name: string;
  readonly title: string;
}): JSX.Element {
  const [number = "", unit] = props.value.split(/ (?=[a-zA-Z]+$)/);
  return (
    <div class="fig" title={props.title}>
      <b>
        {number}
        {unit !== undefined && <small>{unit}</small>}
      </b>
      <span class="small">{props.name}</span>
    </div>
  );
}

function told(name: string, quantiles: Quantiles | null): string | undefined {
  return quantiles === null
    ? undefined
    : `${name}: ${took(quantiles.p50)} / ${took(quantiles.p90)}`;
}
