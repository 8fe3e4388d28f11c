/** 48 bits of milliseconds and 16 of sequence, as 16 hex digits: string order is numeric order. */
export type Snowflake = string;

export type BatchType =
  "user_request" | "agent_to_agent" | "system_trigger" | "continuation";

export type BatchStatus =
  | "collecting"
  | "processing"
  | "completed"
  | "cancelled"
  | "failed"
  | "interrupted";

export type MessageState =
  | "queued"
  | "claimed"
  | "sent"
  | "delivered"
  | "seenAborted"
  | "uncertain"
  | "superseded"
  | "discarded";

/** Who wrote a message. Ids of agents and triggers are namespaced by kind, so none can pass for the user. */
export type Sender =
  | { readonly kind: "user"; readonly name: string }
  | { readonly kind: "agent"; readonly id: string; readonly name: string }
  | { readonly kind: "trigger"; readonly id: string; readonly name: string };

/** A piece of what is said. Bytes live once, in the blob table, by the SHA-256 that names them here. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly mimeType: string;
      readonly blob: string;
      readonly bytes: number;
      readonly name?: string;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text: string;
    }
  | {
      readonly type: "link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    };

export const toolKinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;

export type ToolKind = (typeof toolKinds)[number];

export type ToolStatus =
  "pending" | "in_progress" | "completed" | "failed" | "interrupted";

export interface Location {
  readonly path: string;
  readonly line?: number;
}

export type ToolContent =
  /** `cut` is the size in bytes of the whole, where only its head and tail were kept. */
  | { readonly type: "text"; readonly text: string; readonly cut?: number }
  | {
      readonly type: "diff";
      readonly path: string;
      readonly oldText: string | null;
      readonly newText: string;
    }
  | {
      readonly type: "terminal";
      readonly terminalId: string;
      readonly output: string;
      readonly exitCode?: number;
      readonly cut?: number;
    }
  | { readonly type: "block"; readonly block: Block; readonly cut?: number };

export interface PlanEntry {
  readonly content: string;
  readonly priority: "high" | "medium" | "low";
  readonly status: "pending" | "in_progress" | "completed";
}

export type PermissionKind =
  "allow_once" | "allow_always" | "reject_once" | "reject_always";

export interface PermissionOption {
  readonly id: string;
  readonly name: string;
  readonly kind: PermissionKind;
}

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Which process of an agent a turn was written to: what a new host must end before it resumes the session. */
export interface ProcessIdentity {
  readonly nonce: string;
  readonly pid: number;
  /** Start time as the system tells it, so that a reused pid is not mistaken for the agent. */
  readonly startTime: string;
}

/** How a prompt was made, so that it can be rebuilt byte for byte. */
export interface Recipe {
  readonly kind: "full" | "delta";
  readonly packer: string;
  readonly positions: readonly Snowflake[];
  readonly fragments: readonly {
    readonly id: string;
    readonly hash: string;
    /** The session had it, but another text of it. */
    readonly changed?: true;
  }[];
  readonly reason: string;
  readonly bytes: number;
  /** SHA-256 of the prompt's bytes. */
  readonly hash: string;
  /** What a rebuild needs beyond the rows and the fragments; the compiler always gives it. */
  readonly form?: PromptForm;
  /** What was due and did not go, or not as it stands. */
  readonly omitted?: Omitted;
}

export interface Omitted {
  /** Ended batches of which only the outline went. */
  readonly digested?: readonly Snowflake[];
  /** Of the oldest nothing went. */
  readonly leftOut?: true;
  /** Fragments that the session has as they are, by id. */
  readonly unchanged?: readonly string[];
}

export interface PromptForm {
  readonly packing: "tagged" | "blocks";
  /** How many of the recipe's positions, the last ones, are the batch; those before are context. */
  readonly batch: number;
  readonly image: boolean;
  readonly embeddedContext: boolean;
  /** A command: what else was due stays due. */
  readonly alone?: true;
  /** Hash of the text the session was started with. */
  readonly systemPrompt?: string;
  /** Images whose bytes were gone, by hash: they were only named. */
  readonly missing?: readonly string[];
}

/** Why a turn ended. `error` and `interrupted` are ours; the others are the agent's own words. */
export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "max_turn_requests"
  | "refusal"
  | "cancelled"
  | "error"
  | "stuck"
  | "interrupted";

export type Body =
  | { readonly kind: "user"; readonly blocks: readonly Block[] }
  | {
      readonly kind: "agent";
      readonly text: string;
      readonly blocks?: readonly Block[];
    }
  | { readonly kind: "thought"; readonly text: string }
  | {
      readonly kind: "toolCall";
      readonly toolCallId: string;
      readonly title: string;
      readonly toolKind: ToolKind;
      readonly status: ToolStatus;
      readonly locations: readonly Location[];
      readonly content: readonly ToolContent[];
      readonly input?: string;
    }
  | {
      readonly kind: "toolResult";
      readonly toolCallId: string;
      readonly status: "completed" | "failed" | "interrupted";
      readonly content: readonly ToolContent[];
      readonly output?: string;
    }
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  | {
      readonly kind: "permission";
      readonly toolCallId: string;
      readonly title: string;
      readonly options: readonly PermissionOption[];
      /** The chosen option's id, or null when it was cancelled; absent while open. */
      readonly chosen?: string | null;
      /** When it was answered or withdrawn; absent while open, and in records made before this was kept. */
      readonly decidedAt?: Snowflake;
      /** A question with a form, or a page to visit, rather than a permission. */
      readonly asks?: "form" | "page";
      /** What the user filled in, in words. */
      readonly answer?: string;
    }
  | {
      /** The write-intent: committed before a prompt's bytes reach the agent. */
      readonly kind: "turnStart";
      readonly agent: string;
      readonly session: string;
      readonly generation: number;
      readonly process: ProcessIdentity;
      readonly recipe: Recipe;
    }
  | {
      readonly kind: "turnEnd";
      readonly stop: StopReason;
      readonly usage?: Usage;
      readonly error?: string;
    }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly code: string;
      readonly text: string;
    };

export type BodyKind = Body["kind"];

export interface Marks {
  /** Goes in a turn of its own. */
  readonly separate?: true;
  /** Arrived after its turn had ended. */
  readonly late?: true;
  /** Shortened for storage: the size in bytes of the whole. */
  readonly cut?: number;
  /** The thread that handed it over and waits for its answer. */
  readonly from?: string;
  /** Request ids of messages merged into this one. */
  readonly merged?: readonly string[];
  /** Why messages that wait together came to wait: told truthfully in the banner. */
  readonly waited?: "turn" | "collected" | "held" | "restored";
}

/** One record of a thread. */
export interface Message {
  /** For a submitted message, its request id. */
  readonly id: string;
  readonly thread: string;
  readonly arrived: Snowflake;
  /** Place in the queue; null once claimed. */
  readonly rank: number | null;
  /** Place in the transcript; given when claimed into a batch, or when appended. */
  readonly position: Snowflake | null;
  readonly batch: Snowflake | null;
  readonly sequence: number | null;
  readonly batchType: BatchType | null;
  readonly parentBatch: Snowflake | null;
  readonly retryOf: string | null;
  readonly sender: Sender;
  /** Of submitted messages only; the agent's own records have none. */
  readonly state: MessageState | null;
  readonly marks: Marks;
  readonly body: Body;
}
