import type { PlanEntry, Usage } from "../core/message.ts";
import type {
  AgentCommand,
  AgentUpdate,
  ContextUsage,
} from "../core/agentPort.ts";
import { fromAcp } from "./content.ts";
import {
  defined,
  fields,
  list,
  number,
  oneOf,
  text,
  type Fields,
} from "./parse.ts";
import { toolUpdate } from "./toolUpdate.ts";

/** One `session/update` in core's words; undefined when it tells nothing. What is not known is named, never dropped. */
export function translate(update: Fields): AgentUpdate | undefined {
  const name = text(update["sessionUpdate"]) ?? "update";
  if (name === "session_info_update" && text(update["title"]) === undefined)
    return undefined;
  return known(name, update) ?? { kind: "unknown", name };
}

/** What a prompt's answer says was used. */
export function turnUsage(value: unknown): Usage | undefined {
  const usage = fields(value);
  if (usage === undefined) return undefined;
  return defined({
    inputTokens: number(usage["inputTokens"]),
    outputTokens: number(usage["outputTokens"]),
    totalTokens: number(usage["totalTokens"]),
    cachedReadTokens: number(usage["cachedReadTokens"]),
  });
}

function known(name: string, update: Fields): AgentUpdate | undefined {
  switch (name) {
    case "agent_message_chunk":
      return chunk(update, "text");
    case "agent_thought_chunk":
      return chunk(update, "thought");
    case "user_message_chunk":
      return chunk(update, "userText");
    case "tool_call":
    case "tool_call_update":
      return toolUpdate(update);
    case "plan":
      return wrap(list(update["entries"], planEntry), (entries) => ({
        kind: "plan",
        entries,
      }));
    case "available_commands_update":
      return wrap(list(update["availableCommands"], command), (commands) => ({
        kind: "commands",
        commands,
      }));
    case "usage_update":
      return wrap(contextUsage(update), (usage) => ({ kind: "usage", usage }));
    case "session_info_update":
      return wrap(text(update["title"]), (title) => ({ kind: "title", title }));
    case "current_mode_update":
      return wrap(text(update["currentModeId"]), (modeId) => ({
        kind: "mode",
        modeId,
      }));
    default:
      return undefined;
  }
}

function chunk(
  update: Fields,
  kind: "text" | "thought" | "userText",
): AgentUpdate {
  const content = update["content"];
  const block = fromAcp(content);
  if (block === undefined)
    return {
      kind: "unknown",
      name: `content ${text(fields(content)?.["type"]) ?? ""}`.trim(),
    };
  if (block.type === "text")
    return {
      kind,
      text: isPlain(content) ? block.text : `\n\n${block.text}\n\n`,
    };
  if (kind === "text") return { kind: "block", block };
  return { kind: "unknown", name: `${kind} ${block.type}` };
}

/** Words that stand for something else get a line of their own amid what is said. */
function isPlain(content: unknown): boolean {
  return fields(content)?.["type"] === "text";
}

function planEntry(value: unknown): PlanEntry | undefined {
  const entry = fields(value);
  const content = text(entry?.["content"]);
  if (content === undefined) return undefined;
  return {
    content,
    priority: oneOf(["high", "medium", "low"], entry?.["priority"]) ?? "medium",
    status:
      oneOf(["pending", "in_progress", "completed"], entry?.["status"]) ??
      "pending",
  };
}

function command(value: unknown): AgentCommand | undefined {
  const given = fields(value);
  const name = text(given?.["name"]);
  if (name === undefined) return undefined;
  return defined({
    name,
    description: text(given?.["description"]) ?? "",
    hint: text(fields(given?.["input"])?.["hint"]),
  });
}

function contextUsage(update: Fields): ContextUsage | undefined {
  const used = number(update["used"]);
  const size = number(update["size"]);
  if (used === undefined || size === undefined) return undefined;
  const cost = fields(update["cost"]);
  const amount = number(cost?.["amount"]);
  const currency = text(cost?.["currency"]);
  return amount === undefined || currency === undefined
    ? { used, size }
    : { used, size, cost: { amount, currency } };
}

function wrap<T>(
  value: T | undefined,
  make: (value: T) => AgentUpdate,
): AgentUpdate | undefined {
  return value === undefined ? undefined : make(value);
}
