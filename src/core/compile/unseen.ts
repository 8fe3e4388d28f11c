import { isKind } from "../batch.ts";
import type {
  Message,
  MessageState,
  Snowflake,
  StopReason,
} from "../message.ts";
import type { Session } from "../thread.ts";
import { isSuccess } from "./memory.ts";
import { greatestOf } from "./recipe.ts";
import {
  isCrashed,
  newestBatches,
  turnsOf,
  type Batch,
  type Turn,
} from "./turns.ts";

/** Whose eyes the record is read with. */
export interface Reader {
  /** Null for an agent that knows nothing. */
  readonly session: Session | null;
  /** Greatest position the session knows. */
  readonly floor: Snowflake | null;
  /** Ids that the batch itself carries, in these or in their copies. */
  readonly carried: ReadonlySet<string>;
}

/** Of a batch's rows beyond the floor, those that belong in the reader's context, by sequence. */
export function unseenOf(batch: Batch, reader: Reader): Message[] {
  const { session, floor, carried } = reader;
  if (!batch.whole && (floor === null || batch.id > floor)) return [];
  const stays = (row: Message) => staysBy(row.state) && !carried.has(row.id);
  const asked = batch.rows.filter((row) => isKind(row, "user"));
  // An answer to nothing that is still there would only puzzle.
  const answered = asked.length === 0 || asked.some(stays);
  return turnsOf(batch).flatMap((turn) => {
    const { start, end } = turn;
    if (session !== null && start !== null && isStartOf(start, session))
      return [];
    const records =
      answered && !isCrashed(turn) ? othersIn(turn, batch, session) : [];
    const said = [...turn.prompt.filter(stays), ...records];
    return end === null || said.length === 0 ? said : [...said, end];
  });
}

export interface Floor {
  readonly floor: Snowflake | null;
  /** False when no prompt of the session is on record beyond its cursor. */
  readonly begun: boolean;
  readonly contradicted: boolean;
}

/** Rows looked through for a session's prompts: it may cost no more in a long thread than in a short one. */
const reach = 5000;

/**
 * How far the session's knowledge reaches: its cursor, or beyond it the newest of its prompts that it is known to have read.
 * An abort leaves the cursor where it was, but what was read once is not sent again.
 * A success beyond the cursor is a contradiction: both were to be committed together.
 */
export function floorOf(history: readonly Message[], session: Session): Floor {
  const { cursor } = session;
  const recent = history.slice(-reach);
  const begun = recent.some((row) => isStartOf(row, session));
  const read = begun ? readTurns(recent, session) : [];
  // A batch that was continued late stands before newer ones: the order of batches tells nothing here.
  return read.reduce<Floor>(
    (far, { through, stop }) =>
      far.floor !== null && through <= far.floor
        ? far
        : {
            floor: through,
            begun,
            contradicted:
              far.contradicted || (stop !== undefined && isSuccess(stop)),
          },
    { floor: cursor, begun, contradicted: false },
  );
}

/** How far each prompt of the session reached that it is known to have read, oldest first. */
function readTurns(
  rows: readonly Message[],
  session: Session,
): { readonly through: Snowflake; readonly stop: StopReason | undefined }[] {
  return [...newestBatches(rows)]
    .flatMap(turnsOf)
    .flatMap((turn) => {
      const through = readThrough(turn, session);
      return through === null ? [] : [{ through, stop: turn.end?.body.stop }];
    })
    .sort((one, other) => (one.through < other.through ? -1 : 1));
}

/** Null unless the turn was this session's, carried its context and shows a sign of having been read. */
function readThrough(turn: Turn, session: Session): Snowflake | null {
  const { start, end, prompt, records } = turn;
  if (start === null || !isStartOf(start, session)) return null;
  const { recipe } = start.body;
  // What was refused, the agent forgets; what went with a command was the command alone.
  if (recipe.form?.alone === true || end?.body.stop === "refusal") return null;
  const read =
    records.some(({ body }) => body.kind !== "notice") ||
    prompt.some(
      ({ state }) =>
        state === "delivered" ||
        // An error answered to nothing but the prompt was once recorded so too, and is no sign.
        (state === "seenAborted" && end?.body.stop !== "error"),
    );
  return read ? greatestOf(recipe.positions) : null;
}

/**
 * Late records whose turn lies before the floor have only their sender to tell whose they are.
 * A turn without a start in a batch that is whole is imported: no session of ours wrote it.
 */
function othersIn(
  { start, records }: Turn,
  { whole }: Batch,
  session: Session | null,
): readonly Message[] {
  if (start !== null || whole) return records;
  return records.filter(
    ({ sender }) => sender.kind !== "agent" || sender.id !== session?.agent,
  );
}

function isStartOf({ body }: Message, session: Session): boolean {
  return (
    body.kind === "turnStart" &&
    body.agent === session.agent &&
    body.session === session.sessionId &&
    body.generation === session.generation
  );
}

/** The user's words stay, unless they were taken back, are said again elsewhere, or are yet to be sent. */
function staysBy(state: MessageState | null): boolean {
  switch (state) {
    case null:
    case "sent":
    case "delivered":
    case "seenAborted":
    case "uncertain":
      return true;
    case "queued":
    case "claimed":
    case "superseded":
    case "discarded":
      return false;
  }
}
