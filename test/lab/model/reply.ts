/** What the scripted model does with one call of the conversation. */
export interface Reply {
  /** Text, whole or in the pieces it is streamed in. */
  readonly text?: string | readonly string[];
  /** Pause between pieces. */
  readonly everyMs?: number;
  readonly thinking?: string;
  readonly tools?: readonly ToolUse[];
  /** Why it stops, in the API's own word; told from the content when absent. */
  readonly stop?: string;
  /** Instead of an end: nothing more ever comes, or the connection is cut. */
  readonly then?: "hang" | "cut";
  /** Instead of anything: an error status. */
  readonly status?: number;
  readonly message?: string;
}

export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

export function pieces(reply: Reply): readonly string[] {
  if (reply.text === undefined) return [];
  return typeof reply.text === "string" ? [reply.text] : reply.text;
}
