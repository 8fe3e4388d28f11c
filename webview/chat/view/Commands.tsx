import type { JSX } from "preact";
import type { ViewCommand } from "../../../src/protocol/viewState.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";

/** The agent's commands that a text may become. */
export function matching(
  commands: readonly ViewCommand[],
  text: string,
): readonly ViewCommand[] {
  const typed = /^\/([\w:.-]*)$/u.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return commands.filter(({ name }) => name.toLowerCase().startsWith(typed));
}

interface Props {
  readonly found: readonly ViewCommand[];
  readonly picked: number;
  readonly query: string;
  readonly choose: (name: string) => void;
}

export function Commands({ found, picked, query, choose }: Props): JSX.Element {
  const typed = query.length - 1;
  return (
    <div
      class="pop commands"
      role="listbox"
      id="commands"
      aria-label={words.composer.commands}
    >
      {found.map(({ name, description }, i) => (
        <button
          type="button"
          key={name}
          id={`command-${i}`}
          class={`row ${i === picked ? "is-on" : ""}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === picked}
          ref={(row) => {
            if (i === picked) row?.scrollIntoView({ block: "nearest" });
          }}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(name)}
        >
          <span class="mono">
            /<span class="hit">{visible(name.slice(0, typed))}</span>
            {visible(name.slice(typed))}
          </span>
          <span class="small cut grow" title={description}>
            {description}
          </span>
        </button>
      ))}
      <div class="label rule">{words.queue.command}</div>
    </div>
  );
}
