import type { JSX } from "preact";
import type { ContextItem } from "../../../src/protocol/reply.ts";
import { visible } from "../format.ts";
import type { IconName } from "../icons.ts";
import { hits } from "../mention.ts";
import { words } from "../strings.ts";
import { Icon } from "./Icon.tsx";

const icons: Readonly<Record<ContextItem["kind"], IconName>> = {
  file: "file-code",
  folder: "folder",
  editor: "go-to-file",
  symbol: "symbol-class",
  selection: "insert",
  problems: "warning",
  terminal: "terminal",
  changes: "git-compare",
  thread: "comment-discussion",
};

type GroupName = keyof typeof words.composer.contextGroup;

const groups: Readonly<Record<ContextItem["kind"], GroupName>> = {
  file: "files",
  folder: "files",
  editor: "files",
  symbol: "symbols",
  selection: "more",
  problems: "more",
  terminal: "more",
  changes: "more",
  thread: "more",
};

interface Props {
  readonly found: readonly ContextItem[];
  readonly query: string;
  readonly picked: number;
  readonly choose: (item: ContextItem) => void;
}

/** What `@` can bring along. */
export function Mentions(props: Props): JSX.Element {
  const parts = Map.groupBy(
    props.found.map((item, place) => ({ item, place })),
    ({ item }) => groups[item.kind],
  );
  return (
    <div
      class="pop commands"
      role="listbox"
      id="mentions"
      data-testid="mentions"
      aria-label={words.composer.context}
    >
      {[...parts].map(([name, items]) => (
        <div key={name} role="group" aria-labelledby={`mentions-${name}`}>
          <div class="label" id={`mentions-${name}`}>
            {words.composer.contextGroup[name]}
          </div>
          {items.map(({ item, place }) => (
            <Row key={place} {...props} item={item} place={place} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface RowProps extends Props {
  readonly item: ContextItem;
  readonly place: number;
}

function Row({ item, place, picked, query, choose }: RowProps): JSX.Element {
  const on = place === picked;
  return (
    <button
      type="button"
      id={`mention-${place}`}
      class={`row ${on ? "is-on" : ""}`}
      role="option"
      tabIndex={-1}
      aria-selected={on}
      data-kind={item.kind}
      ref={(row) => {
        if (on) row?.scrollIntoView({ block: "nearest" });
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(item)}
    >
      <Icon name={icons[item.kind]} />
      <span class="cut name" title={visible(item.name)}>
        {hits(query, visible(item.name)).map(({ text, hit }) =>
          hit ? <span class="hit">{text}</span> : text,
        )}
      </span>
      <span class="small cut grow" title={visible(item.detail)}>
        {visible(item.detail)}
      </span>
    </button>
  );
}
