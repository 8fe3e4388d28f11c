import type * as vscode from "vscode";
import type { RefusalReason } from "../core/dispatch/events.ts";
import type { AgentStatusState } from "../core/dispatch/status.ts";
import type { BatchType, MessageState } from "../core/message.ts";
import type { HoldReason } from "../core/thread.ts";

/** What `activate()` returns: how other extensions take part. docs/api.md explains it. */
export interface TurnlineApi {
  /** Grows when something is removed or means something else; additions leave it. */
  readonly version: 1;
  /** Newest first; archived ones are left out. */
  threads(): readonly ApiThread[];
  readonly onDidChangeThread: vscode.Event<ApiThread>;
  createThread(options?: ApiNewThread): Promise<ApiCreated>;
  /** Pending while the message waits past the cap. */
  submit(message: ApiMessage): Promise<ApiAccepted | ApiRefused>;
  /** What became of a message; undefined when there is none. */
  message(which: ApiReference): Promise<ApiMessageState | undefined>;
  /** Takes a message that was submitted here out of the queue, if it still is there. */
  withdraw(which: ApiReference): Promise<ApiDone | ApiRefused>;
  /** Ends the running turn; what is queued goes next. */
  cancel(thread: string): Promise<ApiDone | ApiRefused>;
  /** Brings the chat to the front with this thread. */
  show(thread: string): Promise<ApiDone | ApiRefused>;
}

export interface ApiThread {
  readonly id: string;
  readonly title: string;
  /** Id of the agent that answers. */
  readonly agent: string;
  readonly folder: string;
  readonly state: AgentStatusState;
  /** The running turn; null when none is. */
  readonly turn: { readonly batch: string; readonly sent: boolean } | null;
  readonly queued: number;
  /** A further message would wait. */
  readonly full: boolean;
  readonly held: HoldReason | null;
  /** The agent asks for permission. */
  readonly needsUser: boolean;
}

export interface ApiNewThread {
  /** Without it: the first words said in it. */
  readonly title?: string | undefined;
  /** Id of an agent; without it the default one. */
  readonly agent?: string | undefined;
  /** Without it: that of the active editor, else the first. */
  readonly folder?: string | undefined;
}

export interface ApiMessage {
  /** Without it: the thread in front of the user. */
  readonly thread?: string | undefined;
  readonly text: string;
  readonly sender: ApiSender;
  /** A batch of the thread, to go on with. */
  readonly continues?: string | undefined;
  /** Ids of threads it addresses. */
  readonly mentions?: readonly string[] | undefined;
  /** The thread whose agent hands this over: that agent is told what becomes of it. */
  readonly from?: string | undefined;
  /** Asked twice by the same sender: accepted once, for good. */
  readonly requestId?: string | undefined;
}

/** Never the user. The id is the caller's own, say `publisher.extension`. */
export interface ApiSender {
  readonly kind: "agent" | "trigger";
  readonly id: string;
  readonly name: string;
}

/** The id `submit` answered with, or what the caller itself named the message by. */
export type ApiReference =
  | string
  | {
      readonly sender: Pick<ApiSender, "kind" | "id">;
      readonly requestId: string;
    };

export interface ApiDone {
  readonly ok: true;
}

export type ApiCreated =
  { readonly ok: true; readonly thread: string } | ApiRefused;

export interface ApiAccepted {
  readonly ok: true;
  readonly thread: string;
  /** Names the message from now on. */
  readonly id: string;
  /** The same request had been accepted before; it is not queued again. */
  readonly duplicate: boolean;
}

export interface ApiRefused {
  readonly ok: false;
  readonly reason: ApiRefusal;
  /** One sentence for people. */
  readonly detail: string;
}

export type ApiRefusal =
  | RefusalReason
  /** What was asked is malformed. */
  | "invalid"
  /** `continues` names no batch of the thread. */
  | "noBatch"
  /** Accepted, and then removed by the user while it waited. */
  | "removed";

export interface ApiMessageState {
  readonly id: string;
  readonly thread: string;
  readonly state: MessageState;
  /** The turn it went with; what `continues` takes. Null while it is queued. */
  readonly batch: string | null;
  readonly batchType: BatchType | null;
}
