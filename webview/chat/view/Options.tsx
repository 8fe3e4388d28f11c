import type { JSX } from "preact";
import type { SessionOption } from "../../../src/protocol/viewState.ts";
import { visible } from "../format.ts";
import type { IconName } from "../icons.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

/** What the agent lets its user choose: mode, model, and whatever else it names. */
export function Options(): JSX.Element | null {
  const app = useApp();
  const options = app.store.is.options?.value ?? [];
  const set = (option: string, value: string | boolean): void =>
    void app.asked({ type: "setOption", thread: app.thread, option, value });
  const { thread, status } = app.store.is;
  const unknown =
    options.length === 0 &&
    app.store.groups.value.length === 0 &&
    status.value.state === "none" &&
    thread.value?.agent.id !== "builtin";
  if (options.length === 0 && !unknown) return null;
  return (
    <div class="options">
      {unknown && (
        <span class="later small cut" title={words.composer.optionsLater}>
          {words.composer.optionsLater}
        </span>
      )}
      {options.map((option) => (
        <Option key={option.id} option={option} set={set} />
      ))}
    </div>
  );
}

interface Props {
  readonly option: SessionOption;
  readonly set: (option: string, value: string | boolean) => void;
}

const byCategory: Readonly<Record<string, IconName>> = {
  mode: "edit",
  model: "chip",
  thought_level: "thinking",
};

/** Where there is no room for words, an option is known by its picture. */
function iconOf(option: SessionOption): IconName {
  if (option.type === "boolean")
    return option.value ? "pass-filled" : "circle-large";
  return byCategory[option.category ?? ""] ?? "settings";
}

function Option({ option, set }: Props): JSX.Element {
  const { id, description } = option;
  const name = visible(option.name);
  const about = description === undefined ? "" : `\n${visible(description)}`;
  if (option.type === "boolean")
    return (
      <button
        type="button"
        class="picker"
        role="switch"
        aria-checked={option.value}
        aria-label={name}
        title={`${name}${about}`}
        data-testid="option"
        data-option={id}
        onClick={() => set(id, !option.value)}
      >
        <Icon name={iconOf(option)} class="lead" />
        <span class="cut">{name}</span>
      </button>
    );
  const chosen = option.groups
    .flatMap(({ choices }) => choices)
    .find(({ value }) => value === option.value);
  const shown = visible(chosen?.name ?? option.value);
  // The list is the system's own; it lies unseen over what is drawn, so that the bar can shorten that.
  return (
    <span class="picker">
      <Icon name={iconOf(option)} class="lead" />
      <span class="cut">{shown}</span>
      <Icon name="chevron-down" small class="drops" />
      <select
        aria-label={name}
        title={`${name}: ${shown}${about}`}
        data-testid="option"
        data-option={id}
        value={option.value}
        onChange={(event) => set(id, event.currentTarget.value)}
      >
        {option.groups.map((group) =>
          group.name === undefined ? (
            <Choices key="" choices={group.choices} />
          ) : (
            <optgroup key={group.name} label={visible(group.name)}>
              <Choices choices={group.choices} />
            </optgroup>
          ),
        )}
      </select>
    </span>
  );
}

type Group = Extract<SessionOption, { type: "select" }>["groups"][number];

function Choices({ choices }: Pick<Group, "choices">): JSX.Element {
  return (
    <>
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {visible(name)}
        </option>
      ))}
    </>
  );
}
