import type { Body, Location, ToolContent } from "../message.ts";
import type { Tags } from "./tags.ts";

type Call = Extract<Body, { kind: "toolCall" }>;
type Result = Extract<Body, { kind: "toolResult" }>;

const inputLimit = 600;
const outputLimit = 2000;

/** A call and its result as one element; an open call ends as interrupted. */
export function toolLines(
  call: Call,
  result: Result | null,
  tags: Tags,
): string[] {
  const attributes = {
    kind: call.toolKind,
    title: call.title,
    paths: pathsOf(call.locations),
    status: result?.status ?? "interrupted",
  };
  const texts = toolTexts(call, result);
  return texts.length === 0
    ? [tags.empty("tool", attributes)]
    : [tags.open("tool", attributes), ...texts, tags.close("tool")];
}

/** What went in and what came out, each shortened: the agent can look for itself. */
export function toolTexts(call: Call, result: Result | null): string[] {
  const input = call.input ?? "";
  const output = outputOf(call, result);
  return [
    ...(input === "" ? [] : [`input: ${shortened(input, inputLimit)}`]),
    ...(output === "" ? [] : [`output: ${shortened(output, outputLimit)}`]),
  ];
}

/** At most what either half of a pair takes, known without writing it; none for other records. */
export function toolCharacters(body: Body): number {
  switch (body.kind) {
    case "toolCall":
      return Math.min(body.input?.length ?? 0, inputLimit);
    case "toolResult": {
      const told = body.content.reduce(
        (sum, content) => sum + contentLength(content),
        0,
      );
      const length = told === 0 ? (body.output?.length ?? 0) : told;
      return Math.min(length, outputLimit);
    }
    case "user":
    case "agent":
    case "thought":
    case "plan":
    case "permission":
    case "turnStart":
    case "turnEnd":
    case "notice":
      return 0;
  }
}

function contentLength(content: ToolContent): number {
  switch (content.type) {
    case "text":
      return content.text.length;
    case "diff":
      return (content.oldText?.length ?? 0) + content.newText.length;
    case "terminal":
      return content.output.length;
    case "block":
      return blockText(content.block).length;
  }
}

/** Keeps the beginning and the end, and says how much is missing between. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/u, "");
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/u, "");
  const missing = text.length - head.length - tail.length;
  return `${head}\n… ${missing} characters left out …\n${tail}`;
}

function outputOf(call: Call, result: Result | null): string {
  if (result === null) return "";
  const content = result.content.length > 0 ? result.content : call.content;
  return content.length > 0
    ? content.map(contentText).join("\n")
    : (result.output ?? "");
}

function contentText(content: ToolContent): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "diff":
      return content.oldText === null
        ? `${content.path}, new:\n${content.newText}`
        : `${content.path}, before:\n${content.oldText}\nafter:\n${content.newText}`;
    case "terminal":
      return content.exitCode === undefined
        ? content.output
        : `${content.output}\n(exit code ${content.exitCode})`;
    case "block":
      return blockText(content.block);
  }
}

function blockText(block: Extract<ToolContent, { type: "block" }>["block"]) {
  switch (block.type) {
    case "text":
    case "resource":
      return block.text;
    case "image":
      return `(an image, ${block.mimeType})`;
    case "link":
      return block.uri;
  }
}

function pathsOf(locations: readonly Location[]): string | undefined {
  if (locations.length === 0) return undefined;
  return locations
    .map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))
    .join(", ");
}
