import { randomUUID } from "node:crypto";
import type { Place, ToolKind, ToolPart } from "./part.ts";

/** Opens a tool call. */
export function started(
  toolKind: ToolKind,
  title: string,
  rest: Pick<ToolPart, "places" | "input" | "content"> & {
    readonly status?: "pending";
  } = {},
): ToolPart {
  return {
    kind: "tool",
    id: randomUUID(),
    title,
    toolKind,
    status: "in_progress",
    ...rest,
  };
}

export function done(
  call: ToolPart,
  text: string,
  places?: readonly Place[],
): ToolPart {
  return ended(call, "completed", text, places);
}

export function failed(call: ToolPart, text: string): ToolPart {
  return ended(call, "failed", text);
}

/** Ends a call whose content already says all. */
export function closed(
  { id }: ToolPart,
  status: "completed" | "failed",
): ToolPart {
  return { kind: "tool", id, status };
}

function ended(
  { id }: ToolPart,
  status: "completed" | "failed",
  text: string,
  places?: readonly Place[],
): ToolPart {
  return {
    kind: "tool",
    id,
    status,
    content: [{ type: "text", text }],
    ...(places && { places }),
  };
}
