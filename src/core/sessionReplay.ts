import { isKind } from "./batch.ts";
import { turnsOf, type Turn } from "./compile/turns.ts";
import type { Message, Snowflake } from "./message.ts";
import type { AgentUpdate } from "./agentPort.ts";

/** What a load repeats of the conversation; the rest is about the session as it is now. */
export function isConversation({ kind }: AgentUpdate): boolean {
  switch (kind) {
    case "text":
    case "thought":
    case "block":
    case "userText":
    case "tool":
    case "plan":
      return true;
    case "commands":
    case "usage":
    case "title":
    case "mode":
    case "unknown":
      return false;
  }
}

/**
 * Holds a loaded session's replay against the record of its newest batch. All of it was shown before, but for one thing:
 * what the agent went on to say and do in a turn that nobody could listen to any more. Empty when there is nothing of
 * that kind, or when it can't be told for certain.
 */
export function missedIn(
  replay: readonly AgentUpdate[],
  /** Of the thread's newest batch, by sequence. */
  rows: readonly Message[],
  sessionId: string,
): readonly AgentUpdate[] {
  const id = rows[0]?.batch ?? null;
  const last = id === null ? undefined : lastTurn(id, rows);
  if (last === undefined || !wasCutOff(last, sessionId)) return [];
  const asked = replay.findLastIndex(({ kind }) => kind === "userText");
  if (!repeats(replay.slice(0, asked + 1), last)) return [];
  const answer = replay.slice(asked + 1);
  const tools = toolsIn(answer);
  const { text, calls, ended } = known(last);
  if (!textOf(answer).startsWith(text)) return [];
  // An agent that numbers its calls anew would have all of them told twice.
  if (![...calls].every((call) => tools.has(call))) return [];
  let heard = text.length;
  return answer.flatMap((update): AgentUpdate[] => {
    if (update.kind === "text") {
      const rest = update.text.slice(heard);
      heard = Math.max(0, heard - update.text.length);
      return rest === "" ? [] : [{ kind: "text", text: rest }];
    }
    if (update.kind !== "tool") return [];
    const { toolCallId } = update;
    const whole = tools.get(toolCallId);
    tools.delete(toolCallId);
    return whole === undefined || ended.has(toolCallId) ? [] : [whole];
  });
}

type ToolUpdate = Extract<AgentUpdate, { kind: "tool" }>;

/** Each call as its updates leave it. */
function toolsIn(updates: readonly AgentUpdate[]): Map<string, ToolUpdate> {
  const tools = new Map<string, ToolUpdate>();
  for (const update of updates)
    if (update.kind === "tool") {
      const before = tools.get(update.toolCallId);
      const blobs = new Map([
        ...(before?.blobs ?? []),
        ...(update.blobs ?? []),
      ]);
      tools.set(update.toolCallId, { ...before, ...update, blobs });
    }
  return tools;
}

function known({ records }: Turn): {
  readonly text: string;
  readonly calls: ReadonlySet<string>;
  /** Those with a result. */
  readonly ended: ReadonlySet<string>;
} {
  const idsOf = (kind: "toolCall" | "toolResult") =>
    new Set(
      records.flatMap(({ body }) =>
        body.kind === kind ? [body.toolCallId] : [],
      ),
    );
  const text = records
    .map((row) => (isKind(row, "agent") ? row.body.text : ""))
    .join("");
  return { text, calls: idsOf("toolCall"), ended: idsOf("toolResult") };
}

function lastTurn(id: Snowflake, rows: readonly Message[]): Turn | undefined {
  return turnsOf({ id, rows, whole: true }).at(-1);
}

function wasCutOff({ start, end }: Turn, sessionId: string): boolean {
  if (start?.body.session !== sessionId) return false;
  switch (end?.body.stop) {
    case "interrupted":
    case "error":
    case "stuck":
      return true;
    case undefined:
    case "end_turn":
    case "max_tokens":
    case "max_turn_requests":
    case "refusal":
    case "cancelled":
      return false;
  }
}

/** Whether the last thing the replay's user says holds the last thing that was asked in the turn. */
function repeats(replay: readonly AgentUpdate[], { prompt }: Turn): boolean {
  const before = replay.findLastIndex(({ kind }) => kind !== "userText");
  const said = replay
    .slice(before + 1)
    .map((update) => (update.kind === "userText" ? update.text : ""))
    .join("");
  const body = prompt.at(-1)?.body;
  const asked =
    body?.kind === "user"
      ? body.blocks.find((block) => block.type === "text")?.text
      : undefined;
  return asked !== undefined && asked !== "" && said.includes(asked);
}

function textOf(updates: readonly AgentUpdate[]): string {
  return updates
    .map((update) => (update.kind === "text" ? update.text : ""))
    .join("");
}
