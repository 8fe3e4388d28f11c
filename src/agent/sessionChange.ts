import type { SessionChange } from "../core/agentFeatures.ts";
import { fromAcp } from "./content.ts";
import { defined, fields, list, oneOf, text, type Fields } from "./parse.ts";
import { configOptions } from "./sessionOptions.ts";

/** Reads the updates that tell of a session beside its conversation. */
export class SessionChanges {
  readonly #summaries = new Map<string, string>();

  /** Undefined when the update is none of them. */
  read(update: Fields): SessionChange | undefined {
    switch (update["sessionUpdate"]) {
      case "config_option_update": {
        const options = configOptions(update["configOptions"]);
        return options === undefined ? undefined : { kind: "options", options };
      }
      case "notice":
        return notice(update);
      case "compaction_update":
        return this.#compaction(update);
      case "compaction_summary_chunk":
        return this.#summaryChunk(update);
      default:
        return undefined;
    }
  }

  #compaction(update: Fields): SessionChange | undefined {
    const id = text(update["compactionId"]);
    if (id === undefined) return undefined;
    const summary = list(update["summary"], words);
    if (summary !== undefined) this.#summaries.set(id, summary.join(""));
    return defined({
      kind: "compaction" as const,
      id,
      status:
        oneOf(
          ["in_progress", "completed", "failed", "cancelled"],
          update["status"],
        ) ?? "in_progress",
      summary: this.#summaries.get(id),
      error: text(update["error"]),
    });
  }

  #summaryChunk(update: Fields): SessionChange | undefined {
    const id = text(update["compactionId"]);
    const chunk = words(update["content"]);
    if (id === undefined || chunk === undefined) return undefined;
    const summary = (this.#summaries.get(id) ?? "") + chunk;
    this.#summaries.set(id, summary);
    return { kind: "compaction", id, status: "in_progress", summary };
  }
}

function notice(update: Fields): SessionChange | undefined {
  const title = text(update["title"]);
  if (title === undefined) return undefined;
  return defined({
    kind: "notice" as const,
    level: oneOf(["info", "warning", "error"], update["severity"]) ?? "info",
    title,
    text: text(update["description"]),
  });
}

function words(value: unknown): string | undefined {
  const block = fromAcp(fields(value));
  return block?.type === "text" ? block.text : undefined;
}
