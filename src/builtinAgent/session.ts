import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { clip } from "./markdown.ts";
import { isOver, type Part, type ToolPart, toUpdate } from "./part.ts";
import { readPrompt } from "./prompt.ts";
import type { SessionRecord } from "./record.ts";
import type { SessionStore } from "./sessions.ts";
import { failed } from "./tool.ts";
import type { Memory } from "./world.ts";

/** A session as this process has it open. */
export class Session {
  readonly id: string;
  readonly cwd: string;
  readonly extra: readonly string[];
  readonly #store: SessionStore;
  readonly #memory: { -readonly [Key in keyof Memory]: Memory[Key] };
  #title: string | undefined;
  #problem: string | undefined;

  constructor(
    store: SessionStore,
    place: {
      readonly id: string;
      readonly cwd: string;
      readonly extra: readonly string[];
    },
    records: readonly SessionRecord[] = [],
  ) {
    this.id = place.id;
    this.cwd = place.cwd;
    this.extra = place.extra;
    this.#store = store;
    this.#memory = emptyMemory();
    for (const record of records) this.#remember(record);
  }

  get memory(): Memory {
    return this.#memory;
  }

  get title(): string | undefined {
    return this.#title;
  }

  record(record: SessionRecord): void {
    if (record.kind === "prompt" && this.#title === undefined)
      this.#keep({ kind: "title", title: titleOf(record.blocks) });
    this.#keep(record);
  }

  /** Why the disk refused a record, once. */
  takeProblem(): string | undefined {
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }

  #keep(record: SessionRecord): void {
    this.#remember(record);
    this.#problem ??= this.#store.append(this.id, record);
  }

  #remember(record: SessionRecord): void {
    switch (record.kind) {
      case "title":
        this.#title = record.title;
        return;
      case "found":
        this.#memory.found = record.files;
        return;
      case "explained":
        this.#memory.explained = true;
        return;
      case "end":
        // What was stopped may not have come to what an answer ends with.
        if (record.stop === "end_turn") this.#memory.answered = true;
        return;
      case "session":
      case "prompt":
      case "text":
      case "tool":
      case "plan":
        return;
    }
  }
}

function emptyMemory(): Memory {
  return {
    found: [],
    answered: false,
    explained: false,
    allowed: new Set(),
  };
}

function titleOf(blocks: readonly ContentBlock[]): string {
  const first = readPrompt(blocks).asked[0]?.text.split("\n")[0] ?? "";
  return clip(first.trim(), 80) || "Chat";
}

/** What a client that loads the session is told again, in order; calls a dead process left open are closed. */
export function replay(records: readonly SessionRecord[]): SessionUpdate[] {
  const updates: SessionUpdate[] = [];
  const open = new Map<string, ToolPart>();
  let text = "";
  const push = (part: Part): void => {
    const update = toUpdate(part);
    if (update !== undefined) updates.push(update);
  };
  const flush = (): void => {
    if (text !== "") push({ kind: "text", text });
    text = "";
  };
  const close = (): void => {
    for (const call of open.values()) push(failed(call, "Interrupted"));
    open.clear();
  };
  for (const record of records) {
    if (record.kind === "text") {
      text += record.text;
      continue;
    }
    flush();
    switch (record.kind) {
      case "prompt":
        close();
        for (const content of record.blocks)
          updates.push({ sessionUpdate: "user_message_chunk", content });
        break;
      case "tool":
        if (isOver(record.status)) open.delete(record.id);
        else if (record.title !== undefined) open.set(record.id, record);
        push(record);
        break;
      case "plan":
        push(record);
        break;
      case "session":
      case "title":
      case "end":
      case "found":
      case "explained":
        break;
    }
  }
  flush();
  close();
  return updates;
}
