import type { BatchFacts } from "../core/batchFacts.ts";
import type { Message, Snowflake } from "../core/message.ts";
import type { FindQuery, Found } from "../core/recordFind.ts";
import type {
  BatchQuery,
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
import type { Sliced } from "./slices.ts";
import type { Trouble } from "./sqliteError.ts";

/** What can be asked of the worker. */
export interface Operations {
  commit(writes: readonly Write[], durability: Durability): CommitAnswer;
  threads(): readonly Thread[];
  thread(id: string): Thread | undefined;
  sessions(thread: string): readonly Session[];
  queue(thread: string): readonly Message[];
  unsettled(thread: string): readonly Message[];
  unfinished(): readonly string[];
  sinceUser(thread: string, limit: number): readonly Message[];
  page(thread: string, range: PageRange): Page;
  batch(thread: string, batch: Snowflake): readonly Message[];
  message(id: string): Message | undefined;
  blobs(hashes: readonly string[]): ReadonlyMap<string, Uint8Array>;
  greatest(): Snowflake | undefined;
  discarded(thread: string, limit: number): readonly Message[];
  archives(thread: string): readonly Archive[];
  search(query: SearchQuery): Sliced<SearchPage>;
  find(query: FindQuery): Sliced<readonly Found[]>;
  batches(query: BatchQuery): Sliced<readonly BatchFacts[]>;
  batchesBefore(thread: string, batch: Snowflake): number;
  statistics(): Sliced<Statistics>;
  retain(policy: RetentionPolicy, now: number): Sliced<Retained>;
  maintain(now: number): Sliced<Maintained>;
  adopt(path: string, options?: AdoptOptions): Sliced<Adopted>;
  /** For tests: what SQLite itself thinks of the file. */
  integrity(): string;
  /** For the crash harness: how many statements have run since the file was opened. */
  statements(): number;
  close(): undefined;
}

export type Operation = keyof Operations;
export type Result<K extends Operation> =
  ReturnType<Operations[K]> extends Sliced<infer T>
    ? T
    : ReturnType<Operations[K]>;

export interface Request {
  readonly id: number;
  readonly operation: Operation;
  readonly parameters: readonly unknown[];
}

/** What the worker says. */
export type Reply =
  | { readonly kind: "opened"; readonly result: OpenResult }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "failure";
      readonly id: number;
      readonly trouble: Trouble;
      readonly detail: string;
    }
  /** The file turned out to be damaged; nothing more is written to it. */
  | { readonly kind: "damage"; readonly detail: string };

export interface Faults {
  /** Ends the worker, and only that, before its nth statement. */
  readonly endAtStatement?: number;
  /** Lets the file grow to this many pages: a disk that is full. */
  readonly maxPages?: number;
  /** As where SQLite was built without FTS5. */
  readonly noFullText?: true;
}

export interface WorkerData {
  readonly folder: string;
  readonly mode: "write" | "read";
  readonly faults: Faults;
}
