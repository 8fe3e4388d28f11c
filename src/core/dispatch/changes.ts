import type {
  ConfigOption,
  LeftProcess,
  SessionChange,
} from "../agentFeatures.ts";
import type { Message, Snowflake } from "../message.ts";
import type { AgentCommand, ContextUsage } from "../agentPort.ts";
import type { Thread } from "../thread.ts";
import type {
  OpenElicitation,
  OpenPermission,
  RecordChange,
} from "../turn/recording.ts";
import type { Notice } from "./events.ts";
import type { AgentStatus } from "./status.ts";

/** What happened to a thread, fit to drive a view. Records of submitted messages come after their commit, streamed ones at once. */
export type ThreadChange = { readonly thread: string } & (
  | RecordChange
  | { readonly kind: "queue"; readonly queue: QueueView }
  | { readonly kind: "turn"; readonly turn: TurnView | null }
  | { readonly kind: "status"; readonly status: AgentStatus }
  | { readonly kind: "thread"; readonly value: Thread }
  | { readonly kind: "notice"; readonly notice: Notice }
  /** The turn with this batch cannot be saved for now; null when all is saved. */
  | { readonly kind: "unsaved"; readonly unsaved: Unsaved | null }
  | { readonly kind: "discarded"; readonly messages: readonly Message[] }
  | { readonly kind: "commands"; readonly commands: readonly AgentCommand[] }
  | { readonly kind: "usage"; readonly usage: ContextUsage | null }
  | { readonly kind: "mode"; readonly modeId: string }
  | { readonly kind: "session"; readonly change: SessionChange }
  | {
      readonly kind: "elicitationOpened";
      readonly opened: OpenElicitation;
    }
  | { readonly kind: "elicitationClosed"; readonly id: string }
  /** What a cancelled turn left running; empty when it has ended. */
  | { readonly kind: "left"; readonly left: readonly LeftProcess[] }
  /** Everything may be different: ask for a snapshot. */
  | { readonly kind: "rebuilt" }
);

export interface QueueItem {
  readonly message: Message;
  /** Stored, but past the cap. */
  readonly waiting: boolean;
  /** Goes in a turn of its own: marked so, or a command of the agent. */
  readonly alone: boolean;
  readonly command: boolean;
  /** Who is editing it, if anyone. */
  readonly editing: string | null;
}

export interface QueueView {
  readonly items: readonly QueueItem[];
  /** How many of them the next turn would take. */
  readonly next: number;
  /** Ids of the turns to come, each as it would be claimed; what only waits for room is in none. */
  readonly plan: readonly (readonly string[])[];
  readonly held: Thread["held"];
  /** Why, when an agent's failure is the reason. */
  readonly cause: string | null;
  readonly full: boolean;
  /** What is due waits for a message of the user's. */
  readonly gated: boolean;
  /** Wall clock; null when no collect window is open. */
  readonly collectingUntil: number | null;
}

export interface TurnView {
  readonly batch: Snowflake;
  readonly phase: "claimed" | "sent";
  readonly messages: readonly string[];
  /** Wall clock; null before it was sent. */
  readonly startedAt: number | null;
  readonly cancelling: boolean;
  /** It has run for so many minutes that the user is asked whether it should go on. */
  readonly overMinutes: number | null;
}

export interface Unsaved {
  readonly batch: Snowflake | null;
  /** Its turn is over; only that could not be stored. */
  readonly over: boolean;
  readonly detail: string;
}

/** All that lives of a thread beyond its stored records. */
export interface ThreadSnapshot {
  readonly thread: Thread;
  readonly queue: QueueView;
  readonly turn: TurnView | null;
  readonly status: AgentStatus;
  readonly permissions: readonly OpenPermission[];
  /** Records that are new or longer than the stored ones: they win over a page by id. */
  readonly tail: readonly Message[];
  /** The text that is still being streamed. */
  readonly openText: string | null;
  readonly discarded: readonly Message[];
  readonly commands: readonly AgentCommand[];
  readonly usage: ContextUsage | null;
  /** The session's options as the agent last told them. */
  readonly options: readonly ConfigOption[];
  readonly elicitations: readonly OpenElicitation[];
  readonly left: readonly LeftProcess[];
  readonly unsaved: Unsaved | null;
}
