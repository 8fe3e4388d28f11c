import type { Log } from "../core/ports.ts";
import type { History } from "../core/recordPort.ts";

export type Role = "writer" | "reader";

export interface FileTrouble {
  readonly path: string;
  readonly detail: string;
}

/** A record that was opened, and what there is to tell about it. */
export interface OpenedRecord {
  readonly store: History;
  readonly path: string;
  readonly readOnly: boolean;
  /** Files that were left alone because this version cannot read them. */
  readonly left: readonly (FileTrouble & {
    readonly reason: "corrupt" | "newer";
  })[];
  /** Brings in the threads that had to be kept elsewhere; for the writer. */
  gather(): Promise<{
    readonly threads: number;
    readonly failed: readonly FileTrouble[];
  }>;
}

export type OpenAnswer =
  | ({ readonly ok: true } & OpenedRecord)
  | ({ readonly ok: false } & FileTrouble);

export interface RecordEvents {
  onDamage(detail: string): void;
  /** What held it open died. */
  onLost(detail: string): void;
}

export type OpenRecord = (
  folder: string,
  mode: "write" | "read",
  events: RecordEvents,
) => Promise<OpenAnswer>;

export interface RecordLock {
  start(): Promise<Role>;
  dispose(): Promise<void>;
  readonly trouble: string | undefined;
}

export interface LockEvents {
  isWindowAlive(): Promise<boolean>;
  onRelease(): Promise<void>;
  onChange(role: Role): void;
}

export interface HomePorts {
  /** Where the record belongs. */
  readonly folder: string;
  /** Where new messages go while it cannot be opened there, best first. */
  readonly rescue: readonly string[];
  readonly open: OpenRecord;
  readonly lock: (folder: string, events: LockEvents) => RecordLock;
  readonly isWindowAlive: () => Promise<boolean>;
  readonly log: Log;
  /** How long a reader that found nothing to read waits before it looks again. */
  readonly lookAgainMs?: number;
}

/** Who works on the record. */
export interface Tenant {
  /** Ends turns and processes. */
  windDown(): Promise<void>;
  /** The record is another, or can be written to from now on. */
  takeOver(): Promise<unknown>;
  /** There is something else to say about it. */
  changed(): void;
}
