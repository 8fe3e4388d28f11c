import type {
  BatchType,
  Block,
  Body,
  Marks,
  Message,
  MessageState,
  Sender,
  Snowflake,
} from "./message.ts";
import type { Session, Thread } from "./thread.ts";

/** A message as submitted: what `accept` stores as `queued`. */
export interface Submission {
  readonly id: string;
  readonly thread: string;
  readonly arrived: Snowflake;
  readonly rank: number;
  readonly sender: Sender;
  readonly blocks: readonly Block[];
  readonly marks: Marks;
  readonly parentBatch?: Snowflake;
  readonly retryOf?: string;
}

/** A record the agent or Turnline adds to a batch. The store gives it the batch's next sequence. */
export interface Appended {
  readonly id: string;
  readonly thread: string;
  readonly position: Snowflake;
  readonly batch: Snowflake;
  readonly sender: Sender;
  readonly marks: Marks;
  readonly body: Body;
}

/**
 * The language of transactions: a list of these is committed whole or not at all.
 * The store checks every state change against the table and refuses the lot if one is not in it.
 */
export type Write =
  | { readonly kind: "thread"; readonly thread: Thread }
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "accept"; readonly message: Submission }
  | {
      /** Gives messages their place in a batch: queued → claimed, rank cleared. */
      readonly kind: "claim";
      readonly batch: Snowflake;
      readonly batchType: BatchType;
      readonly parentBatch: Snowflake | null;
      readonly messages: readonly {
        readonly id: string;
        readonly position: Snowflake;
      }[];
    }
  | {
      /** Back to the queue: → queued, position, batch and sequence cleared. */
      readonly kind: "requeue";
      readonly messages: readonly {
        readonly id: string;
        readonly rank: number;
        readonly marks: Marks;
      }[];
    }
  | {
      readonly kind: "state";
      readonly ids: readonly string[];
      readonly to: Exclude<MessageState, "queued" | "claimed">;
    }
  | {
      readonly kind: "rank";
      readonly ranks: readonly { readonly id: string; readonly rank: number }[];
    }
  | {
      /** Changes a queued message. */
      readonly kind: "edit";
      readonly id: string;
      readonly blocks: readonly Block[];
      readonly marks: Marks;
    }
  | { readonly kind: "append"; readonly record: Appended }
  /** Extends the text of an appended agent text or thought; `offset` must be its present length. */
  | {
      readonly kind: "text";
      readonly id: string;
      readonly offset: number;
      readonly text: string;
    }
  /** Replaces the body of an appended record (a tool call that went on, a permission that was answered). */
  | { readonly kind: "body"; readonly id: string; readonly body: Body }
  | {
      readonly kind: "blob";
      readonly hash: string;
      readonly mimeType: string;
      readonly data: Uint8Array;
    }
  /** Takes a thread out of sight until it is restored or, days later, cleared away. */
  | {
      readonly kind: "deleteThread";
      readonly thread: string;
      readonly at: number;
    }
  | { readonly kind: "restoreThread"; readonly thread: string }
  /** Rows as they were elsewhere, batches in order of sequence; those already here are passed over. */
  | { readonly kind: "import"; readonly messages: readonly Message[] }
  | { readonly kind: "archive"; readonly archive: Archive }
  | { readonly kind: "unarchive"; readonly id: string };

/** A summary that stands for whole batches in full compiles. */
export interface Archive {
  readonly id: string;
  readonly thread: string;
  readonly batches: readonly Snowflake[];
  readonly text: string;
  readonly createdAt: number;
}

/** `full` reaches the disk before it is answered; `normal` may lose the last moments to a power cut, never to a crash. */
export type Durability = "full" | "normal";

export type CommitAnswer =
  | { readonly ok: true }
  /** These request ids were accepted before; nothing of this commit was written. */
  | {
      readonly ok: false;
      readonly reason: "duplicate";
      readonly ids: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: "full" | "readOnly" | "failed";
      readonly detail: string;
    };

/** The newest `limit` records before a position, or the oldest after one; always oldest first in the answer. */
export interface PageRange {
  readonly before?: Snowflake;
  readonly after?: Snowflake;
  readonly limit: number;
}

export interface Page {
  readonly messages: readonly Message[];
  readonly more: boolean;
}

/** The row that an appended record is, as far as it is known before the store has given it its place. */
export function appended(record: Appended): Message {
  return {
    ...record,
    arrived: record.position,
    rank: null,
    sequence: null,
    batchType: null,
    parentBatch: null,
    retryOf: null,
    state: null,
  };
}

/** Why a commit was refused that accepts no message, and so can be no duplicate. */
export function refusalOf(answer: Extract<CommitAnswer, { ok: false }>): {
  readonly reason: "full" | "readOnly" | "failed";
  readonly detail: string;
} {
  return answer.reason === "duplicate"
    ? { reason: "failed", detail: "" }
    : { reason: answer.reason, detail: answer.detail };
}
