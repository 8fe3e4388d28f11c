import type {
  Block,
  Message,
  ToolContent,
  ToolStatus,
} from "../core/message.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type {
  Attachment,
  ViewBody,
  ViewMessage,
  ViewToolContent,
} from "../protocol/transcript.ts";
import { assertNever } from "../util/assertNever.ts";

export interface Context {
  /** Text may still be added. */
  readonly open: boolean;
  /** The result of a call. */
  readonly result?: Message;
  /** What came after it: a thought lasts until then. */
  readonly next?: Message;
  /** Its turn has ended: a call without a result has none to come, unless late. */
  readonly over?: boolean;
}

/**
 * One record as a view shows it; undefined for those that have no line of their own:
 * a turn's start and end are told by its batch, a tool's result by its call.
 */
export function projectMessage(
  message: Message,
  context: Context,
): ViewMessage | undefined {
  const { position } = message;
  const body = projectBody(message, context);
  if (position === null || body === undefined) return undefined;
  return {
    id: message.id,
    batch: message.batch,
    position,
    at: snowflakeTime(message.arrived),
    sender: { kind: message.sender.kind, name: message.sender.name },
    state: message.state,
    ...(message.marks.late === true ? { late: true } : {}),
    ...(message.marks.cut === undefined ? {} : { cut: message.marks.cut }),
    ...(message.retryOf === null ? {} : { retryOf: message.retryOf }),
    body,
  };
}

/** Some agents never say what became of a call that was cancelled; a spinner would turn for ever. */
function cutOff(status: ToolStatus): ToolStatus {
  return status === "pending" || status === "in_progress"
    ? "interrupted"
    : status;
}

function projectBody(
  { body, arrived }: Message,
  { open, result, next, over = false }: Context,
): ViewBody | undefined {
  switch (body.kind) {
    case "user":
      return {
        kind: "user",
        text: textOf(body.blocks),
        attachments: attachmentsOf(body.blocks),
      };
    case "agent":
      return {
        kind: "agent",
        text: body.text,
        open,
        ...(body.blocks === undefined
          ? {}
          : { attachments: attachmentsOf(body.blocks) }),
      };
    case "thought":
      return {
        kind: "thought",
        text: body.text,
        open,
        ...(open || next === undefined
          ? {}
          : {
              durationMs: snowflakeTime(next.arrived) - snowflakeTime(arrived),
            }),
      };
    case "toolCall": {
      const outcome =
        result?.body.kind === "toolResult" ? result.body : undefined;
      const content =
        outcome === undefined || outcome.content.length === 0
          ? body.content
          : outcome.content;
      return {
        kind: "tool",
        toolCallId: body.toolCallId,
        title: body.title,
        toolKind: body.toolKind,
        status: outcome?.status ?? (over ? cutOff(body.status) : body.status),
        locations: body.locations,
        content: content.map(projectContent),
        startedAt: snowflakeTime(arrived),
        ...(body.input === undefined ? {} : { input: body.input }),
        ...(outcome?.output === undefined ? {} : { output: outcome.output }),
        ...(result === undefined
          ? {}
          : {
              durationMs:
                snowflakeTime(result.arrived) - snowflakeTime(arrived),
            }),
      };
    }
    case "plan":
      return { kind: "plan", entries: body.entries };
    case "permission": {
      if (body.chosen === undefined) return undefined;
      const option = body.options.find(({ id }) => id === body.chosen);
      return {
        kind: "decision",
        title: body.title,
        ...(option === undefined ? {} : { option }),
        ...(body.asks === undefined ? {} : { asks: body.asks }),
        ...(body.answer === undefined ? {} : { answer: body.answer }),
      };
    }
    case "notice":
      return {
        kind: "notice",
        level: body.level,
        code: body.code,
        text: body.text,
      };
    case "toolResult":
    case "turnStart":
    case "turnEnd":
      return undefined;
    default:
      return assertNever(body);
  }
}

export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n\n");
}

export function attachmentsOf(blocks: readonly Block[]): readonly Attachment[] {
  return attachedTo(blocks).map((block): Attachment => {
    switch (block.type) {
      case "image":
        return {
          kind: "image",
          name: block.name ?? "image",
          mimeType: block.mimeType,
          blob: block.blob,
          bytes: block.bytes,
        };
      case "resource":
        return { kind: "file", uri: block.uri, name: nameOf(block.uri) };
      case "link":
        return { kind: "file", uri: block.uri, name: block.name };
      default:
        return assertNever(block);
    }
  });
}

type Attached = Exclude<Block, { readonly type: "text" }>;

/** What hangs on a message: a view names it by its place here. */
export function attachedTo(blocks: readonly Block[]): readonly Attached[] {
  return blocks.filter((block) => block.type !== "text");
}

export function projectContent(content: ToolContent): ViewToolContent {
  if (content.type !== "block") return content;
  const [attachment] = attachmentsOf([content.block]);
  return attachment === undefined
    ? { type: "text", text: textOf([content.block]) }
    : { type: "attachment", attachment };
}

/** The last part of a URI as people write it. */
export function nameOf(uri: string): string {
  const last = uri.slice(uri.lastIndexOf("/") + 1) || uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
