import { createHash } from "node:crypto";
import { compile } from "../../../src/core/compile/compile.ts";
import type {
  Compiled,
  CompileInput,
  Fragment,
  Memory,
} from "../../../src/core/compile/types.ts";
import type {
  Block,
  Body,
  Marks,
  Message,
  MessageState,
  Recipe,
  Sender,
  Snowflake,
  StopReason,
} from "../../../src/core/message.ts";
import type { Session } from "../../../src/core/thread.ts";

export const sha256 = (data: string): string =>
  createHash("sha256").update(data).digest("hex");

export const alice: Sender = { kind: "user", name: "alice" };
export const claude = { id: "claude", label: "Claude Code" };
export const codex = { id: "codex", label: "Codex" };
export type Agent = typeof claude;

export const text = (value: string): Block => ({ type: "text", text: value });
export const image = (name: string): Block => ({
  type: "image",
  mimeType: "image/png",
  blob: sha256(name),
  bytes: 2048,
  name,
});
export const resource = (uri: string, value: string): Block => ({
  type: "resource",
  uri,
  text: value,
});
export const link = (uri: string, name: string): Block => ({
  type: "link",
  uri,
  name,
});

export const says = (value: string): Body => ({ kind: "agent", text: value });
export const thinks = (value: string): Body => ({
  kind: "thought",
  text: value,
});
export const calls = (toolCallId: string, title = toolCallId): Body => ({
  kind: "toolCall",
  toolCallId,
  title,
  toolKind: "execute",
  status: "in_progress",
  locations: [],
  content: [],
});
export const results = (toolCallId: string, output: string): Body => ({
  kind: "toolResult",
  toolCallId,
  status: "completed",
  content: [{ type: "text", text: output }],
});

export const at = (n: number): Snowflake => n.toString(16).padStart(16, "0");

export const sessionOf = (
  agent: Agent,
  change: Partial<Session> = {},
): Session => ({
  thread: "t",
  agent: agent.id,
  folder: "/work",
  generation: 1,
  sessionId: `${agent.id}-1`,
  state: "live",
  cursor: null,
  ledger: {},
  process: null,
  ...change,
});

export const live = (session: Session): Memory => ({
  kind: "session",
  session,
});
export const nothing: Memory = { kind: "none", why: "new" };

export interface Said {
  readonly id?: string;
  readonly blocks?: readonly Block[];
  readonly sender?: Sender;
  readonly marks?: Marks;
  readonly state?: MessageState;
  readonly retryOf?: string;
}

/** A thread's record as a store would hold it. */
export class Story {
  rows: Message[] = [];
  #position = 0;

  get last(): Snowflake {
    return at(this.#position);
  }

  /** Claims messages into a batch, a new one unless told. */
  claim(said: readonly (string | Said)[], batch?: Snowflake): Message[] {
    const id = batch ?? at(this.#position + 1);
    return said.map((one) => {
      const { blocks, ...more } =
        typeof one === "string" ? { blocks: [text(one)] } : one;
      return this.#add(id, { kind: "user", blocks: blocks ?? [] }, alice, {
        state: "claimed",
        ...more,
      });
    });
  }

  append(
    batch: Snowflake,
    agent: Agent,
    body: Body,
    marks: Marks = {},
  ): Message {
    const sender: Sender = { kind: "agent", id: agent.id, name: agent.label };
    return this.#add(batch, body, sender, { marks });
  }

  start(
    batch: readonly Message[],
    session: Session,
    recipe: Partial<Recipe>,
  ): Message {
    const id = batch[0]?.batch ?? "";
    return this.append(
      id,
      { id: session.agent, label: session.agent },
      {
        kind: "turnStart",
        agent: session.agent,
        session: session.sessionId ?? "",
        generation: session.generation,
        process: { nonce: "n", pid: 1, startTime: "0" },
        recipe: {
          kind: "delta",
          packer: "1",
          positions: batch.map(({ position }) => position ?? ""),
          fragments: [],
          reason: "afterCursor",
          bytes: 0,
          hash: "",
          ...recipe,
        },
      },
    );
  }

  setState(messages: readonly Message[], state: MessageState): void {
    const ids = new Set(messages.map(({ id }) => id));
    this.rows = this.rows.map((row) =>
      ids.has(row.id) ? { ...row, state } : row,
    );
  }

  /** A whole turn: what was said, to whom, what came of it. */
  exchange(
    agent: Agent,
    said: readonly (string | Said)[],
    records: readonly Body[],
    {
      stop = "end_turn",
      state = "delivered",
      session = sessionOf(agent),
      batch,
    }: {
      readonly stop?: StopReason | null;
      readonly state?: MessageState;
      readonly session?: Session;
      readonly batch?: Snowflake;
    } = {},
  ): Message[] {
    const claimed = this.claim(said, batch);
    this.start(claimed, session, {});
    const id = claimed[0]?.batch ?? "";
    for (const body of records) this.append(id, agent, body);
    if (stop !== null) this.append(id, agent, { kind: "turnEnd", stop });
    this.setState(claimed, state);
    return claimed;
  }

  #add(
    batch: Snowflake,
    body: Body,
    sender: Sender,
    more: Partial<Message>,
  ): Message {
    this.#position += 1;
    const row: Message = {
      id: `m${this.#position}`,
      thread: "t",
      arrived: at(this.#position),
      rank: null,
      position: at(this.#position),
      batch,
      sequence: this.rows.filter((one) => one.batch === batch).length,
      batchType: "user_request",
      parentBatch: null,
      retryOf: null,
      sender,
      state: null,
      marks: {},
      body,
      ...more,
    };
    this.rows.push(row);
    return row;
  }
}

export const identity: Fragment = {
  id: "identity",
  lifecycle: "static",
  text: "You are an agent in Turnline.",
};
export const project: Fragment = {
  id: "project",
  lifecycle: "static",
  text: "The project is in /work.",
};
export const todo = (value: string): Fragment => ({
  id: "todo",
  lifecycle: "dynamic",
  text: value,
});

/** Compiles the newest claimed messages of a story for an agent; history is what a store would give. */
export function compileFor(
  story: Story,
  batch: readonly Message[],
  change: Partial<CompileInput> = {},
): Compiled {
  return compile(inputFor(story, batch, change));
}

export function inputFor(
  story: Story,
  batch: readonly Message[],
  change: Partial<CompileInput> = {},
): CompileInput {
  const memory = change.memory ?? nothing;
  const cursor = memory.kind === "session" ? memory.session.cursor : null;
  const own = new Set(batch.map(({ id }) => id));
  return {
    batch,
    history: story.rows.filter(
      ({ id, position }) => !own.has(id) && (position ?? "") > (cursor ?? ""),
    ),
    truncated: false,
    memory,
    agent: claude,
    capabilities: { image: true, embeddedContext: true, systemPrompt: false },
    fragments: [],
    packing: "tagged",
    budgetTokens: 100_000,
    commands: null,
    sha256,
    ...change,
  };
}

/** Everything the blocks say, for looking into. */
export function wordsOf(blocks: readonly Block[]): string {
  return blocks
    .map((block) => ("text" in block ? block.text : JSON.stringify(block)))
    .join("\n");
}
