import type { JSX } from "preact";
import { visible } from "../format.ts";
import { took } from "../../../src/util/took.ts";
import type { IconName } from "../icons.ts";
import { words } from "../strings.ts";
import { Attachments } from "./Attachments.tsx";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { Markdown } from "./Markdown.tsx";

interface Props {
  readonly id: string;
}

/** What every row of the transcript says about itself. */
const marks = (
  role: string,
  message: {
    readonly id: string;
    readonly position: string;
    readonly state: string | null;
  },
): Record<string, string> => ({
  "data-testid": "message",
  "data-role": role,
  "data-state": message.state ?? "",
  "data-position": message.position,
  "data-id": message.id,
});

export function AgentText({ id }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "agent") return null;
  const { text, open, attachments = [] } = message.body;
  return (
    <div class="answer" {...marks("agent", message)}>
      {message.late === true && (
        <div class="small">{words.transcript.late}</div>
      )}
      <Markdown text={text} open={open} />
      <Attachments items={attachments} message={id} />
    </div>
  );
}

export function Thought({ id }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "thought") return null;
  const { text, open: growing, durationMs } = message.body;
  const open = app.keeper.isOpen(id, false);
  const glimpse = (growing ? text.slice(-300) : text.slice(0, 300))
    .split("\n")
    .map((line) => line.replaceAll(/[*`]|^#+ /gu, "").trim())
    .filter((line) => line !== "")
    .at(growing ? -1 : 0);
  const label = growing
    ? words.thought.thinking
    : durationMs === undefined
      ? words.thought.thought
      : words.thought.thoughtFor(took(durationMs));
  return (
    <div class="thinking" {...marks("thought", message)}>
      <button
        type="button"
        class="thought"
        tabIndex={-1}
        data-nav
        aria-expanded={open}
        onClick={() => app.keeper.fold(id, !open)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span>{label}</span>
        {!open && glimpse !== undefined && (
          <em class="cut sep" title={glimpse}>
            {glimpse}
          </em>
        )}
      </button>
      {open && (
        <div class="thought-text">
          <Markdown text={text} open={growing} />
        </div>
      )}
    </div>
  );
}

export function Plan({ id }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "plan") return null;
  const { entries } = message.body;
  const done = entries.filter(({ status }) => status === "completed").length;
  return (
    <ul
      class="plan"
      aria-label={words.plan(done, entries.length)}
      {...marks("plan", message)}
    >
      {entries.map(({ content, status }, i) => (
        <li key={i} class={status === "completed" ? "done" : ""}>
          {status === "completed" && <Icon name="check" small />}
          {status === "in_progress" && (
            <Icon name="loading" small class="spin live" />
          )}
          {status === "pending" && <Icon name="circle" small />}
          {status === "in_progress" ? <b>{content}</b> : <span>{content}</span>}
        </li>
      ))}
    </ul>
  );
}

export function Decision({ id }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "decision") return null;
  const { title, option, asks, answer } = message.body;
  const kind = option?.kind ?? "none";
  const what = (asks === undefined ? words.decision : words.answered)[kind];
  const about = visible(answer === undefined ? title : `${title} ${answer}`);
  return (
    <div class="aside small" {...marks("notice", message)}>
      <Icon name={asks === undefined ? "shield" : "question"} small />
      <span>{what}</span>
      <span class="sep cut" title={about}>
        {about}
      </span>
    </div>
  );
}

const levels: Readonly<Record<"info" | "warning" | "error", IconName>> = {
  info: "info",
  warning: "warning",
  error: "error",
};

/** A sentence in the transcript, where it happened. */
export function Remark({ id }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "notice") return null;
  const { level, text } = message.body;
  return (
    <div class="aside small" {...marks("notice", message)}>
      <Icon
        name={levels[level]}
        small
        class={{ info: "", warning: "needs", error: "bad" }[level]}
      />
      <span data-testid="notice" data-level={level}>
        {text}
      </span>
    </div>
  );
}
