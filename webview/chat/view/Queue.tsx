import { Fragment } from "preact";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../controls.ts";
import type { Removed } from "../queueDesk.ts";
import { queueMeans } from "../keys.ts";
import { moved, sections, waitsFor } from "../queueSections.ts";
import type { Section } from "../queueSections.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { useDrag } from "./drag.ts";
import { IconButton } from "./Icon.tsx";
import { Menu } from "./Menu.tsx";
import { QueueGone } from "./QueueGone.tsx";
import { QueueRow } from "./QueueRow.tsx";

/** What waits, above the composer: the next turn before it is one. */
export function Queue(): JSX.Element | null {
  const app = useApp();
  const { queue, facts } = app.store.is;
  const removed = app.queue.removed.value;
  const items = queue.value;
  if (items.length === 0 && removed === undefined) return null;
  const parts = sections(items, facts.value.plan);
  return (
    <section
      class="queue"
      aria-label={words.queue.label}
      data-testid="queue"
      data-region="queue"
      data-held={facts.value.held ?? ""}
    >
      {items.length > 0 && <QueueHead next={parts[0]} />}
      <QueueList parts={parts} removed={removed} />
    </section>
  );
}

function QueueHead({
  next,
}: {
  readonly next: Section | undefined;
}): JSX.Element {
  const app = useApp();
  const { facts, readOnly } = app.store.is;
  const { full, mode } = facts.value;
  const count =
    mode === "per-message"
      ? app.store.is.queue.value.length
      : next?.items.length;
  return (
    <div class="queue-head">
      <span class="what">
        <span>
          <b>{words.queue.next}</b>
          <span class="sep">{words.messages(count ?? 0)}</span>
          {full && <span class="sep">{words.queue.full}</span>}
        </span>
        <WaitsFor />
      </span>
      <IconButton
        name="eye"
        label={words.queue.preview}
        testid="queue-preview"
        onClick={() =>
          void app.asked({ type: "previewNext", thread: app.thread })
        }
      />
      {readOnly.value === null && <HeadActions />}
    </div>
  );
}

function HeadActions(): JSX.Element {
  const app = useApp();
  const { held, collectingUntil } = app.store.is.facts.value;
  const { thread } = app;
  const running = app.running.value;
  return (
    <>
      <Button
        slim
        testid="queue-hold"
        onClick={() =>
          void app.asked({ type: held === null ? "hold" : "resume", thread })
        }
      >
        {held === null ? words.queue.hold : words.queue.resume}
      </Button>
      {(running || collectingUntil !== null) && (
        <Button
          slim
          testid="queue-send-now"
          title={running ? words.queue.sendNowWhy : words.queue.endCollecting}
          onClick={() => void app.asked({ type: "sendNow", thread })}
        >
          {words.queue.sendNow}
        </Button>
      )}
      <Menu
        label={words.queue.more}
        up
        items={[
          {
            label: running ? words.queue.cancelAll : words.queue.clear,
            title: words.queue.cancelAllWhy,
            icon: "clear-all",
            run: () => void app.queue.cancelAll(),
          },
        ]}
      />
    </>
  );
}

function WaitsFor(): JSX.Element {
  const app = useApp();
  const { facts, status, thread, readOnly } = app.store.is;
  const text =
    readOnly.value === null
      ? waitsFor(
          facts.value,
          status.value,
          thread.value?.agent.label ?? "",
          facts.value.collectingUntil === null ? 0 : app.now.value,
          app.running.value,
        )
      : words.queue.elsewhere;
  const shown =
    facts.value.mode === "per-message"
      ? `${text}. ${words.queue.eachAlone}.`
      : text;
  return (
    <span class="small cut" title={shown}>
      {shown}
    </span>
  );
}

interface ListProps {
  readonly parts: readonly Section[];
  readonly removed: Removed | undefined;
}

function QueueList({ parts, removed }: ListProps): JSX.Element {
  const app = useApp();
  const root = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | undefined>(undefined);
  const queue = app.store.is.queue.value.map(({ id }) => id);
  // As they are drawn: turns to come need not follow the queue's order.
  const ids = parts.flatMap(({ items }) => items.map(({ id }) => id));
  const stop = ids.includes(current ?? "") ? current : ids[0];
  const drag = useDrag(root, (id, before) => {
    void app.asked({ type: "reorder", thread: app.thread, id, before });
  });

  // What comes anew is shown, unless the keyboard is at work here.
  const known = useRef(new Set(ids));
  useLayoutEffect(() => {
    const fresh = ids.find((id) => !known.current.has(id));
    known.current = new Set(ids);
    const list = root.current;
    if (fresh === undefined || list?.contains(document.activeElement) === true)
      return;
    list
      ?.querySelector(`[data-id="${CSS.escape(fresh)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  });

  const focusOn = (id: string | undefined): void => {
    setCurrent(id);
    const selector = `[data-id="${CSS.escape(id ?? "")}"]`;
    root.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  const move = (id: string, by: -1 | 1): void => {
    const to = moved(queue, id, by);
    if (to === undefined) return;
    const { before, place } = to;
    void app
      .asked({ type: "reorder", thread: app.thread, id, before })
      .then((done) => {
        if (done) app.live.say(words.say.moved(place, ids.length));
        requestAnimationFrame(() => focusOn(id));
      });
  };
  const undo = ({ ids: back }: Removed): void => {
    void app.queue.restore(back).then((done) => {
      if (done) requestAnimationFrame(() => focusOn(back[0]));
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = event.target;
    if (!(from instanceof HTMLElement)) return;
    const { id } = from.dataset;
    if (goesAlong(event, from)) return;
    const means = queueMeans(event);
    if (means === "undo" && removed !== undefined) {
      event.preventDefault();
      undo(removed);
    }
    if (id === undefined || means === undefined) return;
    event.preventDefault();
    const at = ids.indexOf(id);
    const { thread } = app;
    const item = app.store.state.queue.find((one) => one.id === id);
    if (means === "up") focusOn(ids[Math.max(0, at - 1)]);
    if (means === "down") focusOn(ids[Math.min(ids.length - 1, at + 1)]);
    if (app.store.state.readOnly !== null) return;
    if (means === "moveUp") move(id, -1);
    if (means === "moveDown") move(id, 1);
    if (means === "edit") void app.queue.beginEdit(id);
    if (means === "remove") void app.queue.remove(id);
    if (means === "separate")
      void app.asked({
        type: "separate",
        thread,
        id,
        on: item?.separate === false,
      });
    if (means === "hold")
      void app.asked({
        type: app.store.state.facts.held === null ? "hold" : "resume",
        thread,
      });
  };

  let place = 0;
  return (
    <div class="qlists" ref={root} onKeyDown={onKeyDown}>
      {parts.map((part, i) => (
        <div key={`${part.kind}${i}`}>
          {part.kind === "then" &&
            app.store.is.facts.value.mode !== "per-message" && (
              <div class="then small">
                {words.queue.then(part.items.length)}
              </div>
            )}
          {part.kind === "waits" && (
            <div class="then small">{words.queue.waits}</div>
          )}
          <ol class="qlist">
            {part.items.map((item) => (
              <Fragment key={item.id}>
                {removed?.before === item.id && (
                  <QueueGone removed={removed} undo={undo} />
                )}
                <QueueRow
                  item={item}
                  place={++place}
                  all={ids.length}
                  next={ids[place]}
                  tabIndex={item.id === stop ? 0 : -1}
                  drag={drag}
                  onFocus={() => setCurrent(item.id)}
                  back={() => focusOn(item.id)}
                />
              </Fragment>
            ))}
            {i === parts.length - 1 && removed?.before === null && (
              <QueueGone removed={removed} undo={undo} />
            )}
          </ol>
        </div>
      ))}
      {parts.length === 0 && removed !== undefined && (
        <ol class="qlist">
          <QueueGone removed={removed} undo={undo} />
        </ol>
      )}
    </div>
  );
}

/** Right and Left in a row: to its actions and back. */
function goesAlong(event: KeyboardEvent, from: HTMLElement): boolean {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const row = from.closest<HTMLElement>("li.q:not(.gone, .is-edit)");
  if (by === undefined || row === null) return false;
  const actions = [...row.querySelectorAll<HTMLElement>(".icos button")];
  // Where it is narrow some have no room.
  const stops = [row, ...actions.filter((one) => one.checkVisibility())];
  stops[Math.max(0, stops.indexOf(from) + by)]?.focus();
  event.preventDefault();
  return true;
}
