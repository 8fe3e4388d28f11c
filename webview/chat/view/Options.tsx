import type { JSX } from "preact";
import type { SessionOption } from "../../../src/protocol/viewState.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";

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
        <span class="small cut opt" title={words.composer.optionsLater}>
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

function Option({ option, set }: Props): JSX.Element {
  const { id, name, description } = option;
  const title = visible(
    description === undefined ? name : `${name}: ${description}`,
  );
  if (option.type === "boolean")
    return (
      <button
        type="button"
        class="picker"
        role="switch"
        aria-checked={option.value}
        title={title}
        data-testid="option"
        data-option={id}
        onClick={() => set(id, !option.value)}
      >
        {visible(name)}
      </button>
    );
  return (
    <select
      class="picker"
      aria-label={visible(name)}
      title={title}
      data-testid="option"
      data-option={id}
      value={option.value}
      onChange={(event) => set(id, event.currentTarget.value)}
    >
      {option.groups.map((group) =>
        group.name === undefined ? (
          group.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {visible(choice.name)}
            </option>
          ))
        ) : (
          <optgroup key={group.name} label={visible(group.name)}>
            {group.choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {visible(choice.name)}
              </option>
            ))}
          </optgroup>
        ),
      )}
    </select>
  );
}
