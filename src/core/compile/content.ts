import type { Block } from "../message.ts";
import type { Tags } from "./tags.ts";

/** What an element holds of a message: its texts, and in their places the names of its other blocks. */
export interface Content {
  readonly lines: readonly string[];
  /** The blocks that were named, in order: they follow the text. */
  readonly attached: readonly Block[];
}

/** `first` is the index of the first attachment: they are numbered through the whole text they are named in. */
export function contentOf(
  blocks: readonly Block[],
  tags: Tags,
  first: number,
): Content {
  const attached: Block[] = [];
  const lines = blocks.map((block) => {
    if (block.type === "text") return block.text;
    attached.push(block);
    return attachmentTag(block, tags, first + attached.length - 1);
  });
  return { lines, attached };
}

/** Every text of the blocks that an agent may show its model in a row with ours. */
export function textsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) =>
    block.type === "text" || block.type === "resource" ? [block.text] : [],
  );
}

function attachmentTag(
  block: Exclude<Block, { type: "text" }>,
  tags: Tags,
  index: number,
): string {
  return tags.empty("attachment", {
    index,
    type: block.type,
    name: block.type === "resource" ? undefined : block.name,
    uri: block.type === "image" ? undefined : block.uri,
    mimeType: block.mimeType,
  });
}
