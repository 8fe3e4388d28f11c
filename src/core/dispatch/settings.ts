import type { Packing } from "../compile/types.ts";

export type DispatchMode = "batched" | "per-lane" | "per-message";

/** What the user can decide about dispatch; replaced whole when a setting changes. */
export interface DispatchSettings {
  readonly mode: DispatchMode;
  readonly maxBufferedMessages: number;
  /** Estimated. */
  readonly maxBatchTokens: number;
  readonly collectWindowMs: number;
  readonly maxCollectWindowMs: number;
  readonly packing: Packing;
  /** What the queue does after a cancel: goes next, or waits. */
  readonly afterCancel: "continue" | "hold";
  /** What the queue does after a restart. */
  readonly restoreQueue: "hold" | "resume";
  readonly idleMinutes: number;
  readonly maxLiveAgents: number;
  /** Asks the user when a turn has run this long; 0 is off. */
  readonly ceilingMinutes: number;
  /** Of a whole request, when history has to be told again. */
  readonly contextBudgetTokens: number;
  readonly allowAgentMessages: "off" | "mentions" | "all";
  /** Ids that may send when the list is not empty; advisory. */
  readonly trustedAgents: readonly string[];
  readonly maxConsecutiveAgentMessages: number;
  readonly maxConsecutiveAgentBatches: number;
}

export const defaultDispatchSettings: DispatchSettings = {
  mode: "batched",
  maxBufferedMessages: 10,
  maxBatchTokens: 24_000,
  collectWindowMs: 0,
  maxCollectWindowMs: 5_000,
  packing: "tagged",
  afterCancel: "continue",
  restoreQueue: "hold",
  idleMinutes: 15,
  maxLiveAgents: 6,
  ceilingMinutes: 0,
  contextBudgetTokens: 100_000,
  allowAgentMessages: "mentions",
  trustedAgents: [],
  maxConsecutiveAgentMessages: 10,
  maxConsecutiveAgentBatches: 10,
};

/** Fixed by design: not for the user to tune. */
export const timing = {
  probeEveryMs: 5_000,
  missesUntilStuck: 6,
  lateTickMs: 10_000,
  graceMs: 10_000,
  leaseMs: 5 * 60_000,
  restartDelaysMs: [1_000, 4_000, 16_000],
  retryCommitMs: [1_000, 2_000, 5_000, 10_000, 30_000],
  coalesceMs: 250,
} as const;
