import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { OpenPermission } from "../../../src/protocol/viewState.ts";
import { Button } from "../controls.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { TabStops, useApp } from "./context.ts";
import { Fold } from "./Fold.tsx";
import { Icon } from "./Icon.tsx";
import { Places } from "./Places.tsx";
import { Content, Output } from "./ToolContent.tsx";
import { Waited } from "./Waited.tsx";

const questions: Partial<Record<OpenPermission["toolKind"], string>> =
  words.permission;

/** A question of the agent. Only this card answers it, and only on purpose. */
export function Permission({
  asked,
}: {
  readonly asked: OpenPermission;
}): JSX.Element {
  const app = useApp();
  const answered = useRef(false);
  const card = useRef<HTMLElement>(null);
  const answer = (option: string): void => {
    if (answered.current) return;
    answered.current = true;
    const hadFocus = card.current?.contains(document.activeElement) === true;
    void app
      .asked({
        type: "answerPermission",
        thread: app.thread,
        permission: asked.id,
        option,
      })
      .then((done) => {
        answered.current = done;
        // The card is about to go, or gone: focus must not go with it.
        if (done && hadFocus) app.reveal.part.value = { kind: "composer" };
      });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = asked.options[Number(event.key) - 1];
    if (option === undefined || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    answer(option.id);
  };
  const title = visible(unquoted(asked.title));
  const question = questions[asked.toolKind] ?? words.permission.other;
  const shown = new Set(
    asked.content.map((content) =>
      content.type === "diff" ? content.path : "",
    ),
  );
  const places = asked.locations.filter(({ path }) => !shown.has(path));
  const first = asked.options.find(({ kind }) => kind === "allow_once");
  return (
    <section
      class="ask"
      role="group"
      tabIndex={-1}
      data-testid="permission"
      ref={card}
      aria-label={words.permission.label(title)}
      onKeyDown={onKeyDown}
    >
      <div class="ask-head">
        <Icon name="shield" class="needs" />
        <b class="grow">{question}</b>
        <Waited since={asked.askedAt} />
      </div>
      <div class="ask-cmd">{title}</div>
      <TabStops.Provider value={0}>
        {asked.content.map((content, i) => (
          <div class="ask-detail" key={i}>
            <Content
              content={content}
              message={asked.message}
              index={i}
              exact
            />
          </div>
        ))}
        <Input asked={asked} />
        <Places places={places} />
      </TabStops.Provider>
      <div class="btns">
        {asked.options.map((option, i) => (
          <Button
            key={option.id}
            primary={option === first}
            title={visible(option.name)}
            onClick={() => answer(option.id)}
            testid="permission-option"
            data={{ "data-kind": option.kind }}
          >
            {visible(option.name)}
            {i < 9 && <kbd>{i + 1}</kbd>}
          </Button>
        ))}
      </div>
      <p class="small">{words.permission.note}</p>
    </section>
  );
}

/** What the tool would be called with: in full where nothing else shows what it will do. */
function Input({
  asked,
}: {
  readonly asked: OpenPermission;
}): JSX.Element | null {
  const { input, id, content, title } = asked;
  const command = commandIn(input ?? "");
  const isTitle = command?.text === unquoted(title);
  if (input === undefined || (isTitle && command.alone)) return null;
  const raw = <Output text={input} label={words.tool.input} exact />;
  return content.length === 0 && !isTitle ? (
    <div class="ask-detail ask-input" data-testid="permission-input">
      {raw}
    </div>
  ) : (
    <Fold name={`${id}/input`} label={words.tool.input}>
      <div class="ask-detail ask-input" data-testid="permission-input">
        {raw}
      </div>
    </Fold>
  );
}

/** Agents put the command between backticks; those inside of it are part of it. */
function unquoted(title: string): string {
  const inner = /^`((?:[^`\\]|\\.)*)`$/su.exec(title)?.[1];
  return inner?.replaceAll("\\`", "`") ?? title;
}

/** The command a tool would be called with, and whether it is called with nothing else that matters. */
function commandIn(
  input: string,
): { readonly text: unknown; readonly alone: boolean } | undefined {
  try {
    const read: unknown = JSON.parse(input);
    if (typeof read !== "object" || read === null || !("command" in read))
      return undefined;
    const { command, ...rest } = read;
    const alone = Object.keys(rest).every((key) => key === "description");
    return { text: command, alone };
  } catch {
    return undefined;
  }
}
