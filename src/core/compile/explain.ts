import type { Block, Recipe } from "../message.ts";
import { omissionsIn } from "./recipe.ts";
import { bytesOf, estimateTokens } from "./tokens.ts";
import type { Compiled, Note, Omission, Part, PartWhy } from "./types.ts";

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
      label: part.label,
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

/** What the user is told when history was sent again. */
export function rebuiltSentence(reason: string): string {
  return reason === "new"
    ? "Memory rebuilt: the agent is new to this thread, so it was sent the history."
    : `Memory rebuilt: the agent was sent this thread's history again. ${reasonSentence(reason)}`;
}

/** What the user is told when what a session missed was too long to be sent whole. */
export const shortenedSentence =
  "The agent missed more than its budget holds: it was sent the newest turns whole, and of older ones only outlines.";

/** A recipe's reason, for people; one that is not known speaks for itself. */
export function reasonSentence(reason: string): string {
  return sentences[reason] ?? reason;
}

const sentences: Readonly<Record<string, string>> = {
  new: "The agent has no session for this conversation yet.",
  lost: "The agent no longer has its session.",
  cannotResume: "The agent was started anew and cannot take up a session.",
  agentChanged: "The session belongs to another agent.",
  folderChanged: "The session belongs to another folder.",
  generationChanged: "The session was reset.",
  sessionChanged: "The agent opened another session than the stored one.",
  cursorAhead: "The session's place in the conversation can't be right.",
  cursorBehind: "The session's place in the conversation can't be right.",
  noCursor: "The session has not completed a turn yet.",
  afterCursor: "The session remembers everything before this.",
  command: "A command goes alone.",
};

function whySentence(why: PartWhy): string {
  switch (why) {
    case "new":
      return "The session has not had it.";
    case "changed":
      return "It has changed since the session had it.";
    case "withdrawn":
      return "The session had it, and it no longer applies.";
    case "archived":
      return "It stands for turns that were compacted.";
    case "overBudget":
      return "There is no room for more.";
    case "unknown":
      return "The session does not know it.";
    case "missed":
      return "It was said in the session's absence.";
    case "asked":
      return "It is what is asked.";
  }
}

function omissionSentences(omissions: readonly Omission[]): string[] {
  const unchanged = omissions.flatMap((one) =>
    one.kind === "fragment" ? [one.id] : [],
  );
  const others = omissions.flatMap((one): string[] => {
    switch (one.kind) {
      case "history":
        return ["Earlier messages: the session remembers them."];
      case "statics":
        return [
          "Identity, project and instructions: the session began with them.",
        ];
      case "rest":
        return ["All but the command: it goes with the next ordinary message."];
      case "fragment":
        return [];
    }
  });
  return unchanged.length === 0
    ? others
    : [
        ...others,
        `Unchanged since the session had it: ${unchanged.join(", ")}.`,
      ];
}

function noteSentence(note: Note): string {
  switch (note.kind) {
    case "imageAsText":
      return `The image ${note.name} is only named: the agent does not take images.`;
    case "imageMissing":
      return `The image ${note.name} is only named: its data is no longer there.`;
    case "resourceAsText":
      return `${note.uri} is sent as text: the agent does not take embedded files.`;
    case "closedCall":
      return `The open tool call ${note.toolCallId} is shown as interrupted.`;
    case "digested":
      return note.batches.length === 1
        ? "Of one older exchange only the outline is sent."
        : `Of ${note.batches.length} older exchanges only the outlines are sent.`;
    case "leftOut":
      return "The oldest messages are left out.";
  }
}
