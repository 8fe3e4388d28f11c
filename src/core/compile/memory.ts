import type { Message, Snowflake, StopReason } from "../message.ts";
import type { AgentFailure } from "../agentPort.ts";
import type { Session } from "../thread.ts";
import type { Compiled, Expected, Memory } from "./types.ts";

/** Why an agent is sent everything. */
export type FullReason =
  | "new"
  | "lost"
  | "cannotResume"
  | "agentChanged"
  | "folderChanged"
  | "generationChanged"
  | "sessionChanged"
  | "cursorAhead"
  | "cursorBehind"
  | "noCursor";

/** What became of the attempt to open the stored session again. */
export type Reopened =
  | { readonly kind: "open" }
  /** The agent can neither resume nor load. */
  | { readonly kind: "cannot" }
  | { readonly kind: "failed"; readonly failure: AgentFailure };

export type Recalled =
  | Memory
  /** Nothing is to be sent; the session and its id stay as they are. */
  | { readonly kind: "wait"; readonly failure: AgentFailure };

/** What a stored session still stands for. Only a definite "no such session" makes it lost. */
export function recall(
  session: Session | undefined,
  expected: Expected,
  reopened: Reopened,
): Recalled {
  if (session === undefined || session.sessionId === null) return none("new");
  const mismatch = mismatchOf(session, expected);
  if (mismatch !== null) return none(mismatch);
  switch (reopened.kind) {
    case "open":
      return { kind: "session", session };
    case "cannot":
      return none("cannotResume");
    case "failed":
      return reopened.failure.kind === "noSession"
        ? none("lost")
        : { kind: "wait", failure: reopened.failure };
  }
}

/** Null when the session is the one expected, and the batch lies beyond its cursor. */
export function mismatchOf(
  session: Session,
  expected: Expected | undefined,
  batch: readonly Message[] = [],
): FullReason | null {
  if (session.sessionId === null) return "new";
  if (expected !== undefined) {
    if (session.agent !== expected.agent) return "agentChanged";
    if (session.folder !== expected.folder) return "folderChanged";
  }
  if (session.state === "lost") return "lost";
  if (expected !== undefined) {
    if (session.generation !== expected.generation) return "generationChanged";
    if (session.sessionId !== expected.sessionId) return "sessionChanged";
  }
  const { cursor } = session;
  return cursor !== null &&
    batch.some(({ position }) => isUpTo(position, cursor))
    ? "cursorAhead"
    : null;
}

/** The session after a turn: cursor and ledger move together, and only with success. */
export function settle(
  session: Session,
  compiled: Pick<Compiled, "through" | "ledger">,
  stop: StopReason,
): Session {
  const { through, ledger } = compiled;
  if (!isSuccess(stop)) return forget(session, Object.keys(ledger));
  const back = through === null || isUpTo(through, session.cursor ?? "");
  return { ...session, ledger, cursor: back ? session.cursor : through };
}

/**
 * After an abort, or when the agent compacted its own memory: nobody knows which fragments it still has, nor in which text.
 * Their names stay, so that what is there goes again and what has gone is withdrawn.
 */
export function forget<T extends Pick<Session, "ledger">>(
  holder: T,
  /** Fragments of a prompt that it may have read. */
  perhaps: readonly string[] = [],
): T {
  const ids = [...Object.keys(holder.ledger), ...perhaps];
  const ledger = Object.fromEntries(ids.map((id) => [id, unknownText]));
  return { ...holder, ledger };
}

/** In a ledger, where a hash would be: no text has it. */
const unknownText = "";

/** A refused prompt is no success: the agent drops it from its memory. */
export function isSuccess(stop: StopReason): boolean {
  return (
    stop === "end_turn" || stop === "max_tokens" || stop === "max_turn_requests"
  );
}

function isUpTo(position: Snowflake | null, cursor: Snowflake): boolean {
  return position !== null && position <= cursor;
}

function none(why: FullReason): Memory {
  return { kind: "none", why };
}
