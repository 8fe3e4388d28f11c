import { createHash } from "node:crypto";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import type { Block, ToolContent } from "../core/message.ts";
import type { AgentBlock } from "../core/agentPort.ts";
import { assertNever } from "../util/assertNever.ts";
import { t } from "../util/l10n.ts";
import { defined, fields, text } from "./parse.ts";

/** A block as ACP writes it. */
export function toAcp(block: AgentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return {
        type: "image",
        mimeType: block.mimeType,
        data: Buffer.from(block.data).toString("base64"),
      };
    case "resource":
      return {
        type: "resource",
        resource: defined({
          uri: block.uri,
          text: block.text,
          mimeType: block.mimeType,
        }),
      };
    case "link":
      return defined({
        type: "resource_link" as const,
        uri: block.uri,
        name: block.name,
        mimeType: block.mimeType,
      });
    default:
      return assertNever(block);
  }
}

/** A block an agent sent, or undefined when this version has no place for it. */
export function fromAcp(value: unknown): AgentBlock | undefined {
  const block = fields(value);
  switch (block?.["type"]) {
    case "text": {
      const said = text(block["text"]);
      return said === undefined ? undefined : { type: "text", text: said };
    }
    case "image": {
      const data = text(block["data"]);
      if (data === undefined) return undefined;
      return {
        type: "image",
        mimeType: text(block["mimeType"]) ?? "application/octet-stream",
        data: Buffer.from(data, "base64"),
      };
    }
    case "resource_link":
      return link(block["uri"], block["name"], block["mimeType"]);
    case "resource": {
      const resource = fields(block["resource"]);
      const uri = text(resource?.["uri"]);
      const said = text(resource?.["text"]);
      if (uri === undefined) return undefined;
      if (said === undefined) return link(uri, uri, resource?.["mimeType"]);
      return defined({
        type: "resource" as const,
        uri,
        text: said,
        mimeType: text(resource?.["mimeType"]),
      });
    }
    case "audio":
      return { type: "text", text: audioLine(text(block["data"]) ?? "") };
    default:
      return undefined;
  }
}

/** A tool's block for the record: bytes go into `blobs`, under the hash that stands for them. */
export function toolBlock(
  block: AgentBlock,
  blobs: Map<string, Uint8Array>,
): ToolContent {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "block", block: storedBlock(block, blobs) };
}

function storedBlock(block: AgentBlock, blobs: Map<string, Uint8Array>): Block {
  if (block.type !== "image") return block;
  const blob = createHash("sha256").update(block.data).digest("hex");
  blobs.set(blob, block.data);
  return {
    type: "image",
    mimeType: block.mimeType,
    blob,
    bytes: block.data.byteLength,
  };
}

/** A view has no player: the words tell that something came. */
function audioLine(base64: string): string {
  const kilobytes = Math.ceil(Buffer.byteLength(base64, "base64") / 1024);
  return t("Audio, {0} KB: it can't be played here.", kilobytes);
}

function link(
  uri: unknown,
  name: unknown,
  mimeType: unknown,
): AgentBlock | undefined {
  const target = text(uri);
  if (target === undefined) return undefined;
  return defined({
    type: "link" as const,
    uri: target,
    name: text(name) ?? target,
    mimeType: text(mimeType),
  });
}
