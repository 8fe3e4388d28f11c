import type { QueueView } from "../core/dispatch/changes.ts";
import type { DispatchSettings } from "../core/dispatch/settings.ts";
import type { AgentStatus } from "../core/dispatch/status.ts";
import type { Message } from "../core/message.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type {
  OpenElicitation,
  OpenPermission,
} from "../core/turn/recording.ts";
import type { OpenElicitation as ViewElicitation } from "../protocol/elicitation.ts";
import type {
  AgentStatus as ViewStatus,
  OpenPermission as ViewPermission,
  QueueItem as ViewItem,
  ViewState,
} from "../protocol/viewState.ts";
import { attachmentsOf, projectContent, textOf } from "./projectMessage.ts";

/** The queue as the view that is `holder` sees it. */
export function projectQueue(
  queue: QueueView | undefined,
  settings: DispatchSettings,
  holder: string,
): Pick<ViewState, "queue" | "facts"> {
  return {
    queue: (queue?.items ?? []).map(
      ({ message, waiting, command, editing }): ViewItem => ({
        id: message.id,
        ...contentOf(message),
        at: snowflakeTime(message.arrived),
        sender: { kind: message.sender.kind, name: message.sender.name },
        separate: message.marks.separate === true,
        command,
        waiting,
        editing: editing === null ? null : { here: editing === holder },
        ...(message.retryOf === null ? {} : { retryOf: message.retryOf }),
      }),
    ),
    facts: {
      mode: settings.mode,
      cap: settings.maxBufferedMessages,
      full: queue?.full ?? false,
      held: queue?.held ?? null,
      gated: queue?.gated ?? false,
      plan: queue?.plan ?? [],
      collectingUntil: queue?.collectingUntil ?? null,
    },
  };
}

export function projectStatus(status: AgentStatus | undefined): ViewStatus {
  if (status === undefined) return { state: "none", since: 0 };
  const { state, since, signAt, updateAt, probed, text } = status;
  return {
    state,
    since,
    probed,
    ...(signAt === null ? {} : { signAt }),
    ...(updateAt === null ? {} : { updateAt }),
    ...(text === null ? {} : { text }),
  };
}

export function projectPermission(permission: OpenPermission): ViewPermission {
  const { id, batch, toolCallId, title, toolKind, locations, options, input } =
    permission;
  const { askedAt, message } = permission;
  return {
    ...{ id, batch, toolCallId, title, toolKind, locations, options },
    content: permission.content.map(projectContent),
    ...(input === undefined ? {} : { input }),
    ...(message === undefined ? {} : { message }),
    askedAt: snowflakeTime(askedAt),
  };
}

export function projectElicitation({
  request,
  batch,
  askedAt,
}: OpenElicitation): ViewElicitation {
  const { id, message } = request;
  const base = { id, batch, message, askedAt: snowflakeTime(askedAt) };
  if (request.mode === "url") {
    const { mode, url } = request;
    return { ...base, mode, url, host: hostOf(url) };
  }
  const { mode, title, description, fields } = request;
  return {
    ...base,
    mode,
    fields,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** In the letters that are sent, so that one name cannot pass for another; empty for what is no page. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url);
  const isPage = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  return isPage ? parsed.host : "";
}

function contentOf({ body }: Message): Pick<ViewItem, "text" | "attachments"> {
  const blocks = body.kind === "user" ? body.blocks : [];
  return { text: textOf(blocks), attachments: attachmentsOf(blocks) };
}
