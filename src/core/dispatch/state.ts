import type {
  BatchType,
  Message,
  ProcessIdentity,
  Snowflake,
} from "../message.ts";
import type { AgentCapabilities, AgentFailure } from "../agentPort.ts";
import { newestSession } from "../sessions.ts";
import type { Session, Thread } from "../thread.ts";
import type { ThreadEvent } from "./events.ts";

/**
 * What a thread's dispatcher knows. All of it is committed, or can be lost without harm.
 * Times are of the monotonic clock.
 */
export interface ThreadState {
  readonly thread: Thread;
  /** Every session the thread ever had; the newest of an agent is the one that counts. */
  readonly sessions: readonly Session[];
  /** Queued messages, in order. */
  readonly queue: readonly Message[];
  readonly turn: Turn | null;
  readonly agent: AgentLife;
  /** The number the next process gets: what comes from an earlier one is not listened to. */
  readonly nextLife: number;
  /** Items being edited, each by one view. */
  readonly leases: readonly Lease[];
  readonly collect: { readonly since: number; readonly until: number } | null;
  /** What "send now" and a retry put before all others, whatever holds the rest: each group by itself, in turn. */
  readonly next: readonly (readonly string[])[];
  readonly newest: NewestBatch | null;
  /** By the id of a queued or claimed copy: the message it repeats. */
  readonly originals: Readonly<Record<string, Message>>;
  /** Removed or cancelled of late, the newest last: what Restore offers. */
  readonly discarded: readonly Message[];
  /** Ids of open permission requests, and of other questions to the user. */
  readonly permissions: readonly string[];
  /** Names of the commands the thread's agent announced last, in whichever process; null before it has. */
  readonly commands: readonly string[] | null;
  readonly counters: Counters;
  /** Why the queue is held, when an agent's failure is the reason. */
  readonly cause: AgentFailure | null;
  /** How the agent last ended by itself: told while it is started again. */
  readonly lastDeath?: string;
  readonly stalled: Stalled | null;
  /** Shutting down, or not ours to write to: nothing is dispatched. */
  readonly dormant: boolean;
  /** True while the title is one we made up, so that the agent may give a better one. */
  readonly ownTitle: boolean;
  /** The user made the agent forget: its next session tells so. */
  readonly reset?: boolean;
  /** What is due was kept back since others have started as many turns as they may, and the user was told. */
  readonly gated?: boolean;
}

export interface NewestBatch {
  readonly batch: Snowflake;
  readonly batchType: BatchType;
  readonly parentBatch: Snowflake | null;
}

export interface Lease {
  readonly id: string;
  /** Which view edits it. */
  readonly holder: string;
  readonly until: number;
}

/** A batch on its way: claimed while a session is made ready, sent once its write-intent is committed. */
export type Turn = ClaimedTurn | SentTurn;

export interface ClaimedTurn extends NewestBatch {
  readonly phase: "claimed";
  /** Only those claimed for this turn, not what the batch already held when it is continued. */
  readonly messages: readonly Message[];
}

export interface SentTurn extends NewestBatch {
  readonly phase: "sent";
  readonly messages: readonly Message[];
  readonly life: number;
  readonly sessionId: string;
  readonly generation: number;
  readonly startedAt: number;
  /** What the session's cursor and ledger become if the turn succeeds. */
  readonly through: Snowflake | null;
  readonly ledger: Readonly<Record<string, string>>;
  readonly cancel: Cancel | null;
  /** After how many minutes the user was asked whether it should go on. */
  readonly ceilingAsked: number | null;
}

export interface Cancel {
  readonly by: "user" | "stuck" | "reset";
  readonly at: number;
  /** The queue is held when the turn has ended. */
  readonly hold: boolean;
}

/** The process that answers, in the stages of its life. */
export type AgentLife =
  | { readonly kind: "none" }
  | {
      readonly kind: "starting";
      readonly life: number;
      readonly agent: string;
      readonly folder: string;
      /** No slot among the live agents is free yet. */
      readonly waiting: boolean;
      /** Started by itself after a death, not by a message. */
      readonly restart: boolean;
    }
  | ({ readonly kind: "opening"; readonly restart: boolean } & RunningAgent &
      Pick<Liveness, "probe">)
  | ({ readonly kind: "live" } & RunningAgent & Liveness)
  | { readonly kind: "ending"; readonly life: number }
  /** The next automatic start waits. */
  | { readonly kind: "backoff"; readonly until: number };

export interface RunningAgent {
  readonly life: number;
  readonly agent: string;
  readonly folder: string;
  readonly generation: number;
  readonly identity: ProcessIdentity;
  readonly capabilities: AgentCapabilities;
  /** Why its session had to begin anew; null for one that was taken up again. */
  readonly why: string | null;
}

export interface Liveness {
  /** `asked`: its first probe, before anything else was asked of it, is unanswered, so it is not probed again. */
  readonly probe: "asked" | "answers";
  /** When the last probe went out, or the first one. */
  readonly probedAt: number;
  readonly misses: number;
  /** When the next tick of a running turn is due. */
  readonly tickDue: number;
  /** When it last had nothing to do. */
  readonly idleSince: number;
  /** Its last turn succeeded: beyond the cursor there is only what this session itself produced. */
  readonly caughtUp: boolean;
  /** Its account has changed: it ends with the turn it is in. */
  readonly retired?: true;
}

export interface Counters {
  /** Messages of others since the user's last, at ingest. */
  readonly agentMessages: number;
  /** Batches triggered by others since the user's last message, at dispatch. */
  readonly agentBatches: number;
  readonly failedTurns: number;
  readonly restarts: number;
  /** Turns in a row that got stuck in the present session. */
  readonly stuck: number;
  readonly failedCommits: number;
}

/** Commits fail: what happened meanwhile is kept, and tried again. */
export interface Stalled {
  readonly events: readonly ThreadEvent[];
  readonly retryAt: number;
  readonly detail: string;
}

export const noCounters: Counters = {
  agentMessages: 0,
  agentBatches: 0,
  failedTurns: 0,
  restarts: 0,
  stuck: 0,
  failedCommits: 0,
};

/** The session that would be resumed: the newest of the thread's agent, in its folder, unless it is lost. */
export function currentSession(state: ThreadState): Session | undefined {
  const { agent, folder } = state.thread;
  const own = newestSession(
    state.sessions.filter((session) => session.agent === agent),
  );
  return own !== undefined && own.folder === folder && own.state !== "lost"
    ? own
    : undefined;
}

export function sessionOf(
  state: ThreadState,
  generation: number,
): Session | undefined {
  return state.sessions.find((session) => session.generation === generation);
}

export function nextGeneration(state: ThreadState): number {
  return (newestSession(state.sessions)?.generation ?? 0) + 1;
}

/** The number of the process that is there now. */
export function lifeOf(state: ThreadState | null): number | null {
  return state !== null && "life" in state.agent ? state.agent.life : null;
}

/** No process, no turn and nothing left to store: all there is to know is in the record. */
export function isAtRest({ agent, turn, stalled }: ThreadState): boolean {
  return agent.kind === "none" && turn === null && stalled === null;
}

/** Nothing to do and nothing asked: what may be suspended. */
export function isIdle(state: ThreadState): boolean {
  return (
    state.turn === null &&
    state.queue.length === 0 &&
    state.permissions.length === 0
  );
}
