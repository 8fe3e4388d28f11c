import { group } from "./batch.ts";
import type { Batch } from "./batch.ts";
import type { Block, Message, ToolContent } from "./message.ts";
import { snowflakeTime } from "./snowflake.ts";
import type { Thread } from "./thread.ts";

/** A thread for people to read. */
export function threadMarkdown(
  thread: Thread,
  messages: readonly Message[],
  timeText: (ms: number) => string,
): string {
  const parts = [`# ${line(thread.title)}`];
  for (const batch of group(messages))
    parts.push(...batchParts(batch, timeText));
  const waiting = messages.filter(({ state }) => state === "queued");
  if (waiting.length > 0)
    parts.push("## Not sent yet", ...waiting.map(userText));
  return `${parts.join("\n\n")}\n`;
}

function batchParts(
  batch: Batch,
  timeText: (ms: number) => string,
): readonly string[] {
  const parts: string[] = [];
  let speaker = "";
  for (const row of batch.rows) {
    const text = rowText(row, batch);
    if (text === "") continue;
    const { name } = row.sender;
    if (name !== speaker) {
      const time = timeText(snowflakeTime(row.position ?? row.arrived));
      parts.push(`## ${line(name)} · ${time}`);
      speaker = name;
    }
    parts.push(text);
  }
  if (batch.status !== "completed")
    parts.push(`*This turn is ${batch.status}.*`);
  return parts;
}

function rowText(row: Message, batch: Batch): string {
  const { body } = row;
  switch (body.kind) {
    case "user":
      return userText(row);
    case "agent":
      return [body.text, ...(body.blocks ?? []).map(blockText)]
        .filter(Boolean)
        .join("\n\n");
    case "thought":
      return quoted(body.text);
    case "toolCall": {
      const result = batch.tools.find(({ call }) => call === row)?.result;
      const status = result?.body.status ?? body.status;
      const content = [...body.content, ...(result?.body.content ?? [])];
      const head = `**${line(body.title)}** (${status.replace("_", " ")})`;
      return [head, ...content.map(contentText)].filter(Boolean).join("\n\n");
    }
    case "plan":
      return body.entries
        .map(
          ({ content, status }) =>
            `- [${status === "completed" ? "x" : " "}] ${line(content)}`,
        )
        .join("\n");
    case "permission": {
      const chosen = body.options.find(({ id }) => id === body.chosen)?.name;
      const said = body.answer ?? chosen ?? "not answered";
      return `*${line(body.title)}: ${line(said)}*`;
    }
    case "notice":
      return `*${line(body.text)}*`;
    case "toolResult":
    case "turnStart":
    case "turnEnd":
      return "";
  }
}

function userText({ body }: Message): string {
  return body.kind === "user" ? body.blocks.map(blockText).join("\n\n") : "";
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return `*(image${block.name === undefined ? "" : ` ${line(block.name)}`}, ${block.bytes} bytes)*`;
    case "resource":
      return `${line(block.uri)}\n\n${fenced(block.text)}`;
    case "link":
      return `[${line(block.name)}](<${block.uri.replace(/[<>\n]/g, encodeURIComponent)}>)`;
  }
}

function contentText(content: ToolContent): string {
  switch (content.type) {
    case "text":
      return fenced(content.text);
    case "terminal":
      return fenced(content.output);
    case "diff":
      return `${line(content.path)}\n\n${fenced(diffText(content.oldText ?? "", content.newText), "diff")}`;
    case "block":
      return blockText(content.block);
  }
}

function diffText(before: string, after: string): string {
  const marked = (text: string, mark: string): string =>
    text === "" ? "" : text.replace(/^/gm, mark);
  return [marked(before, "-"), marked(after, "+")].filter(Boolean).join("\n");
}

/** A fence longer than any inside. */
function fenced(text: string, language = ""): string {
  if (text === "") return "";
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].map(([run]) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

function quoted(text: string): string {
  return text.replace(/^/gm, "> ");
}

function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
