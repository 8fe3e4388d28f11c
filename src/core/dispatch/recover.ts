import { group, orphans } from "../batch.ts";
import { forget } from "../compile/memory.ts";
import { countersSince } from "../gates.ts";
import type { Message } from "../message.ts";
import type { Session, Thread } from "../thread.ts";
import { Draft } from "./draft.ts";
import type { StepContext, Stepped } from "./events.ts";
import { originalsOf } from "./originals.ts";
import {
  noCounters,
  sessionOf,
  type NewestBatch,
  type ThreadState,
} from "./state.ts";
import { unclaim } from "./unclaim.ts";
import { writeEdit } from "./queue.ts";

/** What the store knows of a thread. */
export interface StoredThread {
  readonly thread: Thread;
  readonly sessions: readonly Session[];
  readonly queue: readonly Message[];
  /** Claimed and sent messages with the records of their batches. */
  readonly unsettled: readonly Message[];
  readonly newest: NewestBatch | null;
  /** The user's last message and what was submitted or sent since. */
  readonly sinceUser: readonly Message[];
  /** What queued and claimed copies repeat. */
  readonly originals: readonly Message[];
}

/**
 * Brings a thread back as its last host left it: every message into one state of the table,
 * interrupted turns ended, the queue held until the user says go. Run twice, the second finds nothing to do.
 */
export function recover(
  stored: StoredThread,
  at: number,
  nextLife: number,
  context: StepContext,
): Stepped {
  const draft = new Draft(freshState(stored, nextLife), at, context);
  endTurns(draft, stored.unsettled);
  const claimed = stored.unsettled
    .filter(({ state }) => state === "claimed")
    .sort(byPosition);
  if (claimed.length > 0) unclaim(draft, claimed, "restored");
  holdRestored(draft);
  endLeftovers(draft);
  return draft.finish();
}

/** A thread as it is stored, to be looked at only: what its host left open is not ours to settle. */
export function asStored(stored: StoredThread, nextLife: number): Stepped {
  return {
    state: { ...freshState(stored, nextLife), dormant: true },
    writes: [],
    durability: "full",
    flush: false,
    prompt: null,
    effects: [],
    touched: [],
    reply: { ok: true },
  };
}

/** A thread with nothing on its way, as far as that can be told without reading it. */
export function atRest(thread: Thread): StoredThread {
  return {
    ...{ thread, sessions: [], queue: [], unsettled: [], newest: null },
    ...{ sinceUser: [], originals: [] },
  };
}

function freshState(stored: StoredThread, nextLife: number): ThreadState {
  const { thread, sessions, queue, newest, originals, sinceUser } = stored;
  const copies = [...queue, ...stored.unsettled];
  return {
    thread,
    sessions,
    queue,
    turn: null,
    agent: { kind: "none" },
    nextLife,
    leases: [],
    collect: null,
    next: [],
    newest,
    originals: originalsOf(copies, originals),
    discarded: [],
    permissions: [],
    commands: null,
    counters: { ...noCounters, ...countersSince(sinceUser) },
    cause: null,
    stalled: null,
    dormant: false,
    ownTitle: false,
  };
}

/** Ends what was cut off: seen if the agent had begun to answer, else uncertain, never sent again by itself. */
function endTurns(draft: Draft, unsettled: readonly Message[]): void {
  for (const { id, rows } of orphans(group(unsettled), null)) {
    const start = rows.findLastIndex(({ body }) => body.kind === "turnStart");
    if (start === -1) continue;
    const after = rows.slice(start + 1);
    const sent = rows.filter(({ state }) => state === "sent");
    draft.become(sent, after.some(isFromAgent) ? "seenAborted" : "uncertain");
    for (const row of after) closePermission(draft, row);
    if (after.some(({ body }) => body.kind === "turnEnd")) continue;
    draft.append(id, { kind: "turnEnd", stop: "interrupted" });
    forgetLedger(draft, rows[start]);
  }
}

/** Which fragments of the interrupted prompt its session has read, nobody knows. */
function forgetLedger(draft: Draft, start: Message | undefined): void {
  if (start?.body.kind !== "turnStart") return;
  const { agent, session: sessionId, generation, recipe } = start.body;
  const session = sessionOf(draft.state, generation);
  const named = recipe.fragments
    .map(({ id }) => id)
    .filter((id) => !id.startsWith("#"));
  if (session?.agent === agent && session.sessionId === sessionId)
    draft.session(forget(session, named));
}

function closePermission(draft: Draft, row: Message): void {
  if (row.body.kind !== "permission" || row.body.chosen !== undefined) return;
  const body = { ...row.body, chosen: null };
  draft.write({ kind: "body", id: row.id, body });
  draft.touch({ ...row, body });
}

function holdRestored(draft: Draft): void {
  const { queue, thread } = draft.state;
  const { restoreQueue } = draft.context.settings;
  const own = thread.held === "user";
  if (queue.length === 0 || restoreQueue === "resume") {
    if (thread.held !== null && !own) draft.thread({ held: null });
  } else if (thread.held === null) draft.thread({ held: "restored" });
  const marked = queue.map((message): Message =>
    message.marks.waited === "restored"
      ? message
      : { ...message, marks: { ...message.marks, waited: "restored" } },
  );
  for (const [index, message] of marked.entries())
    if (message !== queue[index]) writeEdit(draft, message);
  draft.set({ queue: marked });
}

/** Processes of an earlier host are ended before anything else runs; their sessions can be resumed then. */
function endLeftovers(draft: Draft): void {
  for (const session of draft.state.sessions)
    if (session.state === "live" || session.state === "starting")
      draft.session({
        ...session,
        state: session.sessionId === null ? "lost" : "suspended",
      });
  const identities = draft.state.sessions.flatMap(({ process }) =>
    process === null ? [] : [process],
  );
  if (identities.length === 0) return;
  const life = draft.state.nextLife;
  draft.set({ agent: { kind: "ending", life }, nextLife: life + 1 });
  draft.effect({ kind: "endLeftovers", life, identities });
}

function byPosition(one: Message, other: Message): number {
  return (one.position ?? "") < (other.position ?? "") ? -1 : 1;
}

function isFromAgent({ body }: Message): boolean {
  switch (body.kind) {
    case "agent":
    case "thought":
    case "toolCall":
    case "toolResult":
    case "plan":
    case "permission":
      return true;
    case "user":
    case "turnStart":
    case "turnEnd":
    case "notice":
      return false;
  }
}
