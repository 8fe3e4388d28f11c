import { Fragment } from "preact";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { assertNever } from "../../../src/util/assertNever.ts";
import { took } from "../../../src/util/took.ts";
import type { ThreadSummary } from "../../../src/protocol/viewState.ts";
import { running, visible, when } from "../format.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { FoundRow, useTexts } from "./FoundTexts.tsx";
import { GoneThread } from "./GoneThread.tsx";
import { Icon, IconButton } from "./Icon.tsx";
import { RenameThread } from "./RenameThread.tsx";

export function Threads(): JSX.Element {
  const app = useApp();
  const all = app.store.is.threads.value;
  const [query, setQuery] = useState("");
  const [renaming, setRenaming] = useState<string | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => search.current?.focus(), []);
  const texts = useTexts(query.trim());
  const wanted = query.trim().toLowerCase();
  const found = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  const [current, archived] = [
    found.filter((thread) => !thread.archived),
    found.filter((thread) => thread.archived),
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const rows = [
      ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(
        ".thread-open, .found-open",
      ),
    ];
    const at = rows.findIndex((row) => row === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to !== undefined) (rows[to] ?? search.current)?.focus();
    else if (event.key === "Escape") app.showThreads.value = false;
    else return;
    event.preventDefault();
  };
  const gone = app.threads.gone.value;
  const shown = found.some(({ id }) => id === gone?.before);
  const row = (thread: ThreadSummary): JSX.Element => (
    <Fragment key={thread.id}>
      {gone?.before === thread.id && <GoneThread gone={gone} />}
      <ThreadRow
        thread={thread}
        renaming={renaming === thread.id}
        rename={setRenaming}
      />
    </Fragment>
  );
  return (
    <nav
      class="list threads"
      aria-label={words.threads.label}
      data-region="log"
      data-testid="threads"
      onKeyDown={onKeyDown}
    >
      <label class="field">
        <Icon name="search" small />
        <input
          class="grow"
          ref={search}
          value={query}
          placeholder={words.threads.search}
          aria-label={words.threads.search}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      {found.length === 0 && texts.length === 0 && (
        <p class="label">
          {all.length === 0 ? words.threads.none : words.threads.noMatch}
        </p>
      )}
      {app.trouble.value !== undefined && (
        <p class="label bad" role="alert">
          {app.trouble.value}
        </p>
      )}
      {current.map(row)}
      {gone !== undefined && !shown && <GoneThread gone={gone} />}
      {archived.length > 0 && <div class="label">{words.threads.archived}</div>}
      {archived.map(row)}
      {texts.length > 0 && <div class="label">{words.threads.said}</div>}
      {texts.map((text) => (
        <FoundRow key={text.message} text={text} query={query.trim()} />
      ))}
    </nav>
  );
}

function lastOf(status: BatchStatus, duration: string): string {
  switch (status) {
    case "completed":
      return words.threads.done(duration);
    case "cancelled":
      return words.threads.stopped;
    case "failed":
      return words.threads.failed;
    case "interrupted":
      return words.threads.interrupted;
    case "collecting":
    case "processing":
      return "";
    default:
      return assertNever(status);
  }
}

/** The row goes to another part of the list, in a frame of its own; the focus goes along. */
function whenMoved(thread: string, archived: boolean, tries = 60): void {
  const row = `.thread[data-thread="${CSS.escape(thread)}"][data-archived="${String(archived)}"]`;
  if (document.querySelector(row) !== null) focusOn(thread);
  else if (tries > 0)
    requestAnimationFrame(() => whenMoved(thread, archived, tries - 1));
}

function focusOn(thread: string): void {
  const row = `.thread[data-thread="${CSS.escape(thread)}"] .thread-open`;
  document.querySelector<HTMLElement>(row)?.focus();
}

type BatchStatus = NonNullable<ThreadSummary["last"]>["status"];

interface RowProps {
  readonly thread: ThreadSummary;
  readonly renaming: boolean;
  readonly rename: (id: string | undefined) => void;
}

function ThreadRow({ thread, renaming, rename }: RowProps): JSX.Element {
  const app = useApp();
  const here = app.store.is.thread.value?.id === thread.id;
  const title =
    thread.title === "" ? words.head.untitled : visible(thread.title);
  if (renaming)
    return (
      <RenameThread
        id={thread.id}
        title={thread.title}
        done={() => {
          rename(undefined);
          requestAnimationFrame(() => focusOn(thread.id));
        }}
      />
    );
  const of = { thread: thread.id };
  const archive = (): void => {
    const on = !thread.archived;
    void app.asked({ type: "archiveThread", ...of, on }).then((done) => {
      if (!done) return;
      app.live.say(on ? words.say.archived : words.say.unarchived);
      whenMoved(thread.id, on);
    });
  };
  const loud = thread.unread || thread.mark === "needsYou";
  return (
    <div
      class={`row two thread ${here ? "is-on" : ""}`}
      data-testid="thread"
      data-thread={thread.id}
      data-mark={thread.mark}
      data-archived={String(thread.archived)}
    >
      <button
        type="button"
        class="thread-open"
        aria-current={here}
        onClick={() => {
          void app.asked({ type: "openThread", ...of });
          app.showThreads.value = false;
        }}
        onKeyDown={(event) => {
          if (event.key === "F2") rename(thread.id);
          else if (event.key === "Delete") void app.threads.remove(thread.id);
          else if (event.key === "a" && !event.ctrlKey && !event.metaKey)
            archive();
          else return;
          event.preventDefault();
        }}
      >
        <Mark thread={thread} />
        <div>
          <div class="cut" title={title}>
            {loud ? <b>{title}</b> : title}
          </div>
          <Second thread={thread} />
        </div>
        <When at={thread.updatedAt} />
      </button>
      <span class="icos">
        <IconButton
          name="edit"
          label={words.head.rename}
          onClick={() => rename(thread.id)}
        />
        <IconButton
          name={thread.archived ? "unarchive" : "archive"}
          label={thread.archived ? words.head.unarchive : words.head.archive}
          onClick={archive}
        />
        <IconButton
          name="trash"
          label={words.head.delete}
          onClick={() => void app.threads.remove(thread.id)}
        />
      </span>
    </div>
  );
}

function When({ at }: { readonly at: number }): JSX.Element {
  const app = useApp();
  return <span class="small">{when(at, app.now.value)}</span>;
}

function Mark({ thread }: { readonly thread: ThreadSummary }): JSX.Element {
  switch (thread.mark) {
    case "needsYou":
      return (
        <span class="mk needs">
          <Icon name="bell-dot" title={words.threads.needsYou} />
        </span>
      );
    case "working":
      return (
        <span class="mk live">
          <Icon name="loading" class="spin" />
        </span>
      );
    case "held":
      return (
        <span class="mk">
          <Icon name="debug-pause" />
        </span>
      );
    case "interrupted":
      return (
        <span class="mk">
          <Icon name="debug-disconnect" />
        </span>
      );
    case "failed":
      return (
        <span class="mk bad">
          <Icon name="error" />
        </span>
      );
    case "unread":
    case "none":
      return (
        <span class="mk">
          {thread.unread && (
            <span
              class="dot"
              role="img"
              aria-label={words.threads.unread}
              title={words.threads.unread}
            />
          )}
        </span>
      );
    default:
      return assertNever(thread.mark);
  }
}

function Second({ thread }: { readonly thread: ThreadSummary }): JSX.Element {
  const app = useApp();
  const { mark, queued, detail, last } = thread;
  const parts = [mark === "needsYou" ? words.threads.needsYou : thread.agent];
  if (mark === "working" && thread.since !== undefined)
    parts.push(words.threads.working(running(app.now.value - thread.since)));
  if (mark === "held") parts.push(words.threads.held(queued));
  else if (queued > 0) parts.push(words.threads.queued(queued));
  if (mark === "failed") parts.push(words.threads.failed);
  else if (last !== undefined && mark !== "needsYou")
    parts.push(lastOf(last.status, took(last.ms)));
  if (detail !== undefined) parts.push(detail);
  return (
    <div class="small cut" title={parts.join(" · ")}>
      {parts.map((part, i) => (
        <span key={part} class={i === 0 ? "" : "sep"}>
          {visible(part)}
        </span>
      ))}
    </div>
  );
}
