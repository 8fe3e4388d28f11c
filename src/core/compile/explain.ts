import type { Block, Recipe } from "../message.ts";
import { omissionsIn } from "./recipe.ts";
import { bytesOf, estimateTokens } from "./tokens.ts";
import type { Compiled, Note, Omission, Part, PartWhy } from "./types.ts";
import { t } from "../../util/l10n.ts";

export interface ExplainedPart {
  readonly kind: Part["kind"];
  readonly label: string;
  readonly why: string;
  readonly count: number;
  readonly bytes: number;
  /** An estimate. */
  readonly tokens: number;
  readonly blocks: readonly Block[];
}

export interface Explanation {
  readonly kind: "full" | "delta";
  readonly why: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly parts: readonly ExplainedPart[];
  readonly notes: readonly string[];
  /** What was there and did not go, and why, a sentence for each reason. */
  readonly omitted: readonly string[];
}

/** What the preview shows of a prompt: its kind, why it is that, and each part with its size. */
export function explain(
  prompt: Pick<Compiled, "kind" | "blocks" | "parts"> & {
    readonly recipe: Pick<Recipe, "kind" | "reason" | "form" | "omitted">;
    readonly notes: readonly Note[];
  },
): Explanation {
  const { kind, blocks, recipe } = prompt;
  let at = 0;
  const parts = prompt.parts.map((part): ExplainedPart => {
    const own = blocks.slice(at, at + part.blocks);
    at += part.blocks;
    return {
      kind: part.kind,
      label: labelOf(part),
      why: whySentence(part.why),
      count: part.count,
      bytes: bytesOf(own),
      tokens: estimateTokens(own),
      blocks: own,
    };
  });
  return {
    kind,
    why: reasonSentence(recipe.reason),
    bytes: bytesOf(blocks),
    tokens: estimateTokens(blocks),
    parts,
    notes: prompt.notes.map(noteSentence),
    omitted: omissionSentences(omissionsIn(recipe)),
  };
}

/** A fragment goes by its id, the rest by what people call it; a transcript also tells whose. */
function labelOf({ kind, label }: Part): string {
  const [name = "", ...voices] = label.split(" · ");
  return kind === "fragment"
    ? label
    : [labels[name] ?? name, ...voices].join(" · ");
}

const labels: Readonly<Record<string, string>> = {
  Summary: t("Summary"),
  Digest: t("Digest"),
  "Left out": t("Left out"),
  "Conversation so far": t("Conversation so far"),
  Transcript: t("Transcript"),
  Message: t("Message"),
  Messages: t("Messages"),
};

/** What the user is told when history was sent again. */
export function rebuiltSentence(reason: string): string {
  return reason === "new"
    ? t(
        "Memory rebuilt: the agent is new to this thread, so it was sent the history.",
      )
    : t(
        "Memory rebuilt: the agent was sent this thread's history again. {0}",
        reasonSentence(reason),
      );
}

/** What the user is told when what a session missed was too long to be sent whole. */
export const shortenedSentence = t(
  "The agent missed more than its budget holds: it was sent the newest turns whole, and of older ones only outlines.",
);

/** A recipe's reason, for people; one that is not known speaks for itself. */
export function reasonSentence(reason: string): string {
  return sentences[reason] ?? reason;
}

const sentences: Readonly<Record<string, string>> = {
  new: t("The agent has no session for this conversation yet."),
  lost: t("The agent no longer has its session."),
  cannotResume: t("The agent was started anew and cannot take up a session."),
  agentChanged: t("The session belongs to another agent."),
  folderChanged: t("The session belongs to another folder."),
  generationChanged: t("The session was reset."),
  sessionChanged: t("The agent opened another session than the stored one."),
  cursorAhead: t("The session's place in the conversation can't be right."),
  cursorBehind: t("The session's place in the conversation can't be right."),
  noCursor: t("The session has not completed a turn yet."),
  afterCursor: t("The session remembers everything before this."),
  command: t("A command goes alone."),
};

function whySentence(why: PartWhy): string {
  switch (why) {
    case "new":
      return t("The session has not had it.");
    case "changed":
      return t("It has changed since the session had it.");
    case "withdrawn":
      return t("The session had it, and it no longer applies.");
    case "archived":
      return t("It stands for turns that were compacted.");
    case "overBudget":
      return t("There is no room for more.");
    case "unknown":
      return t("The session does not know it.");
    case "missed":
      return t("It was said in the session's absence.");
    case "asked":
      return t("It is what is asked.");
  }
}

function omissionSentences(omissions: readonly Omission[]): string[] {
  const unchanged = omissions.flatMap((one) =>
    one.kind === "fragment" ? [one.id] : [],
  );
  const others = omissions.flatMap((one): string[] => {
    switch (one.kind) {
      case "history":
        return [t("Earlier messages: the session remembers them.")];
      case "statics":
        return [t("Identity, project and instructions: the session has them.")];
      case "rest":
        return [
          t("All but the command: it goes with the next ordinary message."),
        ];
      case "fragment":
        return [];
    }
  });
  return unchanged.length === 0
    ? others
    : [
        ...others,
        t("Unchanged since the session had it: {0}.", unchanged.join(", ")),
      ];
}

function noteSentence(note: Note): string {
  switch (note.kind) {
    case "imageAsText":
      return t(
        "The image {0} is only named: the agent does not take images.",
        note.name,
      );
    case "imageMissing":
      return t(
        "The image {0} is only named: its data is no longer there.",
        note.name,
      );
    case "resourceAsText":
      return t(
        "{0} is sent as text: the agent does not take embedded files.",
        note.uri,
      );
    case "closedCall":
      return t(
        "The open tool call {0} is shown as interrupted.",
        note.toolCallId,
      );
    case "digested":
      return note.batches.length === 1
        ? t("Of one older exchange only the outline is sent.")
        : t(
            "Of {0} older exchanges only the outlines are sent.",
            note.batches.length,
          );
    case "leftOut":
      return t("The oldest messages are left out.");
  }
}
