import type { JSX } from "preact";
import { bytes, clockTime, exactTime, visible } from "../format.ts";
import { receiptOf } from "../receipts.ts";
import { longestSaid } from "../spot.ts";
import { words } from "../strings.ts";
import { Attachments } from "./Attachments.tsx";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly id: string;
  /** The time stands here when no heading carries it. */
  readonly showTime: boolean;
}

export function UserMessage({ id, showTime }: Props): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  if (message?.body.kind !== "user") return null;
  const batch = app.store.batch(message.batch)?.value;
  const receipt = receiptOf(message, batch);
  const runs = batch?.status === "processing" || batch?.status === "collecting";
  const { text, attachments } = message.body;
  const whole = text.length <= longestSaid || app.keeper.isOpen(id, false);
  const from =
    message.sender.kind === "user"
      ? undefined
      : words.transcript.from(visible(message.sender.name));
  return (
    <div
      class={`msg is-${message.state ?? "none"}`}
      data-testid="message"
      data-role="user"
      data-state={message.state ?? ""}
      data-position={message.position}
      data-id={id}
    >
      <div class="said">
        {from !== undefined && <div class="small">{from}</div>}
        {text !== "" && (
          <p dir="auto">
            {inlineCode(whole ? text : text.slice(0, longestSaid))}
          </p>
        )}
        {!whole && (
          <button
            type="button"
            class="more small"
            tabIndex={-1}
            data-nav
            onClick={() => app.keeper.fold(id, true)}
          >
            {words.transcript.cut(bytes(text.length))}
          </button>
        )}
        <Attachments items={attachments} message={id} />
        {message.state === "discarded" && !runs && (
          <button
            type="button"
            class="link small"
            tabIndex={-1}
            onClick={() => void app.queue.restore([id])}
          >
            {words.transcript.restore}
          </button>
        )}
      </div>
      {receipt !== undefined && (
        <span
          class={`receipt ${receipt.needsYou ? "needs" : ""}`}
          title={receipt.title}
        >
          {showTime && (
            <time title={exactTime(message.at)}>{clockTime(message.at)}</time>
          )}
          <Icon name={receipt.icon} small title={receipt.title} />
        </span>
      )}
    </div>
  );
}

/** The user's words as typed; what stands in backticks is code. */
function inlineCode(text: string): ComponentParts {
  return text
    .split(/(`[^`\n]+`)/u)
    .map((part) =>
      /^`[^`\n]+`$/u.test(part) ? <code>{part.slice(1, -1)}</code> : part,
    );
}

type ComponentParts = (JSX.Element | string)[];
