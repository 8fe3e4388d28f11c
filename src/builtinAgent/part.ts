import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { assertNever } from "../util/assertNever.ts";

/** What an answer is made of, in the order it is said; the same on the wire and on disk. */
export type Part = TextPart | ToolPart | PlanPart | FoundPart | ExplainedPart;

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
}

/** Upsert by id: the first one opens the call and carries its title. */
export interface ToolPart {
  readonly kind: "tool";
  readonly id: string;
  readonly title?: string;
  readonly toolKind?: ToolKind;
  readonly status?: ToolStatus;
  readonly places?: readonly Place[];
  readonly content?: readonly ToolContent[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
}

export interface PlanPart {
  readonly kind: "plan";
  readonly entries: readonly PlanEntry[];
}

/** Files the answer named, remembered so that "read the first one" means something. */
export interface FoundPart {
  readonly kind: "found";
  readonly files: readonly string[];
}

/** The agent has said what it is and can do: once is enough. */
export interface ExplainedPart {
  readonly kind: "explained";
}

export type ToolKind = "read" | "search" | "edit" | "execute";
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed";

export interface Place {
  readonly path: string;
  readonly line?: number;
}

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "diff";
      readonly path: string;
      readonly oldText: string | null;
      readonly newText: string;
    };

export interface PlanEntry {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** The part as the protocol says it; undefined for what is only remembered. */
export function toUpdate(part: Part): SessionUpdate | undefined {
  switch (part.kind) {
    case "text":
      return {
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: part.text },
      };
    case "tool":
      return part.title === undefined
        ? {
            sessionUpdate: "tool_call_update",
            toolCallId: part.id,
            ...toolFields(part),
          }
        : {
            sessionUpdate: "tool_call",
            toolCallId: part.id,
            title: part.title,
            ...toolFields(part),
          };
    case "plan":
      return {
        sessionUpdate: "plan",
        entries: part.entries.map((entry) => ({
          ...entry,
          priority: "medium",
        })),
      };
    case "found":
    case "explained":
      return undefined;
    default:
      return assertNever(part);
  }
}

/** All that a question about a call needs to show. */
export function toolPatch(part: ToolPart): ToolCallUpdate {
  return {
    toolCallId: part.id,
    ...(part.title !== undefined && { title: part.title }),
    ...toolFields(part),
  };
}

export function isOver(status: ToolStatus | undefined): boolean {
  return status === "completed" || status === "failed";
}

type WireContent = NonNullable<
  Extract<SessionUpdate, { sessionUpdate: "tool_call" }>["content"]
>[number];

function toolFields(part: ToolPart): {
  kind?: ToolKind;
  status?: ToolStatus;
  locations?: Place[];
  content?: WireContent[];
  rawInput?: unknown;
  rawOutput?: unknown;
} {
  return {
    ...(part.toolKind && { kind: part.toolKind }),
    ...(part.status && { status: part.status }),
    ...(part.places && { locations: [...part.places] }),
    ...(part.content && { content: part.content.map(toWireContent) }),
    ...(part.input && { rawInput: part.input }),
    ...(part.output && { rawOutput: part.output }),
  };
}

function toWireContent(content: ToolContent): WireContent {
  return content.type === "text"
    ? { type: "content", content: { type: "text", text: content.text } }
    : content;
}
