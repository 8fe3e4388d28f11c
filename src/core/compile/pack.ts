import type { Block, Message } from "../message.ts";
import { bannerOf } from "./banner.ts";
import { contentOf, textsOf } from "./content.ts";
import { labelsOf } from "./sender.ts";
import { escapeAttribute, keyAgainst, openingsOf, Tags } from "./tags.ts";
import type { Packing, Sha256 } from "./types.ts";

/** What can be packed: a submitted message, claimed or still in the queue. */
export type Packable = Pick<Message, "sender" | "marks" | "body">;

/**
 * Many messages, one turn. A message alone is its own blocks; several are told apart in a way that none of their texts can forge.
 * `ahead` is what the prompt holds before them: its texts can forge no more than theirs.
 */
export function pack(
  messages: readonly Packable[],
  packing: Packing,
  sha256: Sha256,
  ahead: readonly Block[] = [],
): Block[] {
  const [only] = messages;
  if (only !== undefined && messages.length === 1) return [...blocksOf(only)];
  if (only === undefined) return [];
  const texts = [...ahead, ...messages.flatMap(blocksOf)];
  return packing === "tagged"
    ? packTagged(messages, keyFor(texts, taggedOpenings, sha256))
    : packBlocks(messages, keyFor(texts, headerOpenings, sha256));
}

/** What a submitted message says; nothing for any other record. */
export function blocksOf(message: Pick<Message, "body">): readonly Block[] {
  return message.body.kind === "user" ? message.body.blocks : [];
}

const taggedOpenings = openingsOf(["message", "attachment"]);
const headerOpenings = ["[message "];

function keyFor(
  blocks: readonly Block[],
  openings: readonly string[],
  sha256: Sha256,
): string | null {
  return keyAgainst(openings, textsOf(blocks), sha256);
}

function packTagged(
  messages: readonly Packable[],
  key: string | null,
): Block[] {
  const tags = new Tags(key);
  const labels = labelsOf(messages.map((message) => message.sender));
  const attached: Block[] = [];
  const elements = messages.map((message, i) => {
    const content = contentOf(blocksOf(message), tags, attached.length + 1);
    attached.push(...content.attached);
    const attributes = { index: i + 1, from: labels[i] };
    return [
      tags.open("message", attributes),
      ...content.lines,
      tags.close("message"),
    ].join("\n");
  });
  const banner = bannerOf(messages, key, "tags");
  const text = `${banner}\n\n${elements.join("\n\n")}\n`;
  return [{ type: "text", text }, ...attached];
}

function packBlocks(
  messages: readonly Packable[],
  key: string | null,
): Block[] {
  const labels = labelsOf(messages.map((message) => message.sender));
  const total = messages.length;
  const keyed = key === null ? "" : `, key ${key}`;
  const headed = messages.flatMap((message, i): Block[] => {
    const from = escapeAttribute(labels[i] ?? "");
    const text = `[Message ${i + 1} of ${total} from "${from}"${keyed}]`;
    return [{ type: "text", text }, ...blocksOf(message)];
  });
  return [
    { type: "text", text: bannerOf(messages, key, "headers") },
    ...headed,
  ];
}
