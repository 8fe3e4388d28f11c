import type { BatchFacts } from "./batchFacts.ts";
import type { Message, MessageState, Snowflake } from "./message.ts";
import type { Store } from "./ports.ts";
import type { FindQuery, Found } from "./recordFind.ts";
import type { Archive } from "./writes.ts";

/** The record beyond what a turn needs: looking back, keeping house. */
export interface History extends Store {
  /** Newest first, with Restore. */
  discarded(thread: string, limit: number): Promise<readonly Message[]>;
  search(query: SearchQuery): Promise<SearchPage>;
  /** Every record of one thread that holds a text, first to last. */
  find(query: FindQuery): Promise<readonly Found[]>;
  /** What is known of batches without their texts, newest first. */
  batches(query: BatchQuery): Promise<readonly BatchFacts[]>;
  /** How many batches of a thread are older than this one. */
  batchesBefore(thread: string, batch: Snowflake): Promise<number>;
  archives(thread: string): Promise<readonly Archive[]>;
  statistics(): Promise<Statistics>;
  /** Cuts old history away, at batch edges. */
  retain(policy: RetentionPolicy): Promise<Retained>;
  /** Clears away what nobody can ask for any more, and checks the file now and then. For idle moments. */
  maintain(): Promise<Maintained>;
}

export interface SearchQuery {
  /** As typed; empty finds whatever the filters let through. */
  readonly text: string;
  /** In one of these. */
  readonly threads?: readonly string[];
  /** Said by one of these agents, or by a user in a thread one of them answers. */
  readonly agents?: readonly string[];
  /** Arrived before this instant. */
  readonly before?: number;
  readonly state?: MessageState;
  /** In a batch that holds a diff. */
  readonly has?: "diff";
  readonly limit: number;
  /** Goes on where an earlier answer stopped. */
  readonly from?: number;
}

export interface SearchHit {
  readonly message: Message;
  readonly excerpt: string;
}

export interface SearchPage {
  /** Newest first; fewer than asked for, or none, where a long history was looked at in part. */
  readonly hits: readonly SearchHit[];
  /** Where to go on; null when all was seen. */
  readonly next: number | null;
}

export interface BatchQuery {
  readonly thread?: string;
  readonly before?: Snowflake;
  readonly limit: number;
}

export interface Statistics {
  readonly threads: number;
  readonly messages: number;
  readonly queued: number;
  readonly batches: number;
  readonly blobs: number;
  readonly blobBytes: number;
  /** Size of the whole record. */
  readonly bytes: number;
}

export interface RetentionPolicy {
  /** Batches whose last record is older than this instant go. */
  readonly before?: number;
  /** The oldest batches go until the record is no larger. */
  readonly maxBytes?: number;
}

export interface Retained {
  readonly batches: number;
  readonly messages: number;
}

/** What came of bringing another workspace's threads. */
export type Brought =
  | {
      readonly kind: "brought";
      readonly threads: number;
      /** What could not be read, and why. */
      readonly failed: readonly string[];
    }
  /** A window writes there: its threads and their agents are at work. */
  | { readonly kind: "inUse" };

export interface Maintained {
  /** What is wrong with the file; null when nothing is, or it was not time to look. */
  readonly damage: string | null;
}
