import { finder } from "../util/findText.ts";
import type {
  Block,
  Body,
  Message,
  Snowflake,
  ToolContent,
} from "./message.ts";

export interface FindQuery {
  readonly thread: string;
  readonly text: string;
  readonly matchCase: boolean;
  /** Records that are new or longer than the stored ones: they win by id. */
  readonly newer: readonly Message[];
}

/** A record of the transcript that holds what was looked for; a tool's result counts for its call. */
export interface Found {
  readonly message: string;
  /** Its batch, or its own position when it belongs to none: where it stands in the transcript. */
  readonly at: Snowflake;
  readonly position: Snowflake;
  readonly count: number;
}

/** Looks through the records of a thread, given in the order of their positions. */
export class ThreadFind {
  readonly #wanted: RegExp | null;
  readonly #newer: Map<string, Message>;
  readonly #found = new Map<string, Found>();
  /** Calls by their id: how often their heading holds it. */
  readonly #calls = new Map<string, { readonly row: Message; head: number }>();

  constructor({ text, matchCase, newer }: Omit<FindQuery, "thread">) {
    this.#wanted = finder(text, matchCase);
    this.#newer = new Map(newer.map((row) => [row.id, row]));
  }

  get wantsNothing(): boolean {
    return this.#wanted === null;
  }

  take(row: Message): void {
    const newer = this.#newer.get(row.id);
    this.#newer.delete(row.id);
    this.#look(newer ?? row);
  }

  /** First to last, as the transcript stands. */
  finish(): readonly Found[] {
    for (const row of this.#newer.values()) this.#look(row);
    return [...this.#found.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) =>
        a.at === b.at
          ? a.position < b.position
            ? -1
            : 1
          : a.at < b.at
            ? -1
            : 1,
      );
  }

  #look(row: Message): void {
    const { body } = row;
    if (body.kind === "toolResult") this.#lookAtResult(body);
    else if (body.kind === "toolCall") {
      const head = this.#count(headText(body));
      this.#calls.set(body.toolCallId, { row, head });
      this.#put(row, head + this.#count(detailText(body)));
    } else this.#put(row, this.#count(shownText(body)));
  }

  /** What a call is shown with: the result's content, where there is any. */
  #lookAtResult(body: Extract<Body, { kind: "toolResult" }>): void {
    const call = this.#calls.get(body.toolCallId);
    if (call === undefined) return;
    const { row, head } = call;
    if (body.content.length > 0)
      this.#put(row, head + this.#count(contentText(body.content)));
    else if (body.output !== undefined && row.body.kind === "toolCall")
      this.#put(
        row,
        head + this.#count(`${detailText(row.body)}\n${body.output}`),
      );
  }

  #put({ id, batch, position }: Message, count: number): void {
    if (position === null) return;
    this.#found.set(id, {
      message: id,
      at: batch ?? position,
      position,
      count,
    });
  }

  #count(text: string): number {
    return countIn(text, this.#wanted);
  }
}

export function countIn(text: string, wanted: RegExp | null): number {
  return wanted === null ? 0 : Array.from(text.matchAll(wanted)).length;
}

/** What a view shows of a record besides its tools. */
export function shownText(body: Body): string {
  switch (body.kind) {
    case "user":
      return body.blocks.map(blockText).join("\n");
    case "agent":
      return [body.text, ...(body.blocks ?? []).map(blockText)].join("\n");
    case "thought":
    case "notice":
      return body.text;
    case "plan":
      return body.entries.map(({ content }) => content).join("\n");
    case "permission":
      return body.chosen === undefined ? "" : body.title;
    case "toolCall":
    case "toolResult":
    case "turnStart":
    case "turnEnd":
      return "";
  }
}

type Call = Extract<Body, { kind: "toolCall" }>;

function headText({ title, locations, content }: Call): string {
  const shown = new Set(
    content.map((part) => (part.type === "diff" ? part.path : "")),
  );
  const places = locations.filter(({ path }) => !shown.has(path));
  return [title, ...places.map(({ path }) => path)].join("\n");
}

function detailText({ content, input }: Call): string {
  return content.length > 0 ? contentText(content) : (input ?? "");
}

function contentText(content: readonly ToolContent[]): string {
  return content
    .map((part) => {
      switch (part.type) {
        case "text":
          return part.text;
        case "diff":
          return [part.path, part.oldText ?? "", part.newText].join("\n");
        case "terminal":
          return part.output;
        case "block":
          return blockText(part.block);
      }
    })
    .join("\n");
}

function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return block.uri.slice(block.uri.lastIndexOf("/") + 1);
    case "link":
      return block.name;
    case "image":
      return block.name ?? "";
  }
}
