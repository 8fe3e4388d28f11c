import type {
  BatchType,
  Body,
  BodyKind,
  Marks,
  Message,
  Snowflake,
} from "./message.ts";
import type { Session, Thread } from "./thread.ts";
import type { Archive } from "./writes.ts";

/** Where a message stands: the part of it that the state table and the batches are about. */
export type Place = Pick<
  Message,
  | "rank"
  | "position"
  | "batch"
  | "sequence"
  | "batchType"
  | "parentBatch"
  | "state"
>;

export interface Head extends Place {
  readonly id: string;
  readonly thread: string;
  readonly kind: BodyKind;
}

export interface BatchEnd {
  /** The sequence its next row gets. */
  readonly next: number;
  readonly batchType: BatchType | null;
  readonly parentBatch: Snowflake | null;
}

/** Rows, as the rules of the record see them inside one transaction. Every store implements this; the rules are written once. */
export interface RecordTables {
  threadThere(id: string): boolean;
  putThread(thread: Thread): void;
  markThread(id: string, deletedAt: number | null): boolean;
  putSession(session: Session): void;
  requestKnown(id: string): boolean;
  addRequest(id: string): void;
  head(id: string): Head | undefined;
  /** `settled` text is what a search may find. */
  insert(message: Message, settled: boolean): void;
  place(id: string, place: Place): void;
  marks(id: string): Marks;
  setMarks(id: string, marks: Marks): void;
  setBody(id: string, body: Body): void;
  textLength(id: string): number;
  extendText(id: string, text: string): void;
  /** The texts of a batch will not change any more. */
  settle(thread: string, batch: Snowflake): void;
  batchEnd(thread: string, batch: Snowflake): BatchEnd | undefined;
  /** In order of sequence. */
  batchRows(thread: string, batch: Snowflake): readonly Head[];
  reparent(thread: string, from: Snowflake, to: Snowflake | null): void;
  positionTaken(thread: string, position: Snowflake): boolean;
  greatestPosition(thread: string): Snowflake | undefined;
  putBlob(hash: string, mimeType: string, data: Uint8Array): void;
  putArchive(archive: Archive): void;
  removeArchive(id: string): void;
  /** A Snowflake was stored: the greatest ever stored outlives the row that held it. */
  see(id: Snowflake): void;
}
