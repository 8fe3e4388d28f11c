import type { BatchCourse } from "./batchCourse.ts";
import type { BatchStatus, BatchType, Snowflake, Usage } from "./message.ts";

/** What is known of a batch without its texts. All of it is derived from its rows. */
export interface BatchFacts {
  readonly id: Snowflake;
  readonly thread: string;
  readonly type: BatchType;
  readonly parent: Snowflake | null;
  /** Its messages are those of its parent, sent again. */
  readonly retry: boolean;
  readonly status: BatchStatus;
  /** Each turn start has its turn end, and nothing claimed still waits. */
  readonly ended: boolean;
  /** No open tool call. */
  readonly balanced: boolean;
  readonly counts: BatchCounts;
  readonly times: BatchTimes;
  readonly usage: Usage;
  readonly course: BatchCourse;
}

export interface BatchCounts {
  readonly rows: number;
  readonly messages: number;
  readonly turns: number;
  readonly texts: number;
  readonly thoughts: number;
  readonly tools: number;
  readonly permissions: number;
}

/** Wall-clock milliseconds, read from the Snowflakes; null where it has not happened. */
export interface BatchTimes {
  readonly firstArrived: number;
  readonly claimed: number;
  readonly started: number | null;
  readonly firstOutput: number | null;
  readonly ended: number | null;
  /** Time spent in turns, in milliseconds. */
  readonly running: number;
}
