import type { Message } from "../message.ts";
import { blocksOf } from "./pack.ts";

/**
 * True when the first token is a command the agent announced;
 * before any is known, when it is `/` and a plain word with no second slash.
 */
export function isCommand(
  text: string,
  commands: readonly string[] | null,
): boolean {
  const token = /^\s*\/(\S+)/u.exec(text)?.[1];
  if (token === undefined) return false;
  if (commands === null) return /^\p{L}[\p{L}\p{N}_-]*$/u.test(token);
  return commands.some((name) => name.replace(/^\//u, "") === token);
}

/** Agents look for a command in the first text block, so that is the one that decides. */
export function isCommandMessage(
  message: Pick<Message, "body">,
  commands: readonly string[] | null,
): boolean {
  const text = blocksOf(message).find((block) => block.type === "text");
  return text !== undefined && isCommand(text.text, commands);
}
