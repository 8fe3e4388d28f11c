import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { compact, money } from "../format.ts";
import { commandEnter } from "../keyNames.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon, IconButton } from "./Icon.tsx";
import { Options } from "./Options.tsx";

interface Props {
  readonly locked: boolean;
  readonly send: () => void;
  readonly slash: () => void;
  readonly mention: () => void;
  readonly attach: (files: readonly File[]) => void;
}

export function ComposerBar(props: Props): JSX.Element {
  const app = useApp();
  const files = useRef<HTMLInputElement>(null);
  const { commands, facts, settings } = app.store.is;
  const key = settings.value.enter === "send" ? "Enter" : commandEnter;
  const label = facts.value.full
    ? words.composer.addLater
    : app.adds.value
      ? words.composer.addNext
      : words.composer.send;
  const empty =
    app.drafts.draft.value.text.trim() === "" &&
    app.drafts.attachments.value.length === 0;
  return (
    <div class="bar">
      <button
        type="button"
        class="ico mono"
        aria-label={words.composer.context}
        title={words.composer.contextKey}
        disabled={props.locked}
        onClick={props.mention}
      >
        @
      </button>
      {commands.value.length > 0 && (
        <button
          type="button"
          class="ico mono"
          aria-label={words.composer.commands}
          title={words.composer.commandsKey}
          disabled={props.locked}
          onClick={props.slash}
        >
          /
        </button>
      )}
      <IconButton
        name="attach"
        label={words.composer.attach}
        title={words.composer.attachHow}
        testid="attach"
        disabled={props.locked}
        onClick={() => files.current?.click()}
      />
      <input
        type="file"
        hidden
        multiple
        ref={files}
        onChange={(event) => {
          props.attach([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <Options />
      <span class="grow" />
      <Meter />
      {app.running.value && (
        <IconButton
          name="debug-stop"
          label={words.composer.stop}
          title={words.composer.stopKey}
          testid="stop"
          onClick={() => void app.asked({ type: "stop", thread: app.thread })}
        />
      )}
      <button
        type="submit"
        class="send"
        data-testid="send"
        aria-label={label}
        title={words.composer.sendKey(label, key)}
        disabled={props.locked || empty}
      >
        <Icon name="arrow-up" />
      </button>
    </div>
  );
}

function Meter(): JSX.Element | null {
  const usage = useApp().store.is.usage.value;
  if (usage === null || usage.size <= 0) return null;
  const percent = Math.min(100, Math.round((usage.used / usage.size) * 100));
  const title = words.composer.usageTitle(
    compact(usage.used),
    compact(usage.size),
    usage.cost === undefined ? undefined : money(usage.cost),
  );
  return (
    <span
      class="meter small"
      role="img"
      aria-label={words.composer.usage(percent)}
      title={title}
      data-testid="usage"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle class="all" cx="8" cy="8" r="6" />
        <circle
          class="used"
          pathLength={100}
          stroke-dasharray={`${percent} 100`}
          cx="8"
          cy="8"
          r="6"
        />
      </svg>
      <span>{percent}%</span>
    </span>
  );
}
