import type { ListedSession } from "./agentFeatures.ts";
import type { Sender, Snowflake } from "./message.ts";
import type { AgentUpdate } from "./agentPort.ts";
import type { History } from "./recordPort.ts";
import { newestSession } from "./sessions.ts";
import { SnowflakeGenerator } from "./snowflake.ts";
import type { Session, Thread } from "./thread.ts";
import { importRebuilt, type ImportAnswer } from "./transferImport.ts";
import { allMessages } from "./transferLines.ts";
import { rebuild } from "./transferRebuild.ts";
import { refusalOf } from "./writes.ts";

/** A session of an agent's own, loaded with all that was said in it. */
export interface LoadedSession {
  readonly agent: { readonly id: string; readonly label: string };
  readonly session: Pick<ListedSession, "sessionId" | "title">;
  /** When it was last used: what is old should not look new. */
  readonly usedAt: number;
  /** Where the thread is to work. */
  readonly folder: string;
  readonly user: Sender;
  readonly replay: readonly AgentUpdate[];
}

export interface ImportTools {
  readonly now: () => number;
  readonly sha256: (data: string | Uint8Array) => string;
}

const titleChars = 60;

/**
 * Makes a thread of it that keeps the agent's session: what is said next goes there, and it alone.
 * Repeated, it adds what was said in the session since, and nothing once the thread itself has gone on:
 * then both hold the same turns, and nobody can tell which is which.
 */
export async function importSession(
  store: History,
  loaded: LoadedSession,
  tools: ImportTools,
): Promise<ImportAnswer> {
  const { agent, session, folder, user, replay } = loaded;
  const now = tools.now();
  const usedAt = Math.min(loaded.usedAt, now);
  const id = threadOfSession(agent.id, session.sessionId, tools.sha256);
  const { newest, wentOn } = await whatIsThere(store, id);
  if (wentOn) return { ok: true, thread: id, added: 0 };
  const snowflakes = new SnowflakeGenerator(() => usedAt, newest);
  const rebuilt = rebuild(
    {
      source: `${agent.id}:${session.sessionId}`,
      thread: id,
      user,
      agent: { kind: "agent", id: agent.id, name: agent.label },
      updates: replay,
    },
    { mint: () => snowflakes.next(), sha256: tools.sha256 },
  );
  const thread: Thread = {
    id,
    title: rebuilt.title ?? session.title ?? titleFrom(replay),
    folder,
    agent: agent.id,
    held: null,
    archived: false,
    createdAt: usedAt,
    updatedAt: now,
  };
  const answer = await importRebuilt(store, thread, rebuilt);
  if (!answer.ok || answer.added === 0) return answer;
  const cursor = (await whatIsThere(store, id)).newest ?? null;
  const known = newestSession(await store.sessions(id));
  const kept: Session = {
    thread: id,
    agent: agent.id,
    folder,
    generation: known?.generation ?? 1,
    sessionId: session.sessionId,
    state: "suspended",
    cursor,
    ledger: {},
    process: null,
  };
  const stored = await store.commit(
    [{ kind: "session", session: kept }],
    "full",
  );
  if (stored.ok) return answer;
  const { detail } = refusalOf(stored);
  return { ok: false, reason: "notStored", detail };
}

/** The same session always makes the same thread. */
export function threadOfSession(
  agent: string,
  sessionId: string,
  sha256: ImportTools["sha256"],
): string {
  return `session-${sha256(JSON.stringify([agent, sessionId])).slice(0, 32)}`;
}

async function whatIsThere(
  store: History,
  thread: string,
): Promise<{
  readonly newest: Snowflake | undefined;
  readonly wentOn: boolean;
}> {
  let newest: Snowflake | undefined;
  let wentOn = false;
  for await (const page of allMessages(store, thread))
    for (const { position, state, body } of page) {
      if (position !== null && position > (newest ?? "")) newest = position;
      wentOn ||= body.kind === "turnStart" || state === "queued";
    }
  return { newest, wentOn };
}

function titleFrom(replay: readonly AgentUpdate[]): string {
  const said = replay.find((update) => update.kind === "userText")?.text ?? "";
  const line = said.replace(/\s+/gu, " ").trim();
  return line.length > titleChars ? `${line.slice(0, titleChars - 1)}…` : line;
}
