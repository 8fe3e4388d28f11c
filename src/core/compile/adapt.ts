import type { Block, PromptForm } from "../message.ts";
import { keyAgainst, openingsOf, Tags } from "./tags.ts";
import type { Note, Sha256 } from "./types.ts";

export interface Adapted {
  readonly blocks: readonly Block[];
  readonly notes: readonly Note[];
}

/** Turns what the agent does not take, and what is there no more, into text, in its place, and says so. */
export function adapt(
  blocks: readonly Block[],
  form: Pick<PromptForm, "image" | "embeddedContext" | "missing">,
  sha256: Sha256,
): Adapted {
  const notes: Note[] = [];
  const adapted = blocks.map((block): Block => {
    if (block.type === "image" && !form.image) {
      notes.push({ kind: "imageAsText", name: nameOf(block) });
      return named(block, "this agent does not take images");
    }
    if (block.type === "image" && form.missing?.includes(block.blob) === true) {
      notes.push({ kind: "imageMissing", name: nameOf(block) });
      return named(block, "its data is no longer there");
    }
    if (block.type === "resource" && !form.embeddedContext) {
      notes.push({ kind: "resourceAsText", uri: block.uri });
      return { type: "text", text: resourceText(block, sha256) };
    }
    return block;
  });
  return { blocks: adapted, notes };
}

type Image = Extract<Block, { type: "image" }>;

function nameOf({ name, mimeType }: Image): string {
  return name ?? mimeType;
}

function named(image: Image, why: string): Block {
  const text = `[Image ${JSON.stringify(nameOf(image))} (${image.mimeType}, ${image.bytes} bytes) is not included: ${why}]`;
  return { type: "text", text };
}

function resourceText(
  { uri, mimeType, text }: Extract<Block, { type: "resource" }>,
  sha256: Sha256,
): string {
  const tags = new Tags(keyAgainst(openingsOf(["resource"]), [text], sha256));
  return [
    tags.open("resource", { uri, mimeType }),
    text,
    tags.close("resource"),
  ].join("\n");
}
