import type {
  Block,
  Message,
  ProcessIdentity,
  Recipe,
  Sender,
  Snowflake,
} from "../message.ts";
import type { ElicitationAnswer } from "../agentFeatures.ts";
import type {
  AgentCapabilities,
  AgentFailure,
  Answer,
  TurnResult,
} from "../agentPort.ts";
import type { Durability, Write } from "../writes.ts";
import type { DispatchSettings } from "./settings.ts";
import type { ThreadState } from "./state.ts";

/** Bytes that come with a message: stored once, by their hash. */
export interface Blob {
  readonly hash: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
}

export interface NewMessage {
  /** The request id: repeated means acknowledged, not queued again. */
  readonly id: string;
  readonly sender: Sender;
  readonly blocks: readonly Block[];
  readonly blobs?: readonly Blob[];
  /** Extends this batch while it is the thread's newest, else begins one that names it. */
  readonly continues?: Snowflake;
  /** Threads it addresses; the gates look for this thread's id. */
  readonly mentions?: readonly string[];
  /** The thread that hands it over and waits for its answer. */
  readonly from?: string;
  readonly separate?: boolean;
  /** Goes before what is already queued. */
  readonly first?: boolean;
  /** Stops the running turn and sends this alone. */
  readonly now?: boolean;
}

/** What people, extensions and views ask for. */
export type Request =
  | { readonly kind: "submit"; readonly message: NewMessage }
  | { readonly kind: "editBegin"; readonly id: string; readonly holder: string }
  | {
      readonly kind: "editSave";
      readonly id: string;
      readonly holder: string;
      readonly blocks: readonly Block[];
      /** What hangs on the message and stays, by its place among the blocks that are no text. */
      readonly kept?: readonly number[];
      /** Where the text is cut, and the id of the message that the rest becomes. */
      readonly split?: { readonly offset: number; readonly newId: string };
    }
  /** Without an id: whatever this holder was editing (a view that vanished). */
  | {
      readonly kind: "editCancel";
      readonly id?: string;
      readonly holder: string;
    }
  | { readonly kind: "remove"; readonly ids: readonly string[] }
  | {
      readonly kind: "restore";
      readonly messages: readonly Message[];
      /** What copies among them repeat: superseded when they are sent. */
      readonly originals: readonly Message[];
    }
  | {
      readonly kind: "reorder";
      readonly id: string;
      readonly before: string | null;
    }
  | { readonly kind: "merge"; readonly id: string; readonly with: string }
  | { readonly kind: "separate"; readonly id: string; readonly on: boolean }
  | { readonly kind: "hold" }
  | { readonly kind: "resume" }
  /** One item alone, or (null) the queue. */
  | { readonly kind: "sendNow"; readonly id: string | null }
  | { readonly kind: "cancel" }
  | { readonly kind: "cancelAll" }
  | { readonly kind: "retry"; readonly originals: readonly Message[] }
  | { readonly kind: "discard"; readonly messages: readonly Message[] }
  | {
      readonly kind: "answerPermission";
      readonly id: string;
      readonly option: string;
    }
  | {
      readonly kind: "answerElicitation";
      readonly id: string;
      readonly answer: ElicitationAnswer;
    }
  | { readonly kind: "reset" }
  | { readonly kind: "setAgent"; readonly agent: string }
  | { readonly kind: "setFolder"; readonly folder: string }
  | { readonly kind: "rename"; readonly title: string }
  | { readonly kind: "archive"; readonly on: boolean };

/** What becomes of an agent's process, told with the number of its life. */
export type LifeEvent = { readonly life: number } & (
  | { readonly kind: "slotAwaited" }
  | {
      readonly kind: "agentStarted";
      readonly identity: ProcessIdentity;
      readonly capabilities: AgentCapabilities;
    }
  | { readonly kind: "agentFailed"; readonly failure: AgentFailure }
  | { readonly kind: "sessionOpened"; readonly sessionId: string }
  | { readonly kind: "sessionFailed"; readonly failure: AgentFailure }
  | {
      readonly kind: "turnEnded";
      readonly batch: Snowflake;
      readonly result: Answer<TurnResult>;
    }
  /** It died by itself; what it left behind may still run. */
  | { readonly kind: "agentEnded"; readonly failure: AgentFailure }
  /** Nothing of it is left. */
  | { readonly kind: "agentGone" }
  | { readonly kind: "probeAnswered" }
  | { readonly kind: "commands"; readonly names: readonly string[] }
  | { readonly kind: "title"; readonly title: string }
  /** It shortened its own memory: which fragments it still has, nobody knows. */
  | { readonly kind: "compacted" }
  | { readonly kind: "permissionOpened"; readonly id: string }
  | { readonly kind: "permissionClosed"; readonly id: string }
);

/** What the runner tells by itself. */
export type InnerEvent =
  /** A deadline has passed, and input that was waiting has been read. */
  | { readonly kind: "wake" }
  /** Something may be due for dispatch. */
  | { readonly kind: "dispatch" }
  /** The recorder has rows to store. */
  | { readonly kind: "flush" }
  /** Another thread needs this one's slot. */
  | { readonly kind: "suspend" }
  /** The agent's account has changed: a process that knows the old one is of no use. */
  | { readonly kind: "retire" }
  | { readonly kind: "shutdown" }
  | {
      readonly kind: "commitFailed";
      readonly failed: ThreadEvent;
      readonly detail: string;
    };

export type ThreadEvent = { readonly at: number } & (
  Request | LifeEvent | InnerEvent
);

/** All that `step` may know besides the state and the event. */
export interface StepContext {
  readonly settings: DispatchSettings;
  /** Wall clock. */
  readonly now: number;
  /** When the agent last gave a sign of life (monotonic). */
  readonly lastSign: number;
  /** The running turn brought an update: the agent has read the prompt. */
  readonly seen: boolean;
  /** Strictly increasing. */
  readonly mint: () => Snowflake;
  readonly uuid: () => string;
}

/** Carried out after the commit, each on its own; what comes of it is an event. */
export type Effect =
  | {
      readonly kind: "startAgent";
      readonly life: number;
      readonly agent: string;
      readonly folder: string;
    }
  | {
      readonly kind: "endLeftovers";
      readonly life: number;
      readonly identities: readonly ProcessIdentity[];
    }
  | {
      readonly kind: "openSession";
      readonly life: number;
      /** Null for a new one. */
      readonly resume: string | null;
    }
  | { readonly kind: "endAgent"; readonly life: number }
  | {
      readonly kind: "cancelPrompt";
      readonly life: number;
      readonly sessionId: string;
    }
  | { readonly kind: "probe"; readonly life: number }
  | {
      readonly kind: "answerPermission";
      readonly life: number;
      readonly id: string;
      readonly option: string;
    }
  | {
      readonly kind: "answerElicitation";
      readonly life: number;
      readonly id: string;
      readonly answer: ElicitationAnswer;
    }
  /** The thread has a name now: for agents that keep one of their own. */
  | {
      readonly kind: "tellTitle";
      readonly life: number;
      readonly title: string;
    }
  /** Open permissions of the turn are void. */
  | { readonly kind: "closePermissions" }
  /** Steps `dispatch` before anything else. */
  | { readonly kind: "dispatch" }
  /** Steps these again, in order, before anything else. */
  | { readonly kind: "retry"; readonly events: readonly ThreadEvent[] }
  | { readonly kind: "notice"; readonly notice: Notice };

/** Something to tell the user, with no place in the transcript. */
export interface Notice {
  readonly level: "info" | "warning" | "error";
  readonly code: NoticeCode;
  readonly text: string;
}

export type NoticeCode =
  | "held"
  /** A turn that had begun wants the user to sign in, and nothing waits behind it. */
  | "signIn"
  | "stuck"
  | "ceiling"
  | "notSaved"
  | "saved"
  | "gate"
  | "rebuilt"
  | "runnerFailed"
  | "notResumed"
  | "agentDied"
  /** In the agent's own words. */
  | "agent"
  /** A summary stands for the oldest turns from now on. */
  | "compacted";

export type RefusalReason =
  /** It is no longer, or never was, in the queue. */
  | "notQueued"
  | "beingEdited"
  | "notMergeable"
  | "notSplittable"
  | "gateClosed"
  | "notTrusted"
  | "tooManyAgentMessages"
  /** Others have started as many turns as they may: only a message of the user's lets the queue go on. */
  | "gated"
  | "nothingToDo"
  /** It is of the batch whose turn runs, which nothing may take apart. */
  | "running"
  /** The store could not take it: `full`, `readOnly` or `failed`. */
  | "full"
  | "readOnly"
  | "failed"
  | "noThread"
  | "closing";

export type Reply =
  /** `waiting`: stored, but past the cap. `duplicate`: it had been accepted before. */
  | { readonly ok: true; readonly note?: "waiting" | "duplicate" }
  | {
      readonly ok: false;
      readonly reason: RefusalReason;
      /** One sentence for the user. */
      readonly detail: string;
    };

/** Asks for the claimed batch to be compiled, recorded and written to this process. */
export interface PromptRequest {
  readonly life: number;
}

/** What was compiled, as far as the record needs it. */
export interface SentPrompt {
  readonly recipe: Recipe;
  readonly through: Snowflake | null;
  readonly ledger: Readonly<Record<string, string>>;
  readonly rebuilt: boolean;
}

export interface Stepped {
  readonly state: ThreadState;
  readonly writes: readonly Write[];
  readonly durability: Durability;
  /** The recorder's rows belong to this transaction. */
  readonly flush: boolean;
  readonly prompt: PromptRequest | null;
  readonly effects: readonly Effect[];
  /** Messages whose record changes, as they will be. */
  readonly touched: readonly Message[];
  readonly reply: Reply;
}
