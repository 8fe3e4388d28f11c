import type { Message, Snowflake } from "../message.ts";
import type { Session } from "../thread.ts";
import { contextOf, type Context } from "./context.ts";
import { mismatchOf } from "./memory.ts";
import type { CompileInput } from "./types.ts";
import { floorOf } from "./unseen.ts";

/** What the agent knows, once its session has been held against what was expected and against the record. */
export interface Knowledge {
  readonly kind: "full" | "delta";
  readonly reason: string;
  /** Null for an agent that knows nothing, or not what it should. */
  readonly session: Session | null;
  /** Greatest position it knows. */
  readonly floor: Snowflake | null;
}

export function knowledgeOf(input: CompileInput): Knowledge {
  const { memory } = input;
  if (memory.kind === "none") return nothing(memory.why);
  const { session } = memory;
  const mismatch =
    session.agent === input.agent.id
      ? mismatchOf(session, input.expected, input.batch)
      : "agentChanged";
  if (mismatch !== null) return nothing(mismatch);
  const { floor, begun, contradicted } = floorOf(input.history, session);
  if (contradicted) return nothing("cursorBehind");
  return floor === null
    ? {
        kind: "full",
        reason: begun ? "noCursor" : (memory.why ?? "new"),
        session,
        floor,
      }
    : { kind: "delta", reason: "afterCursor", session, floor };
}

/** What the agent is missing of the record, as far as the budget allows. */
export function missingContext(
  input: CompileInput,
  { kind, session, floor }: Knowledge,
  budgetTokens: number,
): Context {
  const archives = kind === "full" ? (input.archives ?? []) : [];
  const history = after(input.history, floor);
  return contextOf({
    history,
    // Where the reading went down to what it knows, nothing that it lacks was left unread.
    truncated: input.truncated && history.length === input.history.length,
    reader: { session, floor, carried: carriedBy(input.batch) },
    current: input.batch[0]?.batch ?? null,
    archived: new Set(archives.flatMap(({ batches }) => batches)),
    budgetTokens,
  });
}

function nothing(reason: string): Knowledge {
  return { kind: "full", reason, session: null, floor: null };
}

/** From the end, so that what lies before the floor costs nothing. */
function after(
  history: readonly Message[],
  floor: Snowflake | null,
): readonly Message[] {
  if (floor === null) return history;
  const last = history.findLastIndex(
    ({ position }) => position !== null && position <= floor,
  );
  return last < 0 ? history : history.slice(last + 1);
}

/** A retried message is in the batch as a copy; its original becomes superseded only when that is sent. */
function carriedBy(batch: readonly Message[]): ReadonlySet<string> {
  return new Set(
    batch.flatMap(({ id, retryOf }) =>
      retryOf === null ? [id] : [id, retryOf],
    ),
  );
}
