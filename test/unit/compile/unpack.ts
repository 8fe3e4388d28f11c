import assert from "node:assert/strict";
import type { Block } from "../../../src/core/message.ts";

export interface Unpacked {
  readonly from: string | undefined;
  readonly blocks: readonly Block[];
}

/** Reads the tagged form as an agent would: by the banner's key alone, not knowing what was packed. */
export function parseTagged(blocks: readonly Block[]): Unpacked[] {
  const [first, ...attached] = blocks;
  assert.equal(first?.type, "text");
  const [banner = "", ...below] = first.text.split("\n");
  const name = keyed("message", banner);
  const attachment = `<${keyed("attachment", banner)} index="`;
  const open = new RegExp(`^<${name} index="(\\d+)" from="([^"]*)">$`, "u");
  const messages: { from: string; blocks: Block[] }[] = [];
  let words: string[] | null = null;
  let isOpen = false;
  for (const line of below) {
    const opened = open.exec(line);
    const message = messages.at(-1);
    const flush = () => {
      if (words !== null)
        message?.blocks.push({ type: "text", text: words.join("\n") });
      words = null;
    };
    if (!isOpen) {
      if (line === "") continue;
      assert.equal(Number(opened?.[1]), messages.length + 1);
      messages.push({ from: unescaped(opened?.[2] ?? ""), blocks: [] });
      isOpen = true;
    } else if (line === `</${name}>`) {
      flush();
      isOpen = false;
    } else if (line.startsWith(attachment)) {
      flush();
      const block = attached.shift();
      if (block !== undefined) message?.blocks.push(block);
    } else (words ??= []).push(line);
  }
  assert.equal(isOpen, false);
  assert.deepEqual(attached, []);
  return messages;
}

/** Reads the form in which each message's blocks stay together. */
export function parseBlocks(blocks: readonly Block[]): Unpacked[] {
  const [first, ...below] = blocks;
  assert.equal(first?.type, "text");
  const key = keyOf(first.text);
  const tail = key === null ? "" : `, key ${key}`;
  const header = new RegExp(
    `^\\[Message (\\d+) of \\d+ from "([^"]*)"${tail}\\]$`,
    "u",
  );
  const messages: { from: string; blocks: Block[] }[] = [];
  for (const block of below) {
    const match = block.type === "text" ? header.exec(block.text) : null;
    if (match === null) messages.at(-1)?.blocks.push(block);
    else {
      assert.equal(Number(match[1]), messages.length + 1);
      messages.push({ from: unescaped(match[2] ?? ""), blocks: [] });
    }
  }
  return messages;
}

/** In one text, two texts in a row are two of its paragraphs. */
export function joined(blocks: readonly Block[]): Block[] {
  return blocks.reduce<Block[]>((all, block) => {
    const last = all.at(-1);
    return last?.type === "text" && block.type === "text"
      ? [
          ...all.slice(0, -1),
          { type: "text", text: `${last.text}\n${block.text}` },
        ]
      : [...all, block];
  }, []);
}

function keyed(name: string, banner: string): string {
  const key = keyOf(banner);
  return key === null ? name : `${name}-${key}`;
}

function keyOf(banner: string): string | null {
  return (
    /; only \w+ with the key (\w+) separate messages\]$/u.exec(banner)?.[1] ??
    null
  );
}

function unescaped(value: string): string {
  return value.replace(/&#(\d+);/gu, (_, code) =>
    String.fromCodePoint(Number(code)),
  );
}
