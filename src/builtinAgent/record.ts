import type { ContentBlock } from "@agentclientprotocol/sdk";
import type {
  Part,
  Place,
  PlanEntry,
  ToolContent,
  ToolKind,
  ToolStatus,
} from "./part.ts";

/** One line of a session's file. */
export type SessionRecord =
  | {
      readonly kind: "session";
      readonly id: string;
      readonly cwd: string;
      readonly extra: readonly string[];
    }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "prompt"; readonly blocks: readonly ContentBlock[] }
  | { readonly kind: "end"; readonly stop: string }
  | Part;

/** A line that is torn, foreign or of a later version is no record: it is passed over. */
export function parseRecord(line: string): SessionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  switch (value["kind"]) {
    case "session": {
      const { id, cwd, extra } = value;
      return isText(id) && isText(cwd) && isList(extra, isText)
        ? { kind: "session", id, cwd, extra }
        : undefined;
    }
    case "title":
      return isText(value["title"])
        ? { kind: "title", title: value["title"] }
        : undefined;
    case "prompt":
      return isList(value["blocks"], isBlock)
        ? { kind: "prompt", blocks: value["blocks"] }
        : undefined;
    case "end":
      return isText(value["stop"])
        ? { kind: "end", stop: value["stop"] }
        : undefined;
    case "text":
      return isText(value["text"])
        ? { kind: "text", text: value["text"] }
        : undefined;
    case "found":
      return isList(value["files"], isText)
        ? { kind: "found", files: value["files"] }
        : undefined;
    case "explained":
      return { kind: "explained" };
    case "plan":
      return isList(value["entries"], isPlanEntry)
        ? { kind: "plan", entries: value["entries"] }
        : undefined;
    case "tool":
      return parseTool(value);
    default:
      return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function parseTool(value: Fields): Part | undefined {
  const { id, title, toolKind, status, places, content, input, output } = value;
  if (!isText(id)) return undefined;
  return {
    kind: "tool",
    id,
    ...(isText(title) && { title }),
    ...(isToolKind(toolKind) && { toolKind }),
    ...(isToolStatus(status) && { status }),
    ...(isList(places, isPlace) && { places }),
    ...(isList(content, isToolContent) && { content }),
    ...(isObject(input) && { input }),
    ...(isObject(output) && { output }),
  };
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isList<T>(
  value: unknown,
  is: (item: unknown) => item is T,
): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function oneOf<T extends string>(...names: readonly T[]) {
  return (value: unknown): value is T => names.some((name) => name === value);
}

const isToolKind = oneOf<ToolKind>("read", "search", "edit", "execute");
const isToolStatus = oneOf<ToolStatus>(
  "pending",
  "in_progress",
  "completed",
  "failed",
);
const isPlanStatus = oneOf<PlanEntry["status"]>(
  "pending",
  "in_progress",
  "completed",
);

function isPlace(value: unknown): value is Place {
  return (
    isObject(value) &&
    isText(value["path"]) &&
    (value["line"] === undefined || typeof value["line"] === "number")
  );
}

function isPlanEntry(value: unknown): value is PlanEntry {
  return (
    isObject(value) && isText(value["content"]) && isPlanStatus(value["status"])
  );
}

function isToolContent(value: unknown): value is ToolContent {
  if (!isObject(value)) return false;
  return value["type"] === "text"
    ? isText(value["text"])
    : value["type"] === "diff" &&
        isText(value["path"]) &&
        isText(value["newText"]) &&
        (value["oldText"] === null || isText(value["oldText"]));
}

function isBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value["type"]) {
    case "text":
      return isText(value["text"]);
    case "resource_link":
      return isText(value["uri"]) && isText(value["name"]);
    case "resource":
      return isObject(value["resource"]) && isText(value["resource"]["uri"]);
    case "image":
    case "audio":
      return isText(value["data"]) && isText(value["mimeType"]);
    default:
      return false;
  }
}
