import { group } from "./batch.ts";
import { isSuccess } from "./compile/memory.ts";
import type { Message, MessageState, Snowflake } from "./message.ts";
import type { History } from "./recordPort.ts";
import { newestSession } from "./sessions.ts";
import type { Session, Thread } from "./thread.ts";
import { allMessages } from "./transferLines.ts";
import { refusalOf, type CommitAnswer, type Write } from "./writes.ts";
import { t } from "../util/l10n.ts";

export type ForkAnswer =
  | { readonly ok: true; readonly thread: string }
  | {
      readonly ok: false;
      readonly reason: "noTurn" | "running" | "notStored";
      readonly detail: string;
    };

export interface Fork {
  readonly thread: Thread;
  /** The last turn the copy holds. */
  readonly through: Snowflake;
  /** Of the new thread. */
  readonly id: string;
  readonly title: string;
  /** The agent's own copy of the session, where it made one. */
  readonly session?: { readonly id: string; readonly of: Session };
}

export interface ForkTools {
  readonly uuid: () => string;
  readonly now: () => number;
}

const rowsPerCommit = 200;

/** A new thread with copies of all turns up to one of them. Nothing of the first thread changes. */
export async function forkThread(
  store: History,
  fork: Fork,
  tools: ForkTools,
): Promise<ForkAnswer> {
  const { thread, through, id } = fork;
  const rows = await rowsUpTo(store, thread.id, through);
  const last = group(rows.filter(({ batch }) => batch === through))[0];
  if (last === undefined)
    return refused("noTurn", t("This turn is not there any more."));
  if (!last.ended)
    return refused(
      "running",
      t("This turn is still running. Fork it once it is over."),
    );
  const now = tools.now();
  const begin: Write[] = [
    {
      kind: "thread",
      thread: {
        ...thread,
        ...{ id, title: fork.title, held: null, archived: false },
        ...{ createdAt: now, updatedAt: now },
      },
    },
    ...(await archivesUpTo(store, fork, tools.uuid)),
  ];
  const copies = copied(rows, id, tools.uuid);
  const commits: Write[][] = [];
  for (let n = 0; n < copies.length; n += rowsPerCommit)
    commits.push([
      { kind: "import", messages: copies.slice(n, n + rowsPerCommit) },
    ]);
  if (fork.session !== undefined)
    commits.push([
      { kind: "session", session: sessionFor(id, fork.session, copies) },
    ]);
  for (const writes of [begin, ...commits]) {
    const answer = await store.commit(writes, "full");
    if (!answer.ok) {
      // Half a copy would look like a whole one.
      await store.commit(
        [{ kind: "deleteThread", thread: id, at: now }],
        "full",
      );
      return refused("notStored", whyNot(answer));
    }
  }
  return { ok: true, thread: id };
}

/** The session an agent may copy instead of being told everything: it stands for all turns up to this, the newest. */
export async function forkable(
  store: History,
  thread: Thread,
  through: Snowflake,
): Promise<Session | undefined> {
  const [newest] = await store.batches({ thread: thread.id, limit: 1 });
  if (newest?.id !== through) return undefined;
  const sessions = await store.sessions(thread.id);
  const session = newestSession(
    sessions.filter(({ agent }) => agent === thread.agent),
  );
  if (session === undefined || session.folder !== thread.folder)
    return undefined;
  const known = session.state === "live" || session.state === "suspended";
  const stop = group(await store.batch(thread.id, through))[0]?.turns.at(-1)
    ?.end?.body.stop;
  const reaches = session.cursor !== null && session.cursor >= through;
  return known && reaches && stop !== undefined && isSuccess(stop)
    ? session
    : undefined;
}

async function rowsUpTo(
  store: History,
  thread: string,
  through: Snowflake,
): Promise<readonly Message[]> {
  const rows: Message[] = [];
  for await (const page of allMessages(store, thread))
    rows.push(
      ...page.filter(({ batch }) => batch !== null && batch <= through),
    );
  return rows.sort(
    (a, b) =>
      compare(a.batch ?? "", b.batch ?? "") ||
      (a.sequence ?? 0) - (b.sequence ?? 0),
  );
}

function copied(
  rows: readonly Message[],
  thread: string,
  uuid: () => string,
): readonly Message[] {
  const ids = new Map(rows.map(({ id }) => [id, uuid()]));
  const repeated = new Set(rows.map(({ retryOf }) => retryOf));
  return rows.map((row) => ({
    ...row,
    id: ids.get(row.id) ?? row.id,
    thread,
    retryOf: row.retryOf === null ? null : (ids.get(row.retryOf) ?? null),
    state: stateOf(row, repeated.has(row.id)),
  }));
}

/** What is said again only beyond the fork is not said again in it. */
function stateOf({ state }: Message, repeated: boolean): MessageState | null {
  return state === "superseded" && !repeated ? "seenAborted" : state;
}

async function archivesUpTo(
  store: History,
  { thread, through, id }: Fork,
  uuid: () => string,
): Promise<readonly Write[]> {
  const archives = await store.archives(thread.id);
  return archives
    .filter(({ batches }) => batches.every((batch) => batch <= through))
    .map((archive) => ({
      kind: "archive",
      archive: { ...archive, id: uuid(), thread: id },
    }));
}

/** It knows all of the copy: what the first session itself said, too, which under another id could not be told from another's words. */
function sessionFor(
  thread: string,
  { id, of }: NonNullable<Fork["session"]>,
  rows: readonly Message[],
): Session {
  const cursor = rows.reduce<Snowflake | null>(
    (greatest, { position }) =>
      (position ?? "") > (greatest ?? "") ? position : greatest,
    of.cursor,
  );
  return {
    ...of,
    ...{ thread, generation: 1, sessionId: id, cursor },
    ...{ state: "suspended", process: null },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function refused(
  reason: Extract<ForkAnswer, { ok: false }>["reason"],
  detail: string,
): ForkAnswer {
  return { ok: false, reason, detail };
}

function whyNot(answer: Extract<CommitAnswer, { ok: false }>): string {
  const { detail } = refusalOf(answer);
  return detail === ""
    ? t("The copy could not be stored.")
    : t("The copy could not be stored. {0}", detail);
}
