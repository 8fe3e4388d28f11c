import type { MessageState, Snowflake } from "./message.ts";
import type { Session } from "./thread.ts";

/** What retention has to know of a batch. */
export interface Cuttable {
  readonly id: Snowflake;
  /** Its greatest position. */
  readonly last: Snowflake;
  readonly ended: boolean;
  readonly states: readonly (MessageState | null)[];
}

/** What of a thread must stay, whatever its age. */
export interface Needs {
  /** Of every session that can still be spoken to; null where it has seen nothing. */
  readonly cursors: readonly (Snowflake | null)[];
  isArchived(batch: Snowflake): boolean;
  isParent(batch: Snowflake): boolean;
}

/** A batch is cut whole or not at all, and never while anything still needs it. */
export function mayCut(batch: Cuttable, needs: Needs): boolean {
  return (
    batch.ended &&
    !batch.states.some((state) => state === "claimed" || state === "sent") &&
    needs.cursors.every((cursor) => cursor !== null && batch.last <= cursor) &&
    !needs.isArchived(batch.id) &&
    !needs.isParent(batch.id)
  );
}

/** Cursors of sessions that still remember: of each agent the newest generation, unless it was lost. */
export function liveCursors(
  sessions: readonly Session[],
): readonly (Snowflake | null)[] {
  const newest = new Map<string, Session>();
  for (const session of sessions) {
    const known = newest.get(session.agent);
    if (known === undefined || known.generation < session.generation)
      newest.set(session.agent, session);
  }
  return [...newest.values()]
    .filter(({ state }) => state !== "lost")
    .map(({ cursor }) => cursor);
}
