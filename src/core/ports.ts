import type { Message, Snowflake } from "./message.ts";
import type { Session, Thread } from "./thread.ts";
import type {
  CommitAnswer,
  Durability,
  Page,
  PageRange,
  Write,
} from "./writes.ts";

/** Time as the core sees it: a wall clock for positions, a monotonic one for durations, and timers that can be lost. */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Calls back once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Calls back once input that is already waiting has been read (`setImmediate`); the answer cancels it. */
  afterPoll(run: () => void): () => void;
}

export interface Log {
  debug(event: string, data?: Readonly<Record<string, unknown>>): void;
  info(event: string, data?: Readonly<Record<string, unknown>>): void;
  warn(event: string, data?: Readonly<Record<string, unknown>>): void;
  error(event: string, data?: Readonly<Record<string, unknown>>): void;
}

/** The record. Every answer comes after the disk has it. */
export interface Store {
  commit(
    writes: readonly Write[],
    durability: Durability,
  ): Promise<CommitAnswer>;
  threads(): Promise<readonly Thread[]>;
  thread(id: string): Promise<Thread | undefined>;
  sessions(thread: string): Promise<readonly Session[]>;
  /** Queued messages in queue order. */
  queue(thread: string): Promise<readonly Message[]>;
  /** Claimed and sent messages, and the agent's records of their batches: what a restart has to settle. */
  unsettled(thread: string): Promise<readonly Message[]>;
  /** The threads with anything queued, claimed or sent, or whose agent may still run: what a new host has to see to. */
  unfinished(): Promise<readonly string[]>;
  /**
   * The user's last message, and what was submitted or began to be sent since it arrived (messages and turn starts):
   * in the transcript, then discarded, then queued, the newest `limit` of each, oldest first.
   */
  sinceUser(thread: string, limit: number): Promise<readonly Message[]>;
  page(thread: string, range: PageRange): Promise<Page>;
  batch(thread: string, batch: Snowflake): Promise<readonly Message[]>;
  message(id: string): Promise<Message | undefined>;
  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The greatest Snowflake ever stored, in any column: what the generator is seeded from. */
  greatest(): Promise<Snowflake | undefined>;
  close(): Promise<void>;
}
