import type { JSX } from "preact";
import type { ViewBatch } from "../../../src/protocol/transcript.ts";
import { Button } from "../controls.ts";
import { footOf, isRunning, quietAfter } from "../footer.ts";
import type { FootFacts } from "../footer.ts";
import type { Group } from "../groups.ts";
import type { Store } from "../store.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { Menu } from "./Menu.tsx";

interface Props {
  readonly batch: ViewBatch;
  readonly group: Group;
}

/** The turn's line: there from its start, only its words change. */
export function Foot({ batch, group }: Props): JSX.Element {
  const app = useApp();
  const { store } = app;
  const running = isRunning(batch);
  const foot = footOf(batch, {
    // A turn that is over reads no clock, so that no tick renders it again.
    now: running ? app.now.value : 0,
    status: running ? store.is.status.value : { state: "none", since: 0 },
    agent: running ? (store.is.thread.value?.agent.label ?? "") : "",
    ...factsOf(group, store),
  });
  const title = [foot.text, ...foot.parts.map(({ text }) => text)].join(", ");
  return (
    <footer class={`foot small ${foot.tone ?? ""}`} title={title}>
      {foot.icon !== undefined && <Icon name={foot.icon} small />}
      <span class="facts">
        <span>{foot.text}</span>
        {foot.parts.map((part) => (
          <span
            key={part.text}
            class={part.optional === true ? "opt" : "cut"}
            title={part.title}
          >
            {part.text}
          </span>
        ))}
      </span>
      {!running && (
        <span class="icos">
          <Menu
            label={words.foot.actions}
            small
            tabIndex={-1}
            items={[
              {
                label: words.foot.copyAnswer,
                icon: "copy",
                run: () => void app.copy(answerOf(group, store)),
              },
              ...(batch.compiled === undefined
                ? []
                : [
                    {
                      label: words.foot.showSent,
                      icon: "eye",
                      run: () =>
                        void app.asked({
                          type: "showSent",
                          thread: app.thread,
                          batch: batch.id,
                        }),
                    } as const,
                  ]),
              {
                label: words.foot.fork,
                icon: "repo-forked",
                run: () => void app.fork(batch.id),
              },
              ...batch.actions.map((action) => ({
                label: words.batchAction[action],
                run: () => void app.actOn(batch.id, action),
              })),
            ]}
          />
        </span>
      )}
    </footer>
  );
}

/** What can be done about a turn that did not end well, or that is silent. */
export function AfterBatch({ batch, group }: Props): JSX.Element | null {
  const app = useApp();
  if (batch.notSaved === true)
    return (
      <div class="after">
        <div class="btns">
          <Button
            tabIndex={-1}
            primary
            title={words.foot.notSavedWhy}
            onClick={() =>
              app.post({ type: "copy", text: answerOf(group, app.store) })
            }
            data={{ "data-action": "copy" }}
          >
            {words.foot.copyAnswer}
          </Button>
        </div>
      </div>
    );
  if (batch.status === "processing") return <WhileSilent group={group} />;
  const unwell = batch.status === "interrupted" || batch.status === "failed";
  if (batch.actions.length === 0 || !unwell) return null;
  const unknown = app.store.state.messages.some(
    ({ batch: of, state }) => of === batch.id && state === "uncertain",
  );
  return (
    <div class="after">
      <div class="btns">
        {batch.actions.map((action) => (
          <Button
            key={action}
            tabIndex={-1}
            primary={action === "retry" && !unknown}
            title={
              action === "retry"
                ? words.batchActionWhy.retry(batch.messages)
                : words.batchActionWhy[action]
            }
            onClick={() => void app.actOn(batch.id, action)}
            data={{ "data-action": action }}
          >
            {words.batchAction[action]}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** A turn that has nothing to say for long: its output can be looked at, and it can be stopped. */
function WhileSilent({ group }: Pick<Props, "group">): JSX.Element | null {
  const app = useApp();
  const { status } = app.store.is;
  const { state, updateAt = Infinity } = status.value;
  const silent = state === "busy" && app.now.value - updateAt >= quietAfter;
  if (!silent) return null;
  const tool = group.rows
    .filter(({ kind }) => kind === "tool")
    .flatMap(({ ids }) => ids)
    .findLast((id) => {
      const body = app.store.message(id)?.peek().body;
      return body?.kind === "tool" && body.status === "in_progress";
    });
  return (
    <div class="after" data-testid="silent">
      <div class="btns">
        {tool !== undefined && (
          <Button
            slim
            tabIndex={-1}
            onClick={() => {
              app.keeper.fold(tool, true);
              app.reveal.bring({ key: group.key, message: tool, focus: true });
            }}
          >
            {words.foot.showOutput}
          </Button>
        )}
        <Button
          slim
          tabIndex={-1}
          onClick={() => void app.asked({ type: "stop", thread: app.thread })}
        >
          {words.foot.stopTurn}
        </Button>
      </div>
    </div>
  );
}

function factsOf(
  group: Group,
  store: Store,
): Pick<FootFacts, "answered" | "said" | "tool" | "plan"> {
  let answered = false;
  let said: string | undefined;
  let tool: string | undefined;
  let plan: FootFacts["plan"];
  for (const { kind, ids } of group.rows) {
    if (kind !== "user") answered = true;
    if (kind === "agent") said = saidIn(ids.at(-1), store);
    if (kind !== "tool" && kind !== "plan") continue;
    for (const id of ids) {
      const body = store.message(id)?.value.body;
      if (body?.kind === "tool" && body.status === "in_progress")
        tool = body.title.replaceAll("`", "");
      if (body?.kind === "plan")
        plan = {
          done: body.entries.filter(({ status }) => status === "completed")
            .length,
          all: body.entries.length,
        };
    }
  }
  return { answered, said, tool, plan };
}

/** What grows is not listened to: only a turn that is over is compared with its words. */
function saidIn(id: string | undefined, store: Store): string | undefined {
  const body = store.message(id ?? "")?.peek().body;
  return body?.kind === "agent" ? body.text : undefined;
}

function answerOf(group: Group, store: Store): string {
  return group.rows
    .filter(({ kind }) => kind === "agent")
    .flatMap(({ ids }) => ids)
    .map((id) => store.message(id)?.peek().body)
    .map((body) => (body?.kind === "agent" ? body.text : ""))
    .join("\n\n");
}
