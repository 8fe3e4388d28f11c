import type { QueueItem, ViewState } from "../../src/protocol/viewState.ts";
import type { Draft } from "./saved.ts";

/** Which draft a thread opens with: the newer one of what this view and the host kept; what was accepted meanwhile is gone. */
export function openingDraft(
  kept: Draft | undefined,
  state: Pick<ViewState, "draft" | "queue" | "messages">,
): Draft {
  if (kept === undefined || kept.at < state.draft.at) return state.draft;
  const { requestId, at } = kept;
  const accepted =
    requestId !== undefined &&
    [...state.queue, ...state.messages].some(({ id }) => id === requestId);
  return accepted ? { text: "", at } : kept;
}

/** Puts a text that was not accepted back in front of what has been typed since. */
export function putBack(refused: Draft, now: Draft): Draft {
  const since = now.attachments ?? [];
  if (now.text.trim() === "" && since.length === 0) return refused;
  const texts = [refused.text, now.text].filter((text) => text.trim() !== "");
  const attachments = [...(refused.attachments ?? []), ...since];
  return {
    text: texts.join("\n\n"),
    at: now.at,
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

export function isBlank({ text, attachments = [] }: Draft): boolean {
  return text.trim() === "" && attachments.length === 0;
}

/** Adds a text that comes from elsewhere below what was typed. */
export function joined(typed: string, added: string): string {
  if (typed === "") return added;
  return `${typed}${typed.endsWith("\n") ? "\n" : "\n\n"}${added}`;
}

/** What Up brings back in an empty composer: what the user said here, newest first. */
export function history(
  messages: ViewState["messages"],
  queue: readonly QueueItem[],
): readonly string[] {
  const said = messages.flatMap(({ body, sender, state }) =>
    body.kind === "user" && sender.kind === "user" && state !== "superseded"
      ? [body.text]
      : [],
  );
  const waiting = queue
    .filter(({ sender }) => sender.kind === "user")
    .map(({ text }) => text);
  return [...new Set([...said, ...waiting].toReversed())].filter(
    (text) => text !== "",
  );
}
