import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { assertNever } from "../../../src/util/assertNever.ts";
import type { AgentState } from "../../../src/protocol/viewState.ts";
import { running, visible } from "../format.ts";
import { took } from "../../../src/util/took.ts";
import { isRunning } from "../footer.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon, IconButton } from "./Icon.tsx";
import { Menu } from "./Menu.tsx";
import type { MenuItem } from "./Menu.tsx";
import { RenameThread } from "./RenameThread.tsx";

export function Head(): JSX.Element {
  const app = useApp();
  const thread = app.store.is.thread.value;
  const title = thread?.title ?? "";
  const renaming = useSignal(false);
  const shown = title === "" ? words.head.untitled : visible(title);
  return (
    <header class="head" data-region="head">
      <div class="head-id">
        {renaming.value && thread !== null ? (
          <RenameThread
            id={thread.id}
            title={title}
            done={() => {
              renaming.value = false;
              requestAnimationFrame(() =>
                document.querySelector<HTMLElement>(".head-title")?.focus(),
              );
            }}
          />
        ) : (
          <h1>
            <button
              type="button"
              class="head-title"
              title={words.head.switchThread}
              aria-expanded={app.showThreads.value}
              onClick={() => (app.showThreads.value = !app.showThreads.value)}
            >
              <span class="cut" title={shown}>
                {shown}
              </span>
              <Icon name="chevron-down" small />
            </button>
          </h1>
        )}
        <Status />
      </div>
      <div class="icos">
        <IconButton
          name="pulse"
          label={words.head.timeline}
          onClick={() => void app.asked({ type: "showTimeline" })}
        />
        <IconButton
          name="add"
          label={words.head.newThread}
          onClick={() => void app.asked({ type: "newThread" })}
        />
        <More rename={() => (renaming.value = true)} />
      </div>
    </header>
  );
}

type Tone = "live" | "needs" | "bad" | "rest";

function toneOf(state: AgentState): Tone {
  switch (state) {
    case "starting":
    case "busy":
    case "restarting":
      return "live";
    case "waiting":
      return "needs";
    case "stuck":
    case "failed":
      return "bad";
    case "none":
    case "ready":
      return "rest";
    default:
      return assertNever(state);
  }
}

function Status(): JSX.Element {
  const app = useApp();
  const { status, thread, permissions, elicitations } = app.store.is;
  const { state, text, signAt, probed } = status.value;
  const tone = toneOf(state);
  const asks = permissions.value.length + elicitations.value.length > 0;
  const label =
    state === "waiting" && !asks && text !== undefined
      ? text
      : words.status[state];
  const sign =
    signAt === undefined
      ? undefined
      : words.sign(took(Math.max(0, app.now.value - signAt)));
  const title = [
    text,
    thread.value === null ? undefined : visible(thread.value.agent.label),
    thread.value === null
      ? undefined
      : words.head.folder(thread.value.folderLabel),
    probed === false ? words.unprobed : sign,
  ];
  return (
    <div
      class={`head-state small is-${tone}`}
      data-testid="agent-status"
      data-state={state}
      title={title.filter((line) => line !== undefined).join("\n")}
    >
      <span class="pulse" />
      {asks ? (
        <button
          type="button"
          class="needs head-asks"
          title={words.head.toQuestion}
          onClick={() => (app.reveal.part.value = { kind: "permission" })}
        >
          {state === "waiting" ? label : words.status.waiting}
        </button>
      ) : (
        <span class={tone === "needs" || tone === "bad" ? tone : ""}>
          {label}
        </span>
      )}
      {thread.value !== null && (
        <span class="sep cut">{visible(thread.value.agent.label)}</span>
      )}
      {app.running.value && <Elapsed since={status.value.since} />}
    </div>
  );
}

function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const app = useApp();
  const batches = app.store.is.batches.value;
  const live = batches.findLast(isRunning);
  const elapsed = running(app.now.value - (live?.startedAt ?? since));
  return <span class="sep opt">{words.head.turn(elapsed)}</span>;
}

function More({ rename }: { readonly rename: () => void }): JSX.Element {
  const app = useApp();
  const { thread, threads, agents } = app.store.is;
  const current = thread.value;
  const kept = threads.value.find(({ id }) => id === current?.id);
  const items: MenuItem[] = [];
  if (current !== null) {
    const of = { thread: current.id };
    for (const agent of agents.value)
      items.push({
        label: words.head.useAgent(agent.label),
        title: agent.detail,
        checked: agent.id === current.agent.id,
        run: () =>
          void app.asked({ type: "chooseAgent", ...of, agent: agent.id }),
      });
    items.push({
      label: words.queue.preview,
      icon: "eye",
      rule: true,
      run: () => app.post({ type: "previewNext", ...of }),
    });
  }
  // A thread that is only begun is nothing to name or throw away yet.
  if (kept !== undefined) {
    const { id, archived } = kept;
    items.push(
      {
        label: words.head.find,
        icon: "search",
        run: () => app.find.open(),
      },
      {
        label: words.head.rename,
        icon: "edit",
        run: rename,
      },
      {
        label: archived ? words.head.unarchive : words.head.archive,
        icon: archived ? "unarchive" : "archive",
        run: () =>
          void app.asked({ type: "archiveThread", thread: id, on: !archived }),
      },
      {
        label: words.head.delete,
        icon: "trash",
        run: () => void app.threads.remove(id),
      },
    );
  }
  items.push(
    {
      label: words.head.checkSetup,
      icon: "tools",
      rule: true,
      run: () => void app.asked({ type: "checkSetup" }),
    },
    {
      label: words.head.showLog,
      icon: "output",
      run: () => void app.asked({ type: "showLog" }),
    },
  );
  return <Menu label={words.head.more} items={items} />;
}
