import type {
  BatchType,
  Body,
  Marks,
  Sender,
  Snowflake,
} from "../../src/core/message.ts";
import { snowflake } from "../../src/core/snowflake.ts";
import type { Session, Thread } from "../../src/core/thread.ts";
import type { Submission, Write } from "../../src/core/writes.ts";

export const user: Sender = { kind: "user", name: "user" };
export const agent: Sender = { kind: "agent", id: "builtin", name: "Built-in" };

/** The nth Snowflake of a test, a second apart. */
export function at(n: number): Snowflake {
  return snowflake(1_700_000_000_000 + n * 1000, 0);
}

export function timeAt(n: number): number {
  return 1_700_000_000_000 + n * 1000;
}

export function threadOf(id: string, change: Partial<Thread> = {}): Thread {
  return {
    id,
    title: `Thread ${id}`,
    folder: "/work",
    agent: "builtin",
    held: null,
    archived: false,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  };
}

export function sessionOf(
  thread: string,
  change: Partial<Session> = {},
): Session {
  return {
    thread,
    agent: "builtin",
    folder: "/work",
    generation: 1,
    sessionId: "s1",
    state: "live",
    cursor: null,
    ledger: {},
    process: null,
    ...change,
  };
}

export const write = {
  thread: (id: string, change?: Partial<Thread>): Write => ({
    kind: "thread",
    thread: threadOf(id, change),
  }),
  session: (thread: string, change?: Partial<Session>): Write => ({
    kind: "session",
    session: sessionOf(thread, change),
  }),
  accept: (
    id: string,
    n: number,
    {
      thread = "t",
      text = `text of ${id}`,
      rank = n,
      ...more
    }: Partial<Submission> & { readonly text?: string } = {},
  ): Write => ({
    kind: "accept",
    message: {
      id,
      thread,
      arrived: at(n),
      rank,
      sender: user,
      blocks: [{ type: "text", text }],
      marks: {},
      ...more,
    },
  }),
  claim: (
    batch: Snowflake,
    messages: readonly (readonly [id: string, n: number])[],
    batchType: BatchType = "user_request",
    parentBatch: Snowflake | null = null,
  ): Write => ({
    kind: "claim",
    batch,
    batchType,
    parentBatch,
    messages: messages.map(([id, n]) => ({ id, position: at(n) })),
  }),
  append: (
    id: string,
    n: number,
    batch: Snowflake,
    body: Body,
    marks: Marks = {},
    thread = "t",
  ): Write => ({
    kind: "append",
    record: { id, thread, position: at(n), batch, sender: agent, marks, body },
  }),
  state: (
    to: Extract<Write, { kind: "state" }>["to"],
    ...ids: readonly string[]
  ): Write => ({ kind: "state", ids, to }),
  requeue: (id: string, rank: number, marks: Marks = {}): Write => ({
    kind: "requeue",
    messages: [{ id, rank, marks }],
  }),
};

export const body = {
  agent: (text: string): Body => ({ kind: "agent", text }),
  call: (toolCallId: string): Extract<Body, { kind: "toolCall" }> => ({
    kind: "toolCall",
    toolCallId,
    title: `Run ${toolCallId}`,
    toolKind: "execute",
    status: "in_progress",
    locations: [],
    content: [],
  }),
  diff: (toolCallId: string): Body => ({
    kind: "toolResult",
    toolCallId,
    status: "completed",
    content: [{ type: "diff", path: "x", oldText: null, newText: "y" }],
  }),
  result: (toolCallId: string, text = "done"): Body => ({
    kind: "toolResult",
    toolCallId,
    status: "completed",
    content: [{ type: "text", text }],
  }),
  start: (positions: readonly Snowflake[] = []): Body => ({
    kind: "turnStart",
    agent: "builtin",
    session: "s1",
    generation: 1,
    process: { nonce: "n1", pid: 1, startTime: "0" },
    recipe: {
      kind: "delta",
      packer: "1",
      positions,
      fragments: [],
      reason: "live",
      bytes: 1,
      hash: "00",
    },
  }),
  end: (
    stop: Extract<Body, { kind: "turnEnd" }>["stop"] = "end_turn",
  ): Body => ({
    kind: "turnEnd",
    stop,
  }),
  notice: (text: string): Body => ({
    kind: "notice",
    level: "info",
    code: "test",
    text,
  }),
};
