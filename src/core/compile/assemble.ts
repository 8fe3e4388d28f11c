import type { Block, Message, PromptForm } from "../message.ts";
import { adapt } from "./adapt.ts";
import { blocksOf, pack } from "./pack.ts";
import { transcriptOf, type Transcript } from "./transcript.ts";
import type { Note, Part, Sha256 } from "./types.ts";

/** Everything a prompt is made of. Compiling chooses it, a recipe names it, and both end here. */
export interface Draft {
  readonly kind: "full" | "delta";
  /** In order; those of the compiler's own making, whose ids begin with `#`, last. */
  readonly fragments: readonly {
    readonly id: string;
    readonly text: string;
    /** The session had it, but another text of it. */
    readonly changed?: true;
  }[];
  readonly context: readonly Message[];
  readonly batch: readonly Message[];
  readonly form: PromptForm;
}

export interface Assembled {
  readonly blocks: readonly Block[];
  readonly parts: readonly Part[];
  readonly notes: readonly Note[];
}

export const archiveId = "#archive";
export const digestId = "#digest";
export const leftOutId = "#leftOut";

export function assemble(draft: Draft, sha256: Sha256): Assembled {
  const { kind, form } = draft;
  const fragments = draft.fragments.map(fragmentBlock);
  const transcript = transcriptOf(draft.context, kind, sha256);
  const ahead = [...fragments, ...transcript.blocks];
  const batch =
    form.alone === true
      ? textFirst(draft.batch.flatMap(blocksOf))
      : pack(draft.batch, form.packing, sha256, ahead);
  const adapted = adapt([...ahead, ...batch], form, sha256);
  return {
    blocks: adapted.blocks,
    notes: [...transcript.notes, ...adapted.notes],
    parts: [
      ...draft.fragments.map(fragmentPart),
      ...transcriptPart(transcript, kind),
      ...batchPart(draft.batch, batch),
    ],
  };
}

/** One string for the same blocks, always: what a prompt's hash is taken of. An image is in it by the hash of its bytes. */
export function serialize(blocks: readonly Block[]): string {
  return JSON.stringify(blocks.map(fieldsOf));
}

function fieldsOf(block: Block): readonly (string | number | null)[] {
  switch (block.type) {
    case "text":
      return [block.type, block.text];
    case "image":
      return [
        block.type,
        block.mimeType,
        block.blob,
        block.bytes,
        block.name ?? null,
      ];
    case "resource":
      return [block.type, block.uri, block.mimeType ?? null, block.text];
    case "link":
      return [block.type, block.uri, block.mimeType ?? null, block.name];
  }
}

/** What a session is told about each piece of context; an empty text withdraws what it had. */
function fragmentBlock({ id, text }: Draft["fragments"][number]): Block {
  if (id.startsWith("#")) return { type: "text", text };
  const said =
    text === ""
      ? `What was said earlier about ${JSON.stringify(id)} no longer applies.`
      : text;
  return { type: "text", text: `[System Context]: ${said}` };
}

/** Agents look for a command in the first block. */
function textFirst(blocks: readonly Block[]): Block[] {
  const text = blocks.filter((block) => block.type === "text");
  return [...text, ...blocks.filter((block) => block.type !== "text")];
}

function fragmentPart({ id, text, changed }: Draft["fragments"][number]): Part {
  const one = { blocks: 1, count: 1 };
  if (id.startsWith(archiveId))
    return { kind: "archive", label: "Summary", why: "archived", ...one };
  if (id === digestId)
    return { kind: "digest", label: "Digest", why: "overBudget", ...one };
  if (id === leftOutId)
    return { kind: "digest", label: "Left out", why: "overBudget", ...one };
  const why = text === "" ? "withdrawn" : changed ? "changed" : "new";
  return { kind: "fragment", label: id, why, ...one };
}

function transcriptPart(
  { blocks, messages, voices }: Transcript,
  kind: "full" | "delta",
): Part[] {
  if (blocks.length === 0) return [];
  const label =
    kind === "full"
      ? "Conversation so far"
      : ["Transcript", ...voices].join(" · ");
  return [
    {
      kind: kind === "full" ? "history" : "transcript",
      label,
      why: kind === "full" ? "unknown" : "missed",
      blocks: blocks.length,
      count: messages,
    },
  ];
}

function batchPart(
  messages: readonly Message[],
  blocks: readonly Block[],
): Part[] {
  if (blocks.length === 0) return [];
  const label = messages.length === 1 ? "Message" : "Messages";
  const size = { blocks: blocks.length, count: messages.length };
  return [{ kind: "batch", label, why: "asked", ...size }];
}
