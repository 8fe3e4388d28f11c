import type { ContentBlock } from "@agentclientprotocol/sdk";
import { isBanner, readHeader, readTagged } from "./batchText.ts";

/** What a prompt holds, told apart. */
export interface Prompt {
  /** What is asked, in order. */
  readonly asked: readonly Asked[];
  /** System context, and what was said before: never a request. */
  readonly context: readonly string[];
}

export interface Asked {
  readonly text: string;
  /** Who asks; known only where several messages came together. */
  readonly from?: string;
  readonly attachments: readonly Attachment[];
  /** Pictures and sounds, which this agent can't look at. */
  readonly media: number;
}

export interface Attachment {
  readonly uri: string;
  readonly name: string;
  readonly text?: string;
}

/** Context always comes first: whatever stands before the end of it is no request. */
export function readPrompt(blocks: readonly ContentBlock[]): Prompt {
  const from = contextEnd(blocks);
  return {
    context: blocks
      .slice(0, from)
      .flatMap((block) => (block.type === "text" ? [block.text] : [])),
    asked: readAsked(blocks.slice(from)),
  };
}

function contextEnd(blocks: readonly ContentBlock[]): number {
  const last = blocks.findLastIndex(
    (block) => block.type === "text" && contextMark.test(block.text),
  );
  const block = blocks[last];
  if (block?.type !== "text") return 0;
  const header = block.text.split("\n", 1)[0] ?? "";
  const next = / the next (?:(\d+) blocks belong|block belongs)\b/i.exec(
    header,
  );
  return last + 1 + (next === null ? 0 : Number(next[1] ?? 1));
}

/** What Turnline puts before the user's words. */
const contextMark =
  /^(?:\[System Context\]:|\[(?:Conversation so far|Transcript)\b[^\n]*\](?:\n|$)|\[(?:Digest|Summary) of |\[Earlier messages of this conversation are left out\.\])/;

function readAsked(blocks: readonly ContentBlock[]): readonly Asked[] {
  const [first, ...others] = blocks;
  if (first?.type !== "text") return wholeMessage(blocks);
  const tagged = readTagged(first.text);
  if (tagged !== undefined)
    return tagged.map(({ text, from, attached }) =>
      gather(
        [
          { type: "text", text },
          ...attached.flatMap((index) => others[index - 1] ?? []),
        ],
        from,
      ),
    );
  return isBanner(first.text)
    ? headed(others, first.text)
    : wholeMessage(blocks);
}

function wholeMessage(blocks: readonly ContentBlock[]): readonly Asked[] {
  const asked = gather(blocks);
  return asked.text === "" && asked.attachments.length + asked.media === 0
    ? []
    : [asked];
}

function headed(
  blocks: readonly ContentBlock[],
  banner: string,
): readonly Asked[] {
  const groups: { readonly from: string; readonly own: ContentBlock[] }[] = [];
  for (const block of blocks) {
    const header =
      block.type === "text" ? readHeader(block.text, banner) : undefined;
    if (header !== undefined) groups.push({ from: header.from, own: [] });
    else groups.at(-1)?.own.push(block);
  }
  return groups.map(({ from, own }) => gather(own, from));
}

function gather(blocks: readonly ContentBlock[], from?: string): Asked {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  let media = 0;
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        if (leftOut.test(block.text)) media++;
        else texts.push(block.text);
        break;
      case "resource_link":
        attachments.push({ uri: block.uri, name: block.name });
        break;
      case "resource": {
        const { resource } = block;
        attachments.push({
          uri: resource.uri,
          name: resource.uri.replace(/^.*\//, ""),
          ...("text" in resource && { text: resource.text }),
        });
        break;
      }
      case "image":
      case "audio":
        media++;
        break;
    }
  }
  return {
    text: texts.join("\n").trim(),
    attachments,
    media,
    ...(from !== undefined && from !== "" && { from }),
  };
}

/** What stands in the place of a picture for an agent that takes none. */
const leftOut = /^\[Image [^\n]* is not included: [^\n]*\]$/;
