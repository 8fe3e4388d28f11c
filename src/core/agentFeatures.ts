/** A choice or a switch of a session: model, mode, effort, or anything the agent names. */
export type ConfigOption =
  | (ConfigOptionBase & {
      readonly type: "select";
      readonly value: string;
      readonly groups: readonly ConfigGroup[];
    })
  | (ConfigOptionBase & { readonly type: "boolean"; readonly value: boolean });

interface ConfigOptionBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** `model`, `mode`, `thought_level`, or the agent's own word. */
  readonly category?: string;
}

export interface ConfigGroup {
  /** Absent when the choices are not grouped. */
  readonly name?: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

/** What an agent tells of a session beside the conversation. */
export type SessionChange =
  /** All options as they are now. An agent's plain modes come as an option of category `mode`. */
  | { readonly kind: "options"; readonly options: readonly ConfigOption[] }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly title: string;
      readonly text?: string;
    }
  /** The agent shortened its own memory; upsert by id. */
  | {
      readonly kind: "compaction";
      readonly id: string;
      readonly status: "in_progress" | "completed" | "failed" | "cancelled";
      /** All of the summary so far. */
      readonly summary?: string;
      readonly error?: string;
    };

export type SignInMethod =
  | {
      readonly kind: "agent";
      readonly id: string;
      readonly name: string;
      readonly description?: string;
      /** It wants a key of the user's along. */
      readonly key?: true;
    }
  /** The agent's own command, with these arguments and variables added, to be run in a terminal; exit code 0 means signed in, then the agent is started anew. */
  | {
      readonly kind: "terminal";
      readonly id: string;
      readonly name: string;
      readonly description?: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

export interface ListedSession {
  readonly sessionId: string;
  readonly folder: string;
  readonly title?: string;
  /** ISO 8601, as the agent wrote it. */
  readonly updatedAt?: string;
}

export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** Ask again with it for more. */
  readonly next?: string;
}

/** A process an agent started during a turn and left running. */
export interface LeftProcess {
  readonly pid: number;
  readonly startTime: string;
  /** As it was called, shortened. */
  readonly command: string;
}

/** An MCP server the user configured, handed to the agent with each session it opens. */
export type McpServer =
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A question with a form, or a page to visit. */
export type ElicitationRequest = {
  /** Ours, unique within the process. */
  readonly id: string;
  /** Absent when it belongs to no session, as during sign-in. */
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly message: string;
} & (
  | {
      readonly mode: "form";
      readonly title?: string;
      readonly description?: string;
      readonly fields: readonly ElicitationField[];
    }
  | { readonly mode: "url"; readonly url: string }
);

export type ElicitationField = {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  /** The id of a field that needs no answer once this one has one: the place for what its choices lack. */
  readonly standsFor?: string;
  /** Its value is shown to nobody and kept nowhere. */
  readonly secret?: boolean;
} & (
  | {
      readonly type: "text";
      readonly initial?: string;
      readonly format?: "email" | "uri" | "date" | "date-time";
      readonly pattern?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | {
      readonly type: "number";
      readonly integer: boolean;
      readonly initial?: number;
      readonly minimum?: number;
      readonly maximum?: number;
    }
  | { readonly type: "boolean"; readonly initial?: boolean }
  | {
      readonly type: "choice";
      readonly initial?: string;
      readonly choices: readonly Choice[];
    }
  | {
      readonly type: "choices";
      readonly initial?: readonly string[];
      readonly choices: readonly Choice[];
      readonly minItems?: number;
      readonly maxItems?: number;
    }
);

export type ElicitationValue = string | number | boolean | readonly string[];

export type ElicitationAnswer =
  | {
      readonly action: "accept";
      readonly values: Readonly<Record<string, ElicitationValue>>;
    }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** Why a file or a terminal was not given. */
export interface Denied {
  readonly kind: "notFound" | "denied" | "failed";
  readonly message: string;
}

export type Granted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly denied: Denied };

/** Who asks, and the folders it was given: nothing outside them is granted unasked. */
export interface Asker {
  readonly agent: string;
  readonly sessionId: string;
  readonly folders: readonly string[];
}

/** Files as the user sees them, unsaved changes included. */
export interface FilePort {
  read(
    asker: Asker,
    path: string,
    /** Lines, counted from 1. */
    range: { readonly line?: number; readonly limit?: number },
  ): Promise<Granted<string>>;
  write(asker: Asker, path: string, text: string): Promise<Granted<true>>;
}

export interface TerminalRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The session's folder when absent. */
  readonly folder?: string;
  /** Bytes of output to keep, the newest. */
  readonly outputLimit?: number;
}

export interface TerminalState {
  /** Plain text: no escapes. */
  readonly output: string;
  readonly truncated: boolean;
  readonly exit?: TerminalExit;
}

export interface TerminalExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Terminal {
  state(): TerminalState;
  /** Settles when the command has ended. */
  readonly exited: Promise<TerminalExit>;
  /** Calls back when there is more to show. */
  onChange(run: () => void): void;
  /** Ends the command and all it started; what it said stays. */
  kill(): Promise<void>;
}

/** Commands an agent asks the client to run. */
export interface TerminalPort {
  /** `run` is the nonce of the agent's own run: what it starts ends with it. */
  create(
    asker: Asker,
    request: TerminalRequest,
    run: string,
  ): Promise<Granted<Terminal>>;
}
