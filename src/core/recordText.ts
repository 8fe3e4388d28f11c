import type { Block, Body, ToolContent } from "./message.ts";

/** What a search finds a record by. Tool output is left out: it would drown what was said. */
export function plainText(body: Body): string {
  switch (body.kind) {
    case "user":
      return body.blocks.map(blockText).join("\n");
    case "agent":
      return [body.text, ...(body.blocks ?? []).map(blockText)].join("\n");
    case "thought":
    case "notice":
      return body.text;
    case "toolCall":
      return [body.title, ...body.locations.map(({ path }) => path)].join("\n");
    case "plan":
      return body.entries.map(({ content }) => content).join("\n");
    case "toolResult":
    case "permission":
    case "turnStart":
    case "turnEnd":
      return "";
  }
}

/** The blobs a record needs. */
export function blobHashes(body: Body): readonly string[] {
  switch (body.kind) {
    case "user":
      return hashesIn(body.blocks);
    case "agent":
      return hashesIn(body.blocks ?? []);
    case "toolCall":
    case "toolResult":
      return hashesIn(body.content.flatMap(contentBlock));
    case "turnStart": {
      const { fragments, form } = body.recipe;
      const hashes = fragments.map(({ hash }) => hash);
      const prompt = form?.systemPrompt;
      return [...new Set(prompt === undefined ? hashes : [...hashes, prompt])];
    }
    case "thought":
    case "plan":
    case "permission":
    case "turnEnd":
    case "notice":
      return [];
  }
}

function contentBlock(content: ToolContent): readonly Block[] {
  return content.type === "block" ? [content.block] : [];
}

function hashesIn(blocks: readonly Block[]): readonly string[] {
  const hashes = blocks.flatMap((block) =>
    block.type === "image" ? [block.blob] : [],
  );
  return [...new Set(hashes)];
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return `${block.uri}\n${block.text}`;
    case "link":
      return `${block.name} ${block.uri}`;
    case "image":
      return block.name ?? "";
  }
}

export function hasDiff(body: Body): boolean {
  return (
    (body.kind === "toolCall" || body.kind === "toolResult") &&
    body.content.some(({ type }) => type === "diff")
  );
}
