import type { ProcessIdentity, Snowflake } from "./message.ts";

export type HoldReason =
  | "user"
  | "restored"
  | "cancelled"
  | "signIn"
  | "notInstalled"
  | "startFailed"
  | "failing"
  | "notSaved";

export interface Thread {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  /** Id of the agent that answers next. */
  readonly agent: string;
  readonly held: HoldReason | null;
  readonly archived: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An agent's own memory of a thread. */
export interface Session {
  readonly thread: string;
  readonly agent: string;
  readonly folder: string;
  readonly generation: number;
  /** As the agent named it; null until it has. */
  readonly sessionId: string | null;
  readonly state: "starting" | "live" | "suspended" | "lost";
  /** Greatest position included in a compiled prompt that succeeded. */
  readonly cursor: Snowflake | null;
  /** Fragment id → hash of what this session last had. */
  readonly ledger: Readonly<Record<string, string>>;
  readonly process: ProcessIdentity | null;
}

/** What a thread begins with. */
export interface NewThread {
  /** Where the host has named it already. */
  readonly id?: string;
  readonly folder: string;
  readonly agent: string;
  /** Empty: named after its first message. */
  readonly title?: string;
}
