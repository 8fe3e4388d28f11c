import type {
  ConfigOption,
  ElicitationAnswer,
  ElicitationRequest,
  LeftProcess,
  McpServer,
  SessionChange,
  SessionPage,
  SignInMethod,
} from "./agentFeatures.ts";
import type {
  Block,
  Location,
  PermissionOption,
  PlanEntry,
  ProcessIdentity,
  ToolContent,
  ToolKind,
  ToolStatus,
  Usage,
} from "./message.ts";

export interface AgentPort {
  start(
    spec: AgentSpec,
    folder: string,
    events: AgentEvents,
    /** Settles when it is not wanted any more: whatever was started is killed, and the answer is a failure. */
    stopped?: Promise<void>,
  ): Promise<Answer<LiveAgent>>;
  /** Ends what an earlier host left running; settles when it is gone. */
  endLeftover(identity: ProcessIdentity): Promise<void>;
}

/** How to run an agent. */
export interface AgentSpec {
  readonly id: string;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentCapabilities {
  readonly name: string;
  readonly version: string;
  readonly load: boolean;
  readonly resume: boolean;
  readonly image: boolean;
  readonly embeddedContext: boolean;
  readonly systemPrompt: boolean;
  readonly additionalDirectories: boolean;
  /** What it can do with sessions beyond opening them, and with its account. */
  readonly extras?: {
    readonly list: boolean;
    readonly fork: boolean;
    readonly close: boolean;
    readonly delete: boolean;
    readonly title: boolean;
    readonly signOut: boolean;
    readonly mcpHttp: boolean;
    readonly mcpSse: boolean;
    /** It answers whether the user is signed in. */
    readonly account: boolean;
    /** The version of the protocol it told. */
    readonly protocol: number;
    readonly signIn: readonly SignInMethod[];
  };
}

export type AgentFailureKind =
  /** The command is not there or may not be run. */
  | "notFound"
  /** The process ended. */
  | "exited"
  /** It did not answer in time. */
  | "timeout"
  /** What it said is not ACP. */
  | "protocol"
  | "signIn"
  /** It does not know the session; only this makes a session lost. */
  | "noSession"
  /** It answered with any other error. */
  | "refused";

export interface AgentFailure {
  readonly kind: AgentFailureKind;
  /** One sentence for the user, naming the cause. */
  readonly message: string;
  /** The end of what it wrote to stderr, or other detail for the log. */
  readonly detail?: string;
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: AgentFailure };

/** What an agent tells during a session, free of any protocol. */
export type AgentUpdate =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "block"; readonly block: AgentBlock }
  /** Only in a replay of a loaded session. */
  | { readonly kind: "userText"; readonly text: string }
  /** Upsert by id: absent keeps what was there, arrays replace. */
  | {
      readonly kind: "tool";
      readonly toolCallId: string;
      readonly title?: string;
      readonly toolKind?: ToolKind;
      readonly status?: Exclude<ToolStatus, "interrupted">;
      readonly locations?: readonly Location[];
      readonly content?: readonly ToolContent[];
      readonly input?: string;
      readonly output?: string;
      /** Bytes that blocks in `content` name by their SHA-256: for the blob table. */
      readonly blobs?: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  | { readonly kind: "commands"; readonly commands: readonly AgentCommand[] }
  | { readonly kind: "usage"; readonly usage: ContextUsage }
  | { readonly kind: "title"; readonly title: string }
  | { readonly kind: "mode"; readonly modeId: string }
  /** Something this version does not know; logged, and a sign of life. */
  | { readonly kind: "unknown"; readonly name: string };

/** A block with its bytes, as it comes from or goes to an agent. */
export type AgentBlock =
  | Exclude<Block, { type: "image" }>
  | {
      readonly type: "image";
      readonly mimeType: string;
      readonly data: Uint8Array;
    };

export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}

/** How full the agent's context is. */
export interface ContextUsage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

export interface PermissionRequest {
  /** Ours, unique within the process. */
  readonly id: string;
  readonly sessionId: string;
  readonly tool: Extract<AgentUpdate, { kind: "tool" }>;
  readonly options: readonly PermissionOption[];
}

/** Calls back in the order the agent spoke; none after `ended`. */
export interface AgentEvents {
  update(sessionId: string, update: AgentUpdate): void;
  permission(request: PermissionRequest): void;
  /** The agent withdrew its question (or the turn it belonged to is over). */
  permissionGone(id: string): void;
  /** Any traffic at all: a sign of life. */
  alive(): void;
  /** The process is gone; every pending promise has been settled. Called once. */
  ended(failure: AgentFailure): void;
  /** Beside the conversation: options, notices, the agent's own compaction. */
  session?(sessionId: string, change: SessionChange): void;
  /** A form or a page for the user. Agents are told that we take them only where this is there. */
  elicitation?(request: ElicitationRequest): void;
  elicitationGone?(id: string): void;
}

export interface OpenedSession {
  readonly sessionId: string;
  /** What a loaded session replayed before it answered, in order; empty for a new or resumed one. */
  readonly replay: readonly AgentUpdate[];
  /** The session's options as it opens; absent when it has none. */
  readonly options?: readonly ConfigOption[];
  /** What the user should know of how it was opened. */
  readonly notice?: Extract<SessionChange, { kind: "notice" }>;
}

export interface SessionOptions {
  readonly folder: string;
  readonly additionalFolders: readonly string[];
  readonly systemPrompt?: string;
  readonly mcpServers?: readonly McpServer[];
}

export interface TurnResult {
  /** As the agent said it; may be anything. */
  readonly stopReason: string;
  readonly usage?: Usage;
  /** The turn failed, though the agent ended it by its own rules. */
  readonly error?: string;
}

/** One running process of an agent that has answered `initialize`. */
export interface LiveAgent {
  readonly identity: ProcessIdentity;
  readonly capabilities: AgentCapabilities;
  /** Of real agents; a double may leave them out. */
  readonly features?: AgentFeatures;
  newSession(options: SessionOptions): Promise<Answer<OpenedSession>>;
  /** Resumes where the agent can, else loads. */
  resumeSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>>;
  /** Writes the prompt at once; settles after the last update of the turn was delivered. */
  prompt(
    sessionId: string,
    blocks: readonly AgentBlock[],
  ): Promise<Answer<TurnResult>>;
  /** Tells the agent to stop; open permissions are answered `cancelled`. */
  cancel(sessionId: string): void;
  answerPermission(id: string, optionId: string | null): void;
  /** Asks for a sign of life; settles false when the process is gone. */
  probe(): Promise<boolean>;
  /** Ends the process and all it started; settles when none with its nonce is left. */
  end(): Promise<void>;
}

/** What only some agents can do, offered as far as this one can. */
export interface AgentFeatures {
  setOption(
    sessionId: string,
    optionId: string,
    value: string | boolean,
  ): Promise<Answer<readonly ConfigOption[]>>;
  listSessions(query: {
    readonly folder?: string;
    readonly cursor?: string;
  }): Promise<Answer<SessionPage>>;
  /** Opens a session with the replay of all that was said in it. */
  loadSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>>;
  forkSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>>;
  closeSession(sessionId: string): Promise<Answer<true>>;
  deleteSession(sessionId: string): Promise<Answer<true>>;
  /** Names a session in the agent's own list. */
  setTitle(sessionId: string, title: string): Promise<Answer<true>>;
  /** For methods of kind `agent` only; the key for those that want one. */
  signIn(methodId: string, key?: string): Promise<Answer<true>>;
  /** Who is signed in, as far as the agent tells: empty when nobody is. */
  account(): Promise<Answer<string>>;
  signOut(): Promise<Answer<true>>;
  answerElicitation(id: string, answer: ElicitationAnswer): void;
  /** What runs now and is not the agent itself: after a cancel, the tools it left behind. */
  leftRunning(): Promise<readonly LeftProcess[]>;
  /** Ends one of them with all it started. */
  endLeft(left: LeftProcess): Promise<void>;
}
