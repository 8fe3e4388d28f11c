import type { JSX } from "preact";
import { took } from "../../../src/util/took.ts";
import { running, visible } from "../format.ts";
import { words } from "../strings.ts";
import {
  hasDetail,
  opensItself,
  titleParts,
  toolIcon,
  totals,
} from "../toolLook.ts";
import type { ToolBody } from "../toolLook.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { ToolDetail } from "./ToolDetail.tsx";
import { opener } from "./toolOpens.ts";

/** Calls that follow each other; one that is being asked about stands in its card instead. */
export function Tools({
  ids,
}: {
  readonly ids: readonly string[];
}): JSX.Element | null {
  const { store } = useApp();
  const asked = store.is.permissions.value.map(({ toolCallId }) => toolCallId);
  const shown = ids.filter((id) => {
    const body = asked.length > 0 ? store.message(id)?.value.body : undefined;
    if (body?.kind !== "tool" || !asked.includes(body.toolCallId)) return true;
    // What it has put out already is nowhere else.
    const running = body.status === "in_progress" && body.content.length === 0;
    return body.status !== "pending" && !running;
  });
  return shown.length === 0 ? null : (
    <div class="tools">
      {shown.map((id) => (
        <Tool key={id} id={id} />
      ))}
    </div>
  );
}

function Tool({ id }: { readonly id: string }): JSX.Element | null {
  const app = useApp();
  const message = app.store.message(id)?.value;
  const body = message?.body;
  if (message === undefined || body?.kind !== "tool") return null;
  const detail = hasDetail(body);
  const open = detail && app.keeper.isOpen(id, opensItself(body));
  return (
    <div
      class="tool"
      data-testid="message"
      data-role="tool"
      data-state=""
      data-position={message.position}
      data-id={id}
    >
      <div data-testid="tool-call" data-status={body.status}>
        <ToolRow
          body={body}
          open={open}
          detail={detail}
          opens={opener(app, id, body)}
          onClick={() => app.keeper.fold(id, !open)}
        />
        {open && <ToolDetail id={id} body={body} />}
      </div>
    </div>
  );
}

interface RowProps {
  readonly body: ToolBody;
  readonly open: boolean;
  readonly detail: boolean;
  /** Shows the file or the change it is about. */
  readonly opens: (() => void) | undefined;
  readonly onClick: () => void;
}

function ToolRow(props: RowProps): JSX.Element {
  const { body, open, detail, opens, onClick } = props;
  const sum = totals(body);
  const title = visible(body.title);
  const command = body.toolKind === "execute" && !title.includes("`");
  return (
    <button
      type="button"
      class="tool-row"
      tabIndex={-1}
      data-nav
      aria-expanded={detail ? open : undefined}
      aria-keyshortcuts={opens === undefined ? undefined : "Enter"}
      onClick={onClick}
      onKeyDown={(event) => {
        // Left and Right fold; Enter goes to what it is about.
        if (event.key !== "Enter" || opens === undefined) return;
        event.preventDefault();
        opens();
      }}
    >
      <Icon name={toolIcon(body.toolKind)} />
      <span class={`cut grow ${command ? "mono" : ""}`} title={title}>
        {titleParts(title).map(({ text, code }) =>
          code ? <span class="mono">{text}</span> : text,
        )}
      </span>
      {sum !== undefined && (
        <span class="small">
          <span class="plus">+{sum.added}</span>{" "}
          <span class="minus">−{sum.removed}</span>
        </span>
      )}
      <Clock body={body} />
      <StatusIcon body={body} />
    </button>
  );
}

function Clock({ body }: { readonly body: ToolBody }): JSX.Element | null {
  const app = useApp();
  if (body.durationMs !== undefined)
    return body.durationMs < 1_000 ? null : (
      <span class="small">{took(body.durationMs)}</span>
    );
  if (body.status !== "in_progress" || body.startedAt === undefined)
    return null;
  return <span class="small">{running(app.now.value - body.startedAt)}</span>;
}

function StatusIcon({ body }: { readonly body: ToolBody }): JSX.Element {
  const { status, durationMs } = body;
  const title =
    status === "completed" && durationMs !== undefined
      ? words.tool.doneIn(took(durationMs))
      : words.tool.status[status];
  switch (status) {
    case "pending":
      return <Icon name="circle" small title={title} />;
    case "in_progress":
      return <Icon name="loading" small class="spin live" title={title} />;
    case "completed":
      return <Icon name="check" small title={title} />;
    case "failed":
      return <Icon name="error" small class="bad" title={title} />;
    case "interrupted":
      return <Icon name="debug-disconnect" small title={title} />;
  }
}
