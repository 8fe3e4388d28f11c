import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Timeline } from "../app.ts";
import { exportRows, toCsv, toJson } from "../exports.ts";
import { Icon, IconButton } from "../icons.tsx";
import {
  countedMessages,
  countedTurns,
  statusWords,
  typeWords,
} from "../words.ts";
import { t } from "../../../src/util/l10n.ts";

export function Toolbar({ app }: { readonly app: Timeline }): JSX.Element {
  const { turns, messages } = app.shown.value;
  const filter = app.filter.value;
  const waiting = useRef<number | undefined>(undefined);
  const find = (text: string): void => {
    clearTimeout(waiting.current);
    waiting.current = window.setTimeout(() => app.find(text), 150);
  };
  const save = (format: "csv" | "json"): void => {
    const rows = exportRows(
      app.lanes.value,
      app.now.value,
      app.notResent.value,
    );
    app.save(format, format === "csv" ? toCsv(rows) : toJson(rows));
  };
  return (
    <div class="filters" role="toolbar" aria-label={t("Filter")}>
      <label class="field">
        <Icon name="filter" small />
        <input
          type="text"
          placeholder={t("Filter by text")}
          aria-label={t("Filter by text")}
          data-testid="timeline-find"
          defaultValue={app.text.peek()}
          onInput={({ currentTarget }) => find(currentTarget.value)}
        />
      </label>
      <Pick
        label={t("Thread")}
        value={filter.thread}
        options={app.threads.value.map(({ id, title }) => [
          id,
          title || t("New thread"),
        ])}
        choose={(thread) => app.choose({ thread })}
      />
      <Pick
        label={t("Agent")}
        value={filter.agent}
        options={app.agents.value.map((name) => [name, name])}
        choose={(agent) => app.choose({ agent })}
      />
      <Pick
        label={t("Type")}
        value={filter.type}
        options={entries(typeWords)}
        choose={(type) => app.choose({ type })}
      />
      <Pick
        label={t("Status")}
        value={filter.status}
        options={entries(statusWords)}
        choose={(status) => app.choose({ status })}
      />
      <span class="rule-v" />
      <span class="small cut" data-testid="timeline-count">
        {[
          `${countedTurns(turns)}, ${countedMessages(messages)}`,
          ...(app.older.value ? [t("Older turns are in the chat")] : []),
          ...(app.moreFound.value
            ? [t("Only the newest matches are shown")]
            : []),
        ].join(". ")}
      </span>
      <span class="grow" />
      <span class="icos">
        <IconButton
          name="zoom-out"
          label={t("Zoom out")}
          title={t("Zoom out (−)")}
          onClick={() => app.zoom(1 / 0.7)}
        />
        <IconButton
          name="zoom-in"
          label={t("Zoom in")}
          title={t("Zoom in (+)")}
          onClick={() => app.zoom(0.7)}
        />
        <IconButton
          name="screen-full"
          label={t("Fit all")}
          title={t("Fit all (0)")}
          onClick={() => app.fit()}
        />
        <span class="rule-v" />
        <IconButton
          name="table"
          label={t("Show as table")}
          title={t("Show as table (T)")}
          pressed={app.table.value}
          testid="timeline-as-table"
          onClick={() => {
            app.table.value = !app.table.value;
          }}
        />
        <span class="pick ico" title={t("Export as CSV or JSON")}>
          <Icon name="export" />
          <select
            aria-label={t("Export")}
            data-testid="timeline-export"
            value=""
            onChange={({ currentTarget }) => {
              const { value } = currentTarget;
              currentTarget.value = "";
              if (value === "csv" || value === "json") save(value);
            }}
          >
            <option value="" hidden />
            <option value="csv">{t("Export as CSV")}</option>
            <option value="json">{t("Export as JSON")}</option>
          </select>
        </span>
      </span>
    </div>
  );
}

function Pick<T extends string>(props: {
  readonly label: string;
  readonly value: T | null;
  readonly options: readonly (readonly [T, string])[];
  readonly choose: (value: T | null) => void;
}): JSX.Element {
  const { label, value, options, choose } = props;
  return (
    <select
      class="pick"
      aria-label={label}
      title={label}
      value={value ?? ""}
      data-testid={`timeline-${label.toLowerCase()}`}
      onChange={({ currentTarget }) =>
        choose(
          options.find(([option]) => option === currentTarget.value)?.[0] ??
            null,
        )
      }
    >
      <option value="">{label}</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}

function entries<K extends string>(
  words: Readonly<Record<K, string>>,
): readonly (readonly [K, string])[] {
  return Object.entries(words) as [K, string][];
}
