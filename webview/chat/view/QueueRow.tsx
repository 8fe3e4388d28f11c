import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { QueueItem } from "../../../src/protocol/viewState.ts";
import { Button } from "../controls.ts";
import { visible } from "../format.ts";
import { queueReceipt } from "../receipts.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import type { Drag } from "./drag.ts";
import { Icon, IconButton } from "./Icon.tsx";

interface Props {
  readonly item: QueueItem;
  readonly place: number;
  readonly all: number;
  /** The item after it. */
  readonly next: string | undefined;
  readonly tabIndex: number;
  readonly drag: Drag;
  readonly onFocus: () => void;
  /** Gives focus back to the item. */
  readonly back: () => void;
}

export function QueueRow(props: Props): JSX.Element {
  const app = useApp();
  const { item, place, drag } = props;
  const { id } = item;
  const editing = app.queue.edit.value?.id === id;
  const wasEditing = useRef(false);
  // At once: a frame later focus that is nowhere goes to the composer.
  useLayoutEffect(() => {
    if (wasEditing.current && !editing && focusIsNowhere()) props.back();
    wasEditing.current = editing;
  }, [editing]);
  const restored = app.store.is.facts.value.held === "restored";
  const receipt = queueReceipt(item, restored);
  const elsewhere = item.editing?.here === false;
  return (
    <li
      class={`q ${editing ? "is-edit" : ""} ${drag.over === id ? "is-over" : ""} ${drag.moving === id ? "is-moving" : ""}`}
      data-testid="queue-item"
      data-id={id}
      data-state={item.waiting ? "waiting" : "queued"}
      data-separate={item.separate || item.command}
      tabIndex={editing ? -1 : props.tabIndex}
      aria-label={words.queue.itemLabel(place, props.all, item.text)}
      onFocus={props.onFocus}
      onDblClick={() => {
        if (!editing) void app.queue.beginEdit(id);
      }}
    >
      {editing ? (
        <EditRow place={place} item={item} />
      ) : (
        <>
          <span
            class="grip"
            title={words.queue.drag}
            onPointerDown={(event) => drag.start(id, event)}
          >
            <Icon name="gripper" />
          </span>
          <p title={item.text} dir="auto">
            {from(item)}
            {item.text === ""
              ? item.attachments.map(({ name }) => visible(name)).join(", ")
              : item.text.slice(0, 600)}
            {elsewhere && (
              <span class="small sep">{words.queue.editingElsewhere}</span>
            )}
          </p>
          <span class="receipt" title={receipt.title}>
            {item.attachments.length > 0 && (
              <Icon
                name="attach"
                small
                title={item.attachments
                  .map(({ name }) => visible(name))
                  .join(", ")}
              />
            )}
            <Icon name={receipt.icon} small title={receipt.title} />
          </span>
          {app.store.is.readOnly.value === null && <RowActions {...props} />}
        </>
      )}
    </li>
  );
}

function from({ sender }: QueueItem): JSX.Element | null {
  return sender.kind === "user" ? null : (
    <span class="small">{words.transcript.from(visible(sender.name))} </span>
  );
}

/** Laid over the row, so that nothing moves; Right and Left go along them. */
function RowActions({ item, next }: Props): JSX.Element {
  const app = useApp();
  const { id, separate, command } = item;
  const { thread } = app;
  return (
    <span class="icos">
      <IconButton
        name="edit"
        label={words.queue.edit}
        title={words.queue.editKey}
        tabIndex={-1}
        testid="queue-edit"
        onClick={() => void app.queue.beginEdit(id)}
      />
      {!command && (
        <IconButton
          name={separate ? "group-by-ref-type" : "ungroup-by-ref-type"}
          label={separate ? words.queue.together : words.queue.separate}
          tabIndex={-1}
          testid="queue-separate"
          pressed={separate}
          onClick={() =>
            void app.asked({ type: "separate", thread, id, on: !separate })
          }
        />
      )}
      {next !== undefined && !command && (
        <IconButton
          name="merge"
          class="opt"
          label={words.queue.merge}
          tabIndex={-1}
          testid="queue-merge"
          onClick={() =>
            void app.asked({ type: "merge", thread, id, with: next })
          }
        />
      )}
      <IconButton
        name="arrow-up"
        class="opt"
        label={words.queue.itemNow}
        tabIndex={-1}
        testid="queue-item-now"
        onClick={() => void app.asked({ type: "sendNow", thread, id })}
      />
      <IconButton
        name="close"
        label={words.queue.remove}
        title={words.queue.removeKey}
        tabIndex={-1}
        testid="queue-remove"
        onClick={() => void app.queue.remove(id)}
      />
    </span>
  );
}

function EditRow({ place, item }: Pick<Props, "place" | "item">): JSX.Element {
  const app = useApp();
  const { id, attachments } = item;
  const dropped = app.queue.edit.value?.dropped ?? [];
  const area = useRef<HTMLTextAreaElement>(null);
  const text = app.queue.edit.value?.text ?? "";
  // Before anything can be typed: the cursor must not move later.
  useLayoutEffect(() => {
    const box = area.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) void app.queue.saveEdit();
    else if (event.key === "Escape") void app.queue.cancelEdit();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <textarea
        class="q-edit"
        rows={1}
        data-id={id}
        data-testid="queue-edit-text"
        aria-label={words.queue.editLabel(place)}
        ref={area}
        value={text}
        onInput={(event) => {
          const edit = app.queue.edit.value;
          if (edit !== undefined)
            app.queue.setEdit({ ...edit, text: event.currentTarget.value });
        }}
        onKeyDown={onKeyDown}
      />
      {attachments.length > dropped.length && (
        <div class="chips">
          {attachments.map(({ name, kind }, i) =>
            dropped.includes(i) ? null : (
              <span class="chip" key={i} title={visible(name)}>
                <Icon
                  name={kind === "image" ? "file-media" : "file-code"}
                  small
                />
                <span class="cut">{visible(name)}</span>
                <IconButton
                  name="close"
                  small
                  label={words.composer.attachment(visible(name))}
                  onClick={() => {
                    app.queue.drop(i);
                    area.current?.focus();
                  }}
                />
              </span>
            ),
          )}
        </div>
      )}
      <div class="q-bar">
        <Button
          slim
          primary
          testid="queue-save"
          onClick={() => void app.queue.saveEdit()}
        >
          {words.queue.save}
        </Button>
        <Button
          slim
          testid="queue-cancel"
          onClick={() => void app.queue.cancelEdit()}
        >
          {words.queue.cancel}
        </Button>
        <Button
          slim
          testid="queue-split"
          onClick={() =>
            void app.queue.split(area.current?.selectionStart ?? 0)
          }
        >
          {words.queue.split}
        </Button>
        <span class="small">{words.queue.editing}</span>
      </div>
    </>
  );
}

const focusIsNowhere = (): boolean =>
  document.activeElement === document.body || document.activeElement === null;
