import { Worker } from "node:worker_threads";
import type { BatchFacts } from "../core/batchFacts.ts";
import type { Message, Snowflake } from "../core/message.ts";
import type { FindQuery, Found } from "../core/recordFind.ts";
import type {
  BatchQuery,
  History,
  Maintained,
  Retained,
  RetentionPolicy,
  SearchPage,
  SearchQuery,
  Statistics,
} from "../core/recordPort.ts";
import type { Session, Thread } from "../core/thread.ts";
import type {
  Archive,
  CommitAnswer,
  Durability,
  Page,
  PageRange,
  Write,
} from "../core/writes.ts";
import type { Adopted, AdoptOptions } from "./adoption.ts";
import type { OpenResult } from "./opening.ts";
import type { Faults, WorkerData } from "./operations.ts";
import { StoreFailure, WorkerCalls } from "./workerCalls.ts";

export interface StoreOptions {
  /** Where the database is, or will be. */
  readonly folder: string;
  /** The worker's program. */
  readonly worker: string | URL;
  readonly mode?: "write" | "read";
  readonly now?: () => number;
  /** The file turned out to be damaged: close, open again, and tell the user what the answer names. */
  readonly onDamage?: (detail: string) => void;
  /** The worker died although nobody closed the store: nothing works until it is opened again. */
  readonly onLost?: (detail: string) => void;
  readonly faults?: Faults;
}

export type OpenAnswer =
  | (Extract<OpenResult, { ok: true }> & { readonly store: SqliteStore })
  | Extract<OpenResult, { ok: false }>;

/** Opens the record of a folder in a worker of its own. */
export async function openStore(options: StoreOptions): Promise<OpenAnswer> {
  const { folder, mode = "write", faults = {} } = options;
  const data: WorkerData = { folder, mode, faults };
  const worker = new Worker(options.worker, { workerData: data });
  const calls = new WorkerCalls(worker, {
    damaged: options.onDamage ?? (() => undefined),
    lost: options.onLost ?? (() => undefined),
  });
  const result = await calls.opened;
  if (result.ok)
    return { ...result, store: new SqliteStore(calls, options.now) };
  await worker.terminate();
  return result;
}

/** The record on disk, as the host sees it: every call is a message to the worker, and nothing here blocks. */
export class SqliteStore implements History {
  readonly #calls: WorkerCalls;
  readonly #now: () => number;

  constructor(calls: WorkerCalls, now: () => number = Date.now) {
    this.#calls = calls;
    this.#now = now;
  }

  async commit(
    writes: readonly Write[],
    durability: Durability,
  ): Promise<CommitAnswer> {
    try {
      return await this.#calls.ask("commit", writes, durability);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      return { ok: false, reason: "failed", detail: error.message };
    }
  }

  threads(): Promise<readonly Thread[]> {
    return this.#calls.ask("threads");
  }

  thread(id: string): Promise<Thread | undefined> {
    return this.#calls.ask("thread", id);
  }

  sessions(thread: string): Promise<readonly Session[]> {
    return this.#calls.ask("sessions", thread);
  }

  queue(thread: string): Promise<readonly Message[]> {
    return this.#calls.ask("queue", thread);
  }

  unsettled(thread: string): Promise<readonly Message[]> {
    return this.#calls.ask("unsettled", thread);
  }

  unfinished(): Promise<readonly string[]> {
    return this.#calls.ask("unfinished");
  }

  sinceUser(thread: string, limit: number): Promise<readonly Message[]> {
    return this.#calls.ask("sinceUser", thread, limit);
  }

  page(thread: string, range: PageRange): Promise<Page> {
    return this.#calls.ask("page", thread, range);
  }

  batch(thread: string, batch: Snowflake): Promise<readonly Message[]> {
    return this.#calls.ask("batch", thread, batch);
  }

  message(id: string): Promise<Message | undefined> {
    return this.#calls.ask("message", id);
  }

  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#calls.ask("blobs", hashes);
  }

  greatest(): Promise<Snowflake | undefined> {
    return this.#calls.ask("greatest");
  }

  discarded(thread: string, limit: number): Promise<readonly Message[]> {
    return this.#calls.ask("discarded", thread, limit);
  }

  search(query: SearchQuery): Promise<SearchPage> {
    return this.#calls.ask("search", query);
  }

  find(query: FindQuery): Promise<readonly Found[]> {
    return this.#calls.ask("find", query);
  }

  batches(query: BatchQuery): Promise<readonly BatchFacts[]> {
    return this.#calls.ask("batches", query);
  }

  batchesBefore(thread: string, batch: Snowflake): Promise<number> {
    return this.#calls.ask("batchesBefore", thread, batch);
  }

  archives(thread: string): Promise<readonly Archive[]> {
    return this.#calls.ask("archives", thread);
  }

  statistics(): Promise<Statistics> {
    return this.#calls.ask("statistics");
  }

  retain(policy: RetentionPolicy): Promise<Retained> {
    return this.#calls.ask("retain", policy, this.#now());
  }

  maintain(): Promise<Maintained> {
    return this.#calls.ask("maintain", this.#now());
  }

  /** Brings in the threads of another database file. */
  async adopt(file: string, options: AdoptOptions = {}): Promise<Adopted> {
    try {
      return await this.#calls.ask("adopt", file, options);
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      return { ok: false, detail: error.message };
    }
  }

  /** SQLite's own verdict on the file; looks at all of it. */
  integrity(): Promise<string> {
    return this.#calls.ask("integrity");
  }

  /** How many statements have run: for the crash harness. */
  statements(): Promise<number> {
    return this.#calls.ask("statements");
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
