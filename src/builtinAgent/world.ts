import type { Children } from "./children.ts";
import type { Part, ToolPart } from "./part.ts";
import type { Scope } from "./paths.ts";
import type { Asked } from "./prompt.ts";

/** All that an answer may touch. */
export interface World {
  readonly scope: Scope;
  /** The message being answered. */
  readonly asked: Asked;
  /** What came along with it: system context, earlier words. */
  readonly context: readonly string[];
  readonly memory: Memory;
  readonly signal: AbortSignal;
  readonly children: Children;
  ask(question: Question): Promise<Decision>;
  /** The text as the editor has it, unsaved changes included; undefined when it won't say. */
  editorText(path: string): Promise<string | undefined>;
  /** False when the editor did not take it. */
  editorWrite(path: string, text: string): Promise<boolean>;
}

/** What a session remembers from one turn to the next; always as of now. */
export interface Memory {
  readonly found: readonly string[];
  /** An answer was given before. */
  readonly answered: boolean;
  /** Once is enough. */
  readonly explained: boolean;
  /** What the user allowed for as long as this process lives. */
  readonly allowed: Set<string>;
}

export interface Question {
  readonly call: ToolPart;
  /** How the button for "always" is named. */
  readonly always: string;
}

export type Decision =
  "allowed" | "always" | "rejected" | "cancelled" | "unanswered";

/** An answer comes part by part; who consumes it may stop at any of them. */
export type Parts = AsyncGenerator<Part, void, void>;
