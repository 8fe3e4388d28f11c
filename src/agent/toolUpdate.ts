import { toolKinds } from "../core/message.ts";
import type { Location, ToolContent } from "../core/message.ts";
import type { AgentUpdate } from "../core/agentPort.ts";
import { fromAcp, toolBlock } from "./content.ts";
import {
  defined,
  fields,
  list,
  number,
  oneOf,
  text,
  type Fields,
} from "./parse.ts";

export type ToolUpdate = Extract<AgentUpdate, { kind: "tool" }>;

const statuses = ["pending", "in_progress", "completed", "failed"] as const;

/** A tool call, whole or as a patch: what is absent or null stays as it was, lists replace. */
export function toolUpdate(update: Fields): ToolUpdate | undefined {
  const toolCallId = text(update["toolCallId"]);
  if (toolCallId === undefined) return undefined;
  const blobs = new Map<string, Uint8Array>();
  const kind = text(update["kind"]);
  return defined({
    kind: "tool" as const,
    toolCallId,
    title: text(update["title"]),
    toolKind:
      kind === undefined ? undefined : (oneOf(toolKinds, kind) ?? "other"),
    status: status(update["status"]),
    locations: list(update["locations"], location),
    content: list(update["content"], (item) => content(item, blobs)),
    input: raw(update["rawInput"]),
    output: raw(update["rawOutput"]),
    blobs: blobs.size === 0 ? undefined : blobs,
  });
}

function status(value: unknown): (typeof statuses)[number] | undefined {
  return value === "cancelled" ? "failed" : oneOf(statuses, value);
}

function location(value: unknown): Location | undefined {
  const given = fields(value);
  const path = text(given?.["path"]);
  if (path === undefined) return undefined;
  return defined({ path, line: number(given?.["line"]) });
}

function content(
  value: unknown,
  blobs: Map<string, Uint8Array>,
): ToolContent | undefined {
  const given = fields(value);
  switch (given?.["type"]) {
    case "content": {
      const block = fromAcp(given["content"]);
      return block === undefined ? undefined : toolBlock(block, blobs);
    }
    case "diff": {
      const path = text(given["path"]);
      const newText = text(given["newText"]);
      if (path === undefined || newText === undefined) return undefined;
      return {
        type: "diff",
        path,
        oldText: text(given["oldText"]) ?? null,
        newText,
      };
    }
    case "terminal": {
      const terminalId = text(given["terminalId"]);
      if (terminalId === undefined) return undefined;
      return { type: "terminal", terminalId, output: "" };
    }
    default:
      return undefined;
  }
}

/** Raw input and output are shown, never read: words stay words, the rest is JSON. */
function raw(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
