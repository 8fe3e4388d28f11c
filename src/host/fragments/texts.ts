import { nameOf } from "../../core/compile/sender.ts";
import type { Message, PlanEntry } from "../../core/message.ts";

/** What no agent can know by itself: where its words are read, and why several messages may come as one. */
export const identityText =
  "You are reached through Turnline, a chat panel in VS Code; what you write is shown there as Markdown. What the user types while you work is kept and sent to you together as one turn, each message marked off from the next: take them as one request, in which later messages may correct earlier ones.";

/** An open plan that was made in another session. */
export function planText(entries: readonly PlanEntry[]): string {
  const lines = entries.map(
    ({ content, status }) => `- [${marks[status]}] ${oneLine(content)}`,
  );
  return `Open plan of this conversation, made in another session:\n${lines.join("\n")}`;
}

const marks = { completed: "x", in_progress: "~", pending: " " } as const;

/** Who waits for the answer, when it is not the user alone. */
export function askersText(batch: readonly Message[]): string {
  const others = batch.filter(({ sender }) => sender.kind !== "user");
  if (others.length === 0) return "";
  const names = [...new Set(others.map(({ sender }) => nameOf(sender)))];
  const who = names.map((name) => JSON.stringify(name)).join(", ");
  return others.length === batch.length
    ? `This turn was not asked for by the user but by ${who}. The user reads your answer too.`
    : `Besides the user, ${who} asks in this turn.`;
}

/** What the user wants every agent to keep in mind, from the settings. */
export function nudgesText(nudges: readonly string[]): string {
  const said = nudges
    .map((nudge) => nudge.trim())
    .filter((text) => text !== "");
  return said.length <= 1
    ? (said[0] ?? "")
    : said.map((text) => `- ${text}`).join("\n");
}

export function oneLine(text: string, limit = 200): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
