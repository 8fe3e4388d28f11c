import { assertNever } from "../../util/assertNever.ts";
import type { Block } from "../message.ts";

/** Of text; as good for bytes as for characters, being an estimate. */
export const charactersPerToken = 4;
const tokensPerImage = 1500;

/** An estimate, meant to be the same everywhere rather than right: characters / 4, images a flat sum. */
export function estimateTokens(blocks: readonly Block[]): number {
  let characters = 0;
  let images = 0;
  for (const block of blocks) {
    if (block.type === "image") images += 1;
    else characters += charactersOf(block);
  }
  return tokensOf(characters) + images * tokensPerImage;
}

export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Size in bytes of what a block carries, as UTF-8; an image's own bytes. */
export function bytesOf(blocks: readonly Block[]): number {
  let bytes = 0;
  for (const block of blocks) {
    if (block.type === "image") bytes += block.bytes;
    else for (const part of stringsOf(block)) bytes += utf8Length(part);
  }
  return bytes;
}

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function charactersOf(block: Exclude<Block, { type: "image" }>): number {
  return stringsOf(block).reduce((sum, part) => sum + part.length, 0);
}

function stringsOf(block: Exclude<Block, { type: "image" }>): string[] {
  switch (block.type) {
    case "text":
      return [block.text];
    case "resource":
      return [block.uri, block.text];
    case "link":
      return [block.uri, block.name];
    default:
      return assertNever(block);
  }
}
