import type { Block, Message, Recipe, Snowflake } from "../message.ts";
import type { AgentCapabilities } from "../agentPort.ts";
import type { Session } from "../thread.ts";
import type { Archive } from "../writes.ts";

/** SHA-256 in hex: the core has no cryptography of its own. */
export type Sha256 = (data: string) => string;

export type FragmentLifecycle = "static" | "dynamic";

/** A piece of system context with a life of its own. Ids that begin with `#` are the compiler's. */
export interface Fragment {
  readonly id: string;
  readonly lifecycle: FragmentLifecycle;
  /** Empty means there is nothing to say; a live session that had it is told that it no longer applies. */
  readonly text: string;
}

export type Packing = "tagged" | "blocks";

/** What the session remembers, as far as Turnline knows. */
export type Memory =
  /** A new session, or one that was lost: it knows nothing. */
  | { readonly kind: "none"; readonly why: string }
  /** Live or resumed: it knows everything up to its cursor. `why` tells of one that has just begun in place of another. */
  | {
      readonly kind: "session";
      readonly session: Session;
      readonly why?: string;
    };

/** What a session must be to be the one the thread is about to prompt. */
export interface Expected {
  readonly agent: string;
  readonly folder: string;
  readonly generation: number;
  /** As the agent named the session that is open now. */
  readonly sessionId: string;
}

export interface CompileInput {
  /** The claimed messages, in order. */
  readonly batch: readonly Message[];
  /**
   * The thread's records before the batch, oldest first: for a session, those after its cursor;
   * for none, the newest that the budget could need. Never includes queued messages.
   * `readHistory` reads just these.
   */
  readonly history: readonly Message[];
  /** True when records older than `history` exist but were not read. */
  readonly truncated: boolean;
  readonly memory: Memory;
  readonly agent: { readonly id: string; readonly label: string };
  readonly capabilities: Pick<
    AgentCapabilities,
    "image" | "embeddedContext" | "systemPrompt"
  >;
  readonly fragments: readonly Fragment[];
  readonly packing: Packing;
  /** Estimated tokens of the whole request. */
  readonly budgetTokens: number;
  /** Names of commands the agent announced; null before it has. */
  readonly commands: readonly string[] | null;
  readonly sha256: Sha256;
  /** Checked once more against the session in `memory`: what does not match gives a full compile. */
  readonly expected?: Expected;
  /** Summaries that stand for their batches in a full compile. */
  readonly archives?: readonly Archive[];
  /** The session that is open; absent before there is one. */
  readonly opened?: {
    /** What it was given as it was opened. */
    readonly systemPrompt: string | null;
    /** It was prompted since. */
    readonly prompted: boolean;
  };
  /** Images whose bytes are gone, by hash: they can only be named. */
  readonly missing?: readonly string[];
}

/** A run of the prompt's blocks, in order: together they are all of it. */
export interface Part {
  readonly kind:
    | "fragment"
    | "archive"
    | "digest"
    /** What the session does not have, in a full compile. */
    | "history"
    /** What others said meanwhile, in a delta. */
    | "transcript"
    | "batch";
  readonly label: string;
  /** Why it goes along, in this form. */
  readonly why: PartWhy;
  /** How many blocks it takes. */
  readonly blocks: number;
  /** How many messages, or archived and digested batches, it stands for. */
  readonly count: number;
}

export type PartWhy =
  /** A fragment that the session never had, had otherwise, or had and should forget. */
  | "new"
  | "changed"
  | "withdrawn"
  /** A summary stands for batches that were compacted. */
  | "archived"
  /** There is no room for more than this. */
  | "overBudget"
  /** The session knows nothing of it. */
  | "unknown"
  /** It came while the session was not prompted. */
  | "missed"
  /** It is the request itself. */
  | "asked";

/** Something that was there and did not go. */
export type Omission =
  | {
      readonly kind: "fragment";
      readonly id: string;
      readonly why: "unchanged";
    }
  /** What the session was told as it began, or as it was last opened. */
  | { readonly kind: "statics"; readonly why: "given" }
  | { readonly kind: "history"; readonly why: "known" }
  /** All but a command: it stays due. */
  | { readonly kind: "rest"; readonly why: "command" };

/** Something that was not sent as it stands in the record. */
export type Note =
  | { readonly kind: "imageAsText"; readonly name: string }
  /** Its bytes are gone. */
  | { readonly kind: "imageMissing"; readonly name: string }
  | { readonly kind: "resourceAsText"; readonly uri: string }
  /** An open tool call that was given an `interrupted` result, in the prompt only. */
  | { readonly kind: "closedCall"; readonly toolCallId: string }
  /** Ended batches of which only the outline was sent. */
  | { readonly kind: "digested"; readonly batches: readonly Snowflake[] }
  /** Records older than what the budget allows, of which nothing was sent. */
  | { readonly kind: "leftOut" };

/** A text that a recipe names by hash: to be kept where `rebuild` can find it. */
export interface KeptText {
  readonly hash: string;
  readonly text: string;
}

export interface Compiled {
  readonly kind: "full" | "delta";
  /** Empty when there is nothing to send. */
  readonly blocks: readonly Block[];
  /** Greatest position the session knows after this: what the cursor becomes when the turn succeeds. */
  readonly through: Snowflake | null;
  /** Fragment id → hash: what the ledger becomes when the turn succeeds. */
  readonly ledger: Readonly<Record<string, string>>;
  readonly recipe: Recipe;
  /** Static context for agents that take a system prompt at session start. */
  readonly systemPrompt?: string;
  /** True when the thread's history was sent again: the user is told. */
  readonly rebuilt: boolean;
  readonly parts: readonly Part[];
  readonly notes: readonly Note[];
  /** Goes to the blob table in the transaction that stores the recipe. */
  readonly keep: readonly KeptText[];
}
