import { group, pairTools } from "../../src/core/batch.ts";
import type { Batch } from "../../src/core/batch.ts";
import type { Body, Message, Snowflake } from "../../src/core/message.ts";
import { applyWrites } from "../../src/core/recordApply.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import type { Durability, Write } from "../../src/core/writes.ts";
import { MemoryTables } from "./memoryTables.ts";
import { agent, body, sessionOf, threadOf, user } from "./recordBuilder.ts";

export interface Commit {
  readonly writes: readonly Write[];
  readonly durability: Durability;
}

/** A life of the record, the same for the same seed: what a dispatcher commits, and now and then what none should. */
export function scenario(seed: number, length: number): readonly Commit[] {
  const life = new Life(seed);
  return Array.from({ length }, () => life.next());
}

class Life {
  readonly #tables = new MemoryTables();
  readonly #random: () => number;
  readonly #ids: SnowflakeGenerator;
  #now = 1_700_000_000_000;
  #count = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    this.#ids = new SnowflakeGenerator(() => this.#now);
  }

  next(): Commit {
    this.#now += Math.floor(this.#random() * 400) - 60;
    const writes: readonly Write[] =
      this.#tables.threads.size === 0
        ? [{ kind: "thread", thread: threadOf("t0") }]
        : this.#action();
    this.#tables.attempt(() => applyWrites(this.#tables, writes));
    const streamed = writes.every(
      ({ kind }) => kind === "text" || kind === "append" || kind === "body",
    );
    return { writes, durability: streamed ? "normal" : "full" };
  }

  #action(): readonly Write[] {
    const thread = this.#pick([...this.#tables.threads.keys()]) ?? "t0";
    const rows = [...this.#tables.messages.values()]
      .map(({ message }) => message)
      .filter((message) => message.thread === thread);
    const open = group(rows).find(({ ended }) => !ended);
    const choices: readonly (() => readonly Write[])[] =
      open === undefined
        ? [
            () => this.#accept(thread),
            () => this.#send(thread, [...this.#queue(rows)]),
            () => [...this.#accept(thread), ...this.#house(thread)],
            () => this.#change(rows),
            () => this.#retry(thread, rows),
            () => this.#late(thread, rows),
          ]
        : [
            () => this.#accept(thread),
            () => this.#stream(thread, open),
            () => this.#stream(thread, open),
            () => this.#stream(thread, open),
            () => this.#end(thread, open),
            () => this.#change(rows),
          ];
    if (this.#random() < 0.05) return this.#wrong(thread, rows);
    const writes = this.#pick(choices)?.() ?? [];
    return writes.length > 0 ? writes : this.#accept(thread);
  }

  #accept(thread: string): readonly Write[] {
    const id = this.#id("m");
    const image = this.#random() < 0.1;
    const hash = `hash${this.#count % 3}`;
    const data = new Uint8Array([this.#count % 3, 2, 3]);
    return [
      ...(image
        ? [{ kind: "blob", hash, mimeType: "image/png", data } as const]
        : []),
      {
        kind: "accept",
        message: {
          id,
          thread,
          arrived: this.#ids.next(),
          rank: this.#count,
          sender: user,
          marks: this.#random() < 0.2 ? { separate: true } : {},
          blocks: [
            { type: "text", text: this.#words() },
            ...(image
              ? [
                  {
                    type: "image",
                    mimeType: "image/png",
                    blob: hash,
                    bytes: 3,
                  } as const,
                ]
              : []),
          ],
        },
      },
    ];
  }

  #send(thread: string, queued: readonly Message[]): readonly Write[] {
    const some = queued.slice(0, 1 + Math.floor(this.#random() * 4));
    if (some.length === 0) {
      const accepted = this.#accept(thread);
      const ids = accepted.flatMap((write) =>
        write.kind === "accept" ? [write.message.id] : [],
      );
      return [...accepted, ...this.#start(thread, ids)];
    }
    return this.#start(
      thread,
      some.map(({ id }) => id),
    );
  }

  #start(thread: string, ids: readonly string[]): readonly Write[] {
    const messages = ids.map((id) => ({ id, position: this.#ids.next() }));
    const batch = messages[0]?.position ?? "";
    return [
      {
        kind: "claim",
        batch,
        batchType: "user_request",
        parentBatch: null,
        messages,
      },
      this.#append(thread, batch, body.start([batch])),
      { kind: "state", ids, to: "sent" },
    ];
  }

  #stream(thread: string, open: Batch): readonly Write[] {
    const text = open.rows.findLast(({ body: { kind } }) => kind === "agent");
    const call = pairTools(open.rows).find(({ result }) => result === null);
    const grow = (): readonly Write[] =>
      text === undefined || text.body.kind !== "agent"
        ? [this.#append(thread, open.id, body.agent(this.#words()))]
        : [
            {
              kind: "text",
              id: text.id,
              offset: text.body.text.length,
              text: ` ${this.#words()}`,
            },
          ];
    const tool = (): readonly Write[] =>
      call === undefined
        ? [this.#append(thread, open.id, body.call(this.#id("c")))]
        : [this.#append(thread, open.id, body.result(call.toolCallId))];
    return this.#pick([grow, grow, tool])?.() ?? [];
  }

  #end(thread: string, open: Batch): readonly Write[] {
    const ids = open.rows
      .filter(({ state }) => state === "sent")
      .map(({ id }) => id);
    const states = open.rows.map(({ state }) => state);
    if (states.includes("claimed")) return [];
    const cursor = open.rows.at(-1)?.position ?? null;
    if (this.#random() < 0.15)
      return [
        this.#append(thread, open.id, body.end("error")),
        ...ids.map((id) => this.#requeue(id)),
        {
          kind: "thread",
          thread: threadOf(thread, { held: "signIn", updatedAt: this.#now }),
        },
      ];
    const to = this.#pick(["delivered", "seenAborted", "uncertain"] as const);
    const stop = to === "delivered" ? "end_turn" : "interrupted";
    return [
      this.#append(thread, open.id, body.end(stop)),
      { kind: "state", ids, to: to ?? "delivered" },
      { kind: "session", session: sessionOf(thread, { cursor }) },
    ];
  }

  #change(rows: readonly Message[]): readonly Write[] {
    const queued = this.#pick(this.#queue(rows));
    const dropped = this.#pick(
      rows.filter(({ state }) => state === "discarded"),
    );
    if (dropped !== undefined && this.#random() < 0.4)
      return [this.#requeue(dropped.id)];
    if (queued === undefined) return [];
    const { id } = queued;
    return (
      this.#pick<readonly Write[]>([
        [{ kind: "state", ids: [id], to: "discarded" }],
        [{ kind: "rank", ranks: [{ id, rank: this.#random() * 50 }] }],
        [
          {
            kind: "edit",
            id,
            blocks: [{ type: "text", text: this.#words() }],
            marks: { waited: "held" },
          },
        ],
      ]) ?? []
    );
  }

  #retry(thread: string, rows: readonly Message[]): readonly Write[] {
    const failed = this.#pick(
      rows.filter(
        ({ state }) => state === "seenAborted" || state === "uncertain",
      ),
    );
    if (failed === undefined) return [];
    const [accepted] = this.#accept(thread).filter(
      (write) => write.kind === "accept",
    );
    if (accepted === undefined) return [];
    const message = {
      ...accepted.message,
      retryOf: failed.id,
      ...(failed.batch === null ? {} : { parentBatch: failed.batch }),
    };
    return [
      { kind: "accept", message },
      ...this.#start(thread, [message.id]),
      { kind: "state", ids: [failed.id], to: "superseded" },
    ];
  }

  #late(thread: string, rows: readonly Message[]): readonly Write[] {
    const batch = this.#pick(group(rows));
    if (batch === undefined) return [];
    const call = batch.tools.find(({ result }) => result === null);
    const late =
      call === undefined
        ? body.agent(this.#words())
        : body.result(call.toolCallId);
    return [this.#append(thread, batch.id, late, { late: true })];
  }

  #house(thread: string): readonly Write[] {
    const other = this.#id("t");
    return (
      this.#pick<readonly Write[]>([
        [{ kind: "thread", thread: threadOf(other) }],
        [
          {
            kind: "thread",
            thread: threadOf(thread, {
              title: this.#words(),
              updatedAt: this.#now,
            }),
          },
        ],
        [
          { kind: "deleteThread", thread, at: this.#now },
          { kind: "restoreThread", thread },
        ],
      ]) ?? []
    );
  }

  /** Against the rules: refused by every store, and nothing of it stays. */
  #wrong(thread: string, rows: readonly Message[]): readonly Write[] {
    const any = this.#pick(rows);
    if (any === undefined) return [];
    return (
      this.#pick<readonly Write[]>([
        [...this.#accept(thread), ...this.#sameAgain(any)],
        [
          ...this.#accept(thread),
          { kind: "state", ids: [any.id], to: "superseded" },
        ],
        [
          ...this.#accept(thread),
          { kind: "text", id: any.id, offset: 9e6, text: "" },
        ],
      ]) ?? []
    );
  }

  #sameAgain({ id, thread, arrived }: Message): readonly Write[] {
    const message = { id, thread, arrived, rank: 1, sender: user };
    return [{ kind: "accept", message: { ...message, blocks: [], marks: {} } }];
  }

  #append(
    thread: string,
    batch: Snowflake,
    what: Body,
    marks: Message["marks"] = {},
  ): Write {
    const position = this.#ids.next();
    const id = this.#id("r");
    return {
      kind: "append",
      record: { id, thread, position, batch, sender: agent, marks, body: what },
    };
  }

  #requeue(id: string): Write {
    return { kind: "requeue", messages: [{ id, rank: -1, marks: {} }] };
  }

  #queue(rows: readonly Message[]): readonly Message[] {
    return rows
      .filter(({ state }) => state === "queued")
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  }

  #words(): string {
    const some = ["fix", "the", "parser", "déjà", "💬", "line\nbreak", "日本"];
    const count = 1 + Math.floor(this.#random() * 5);
    return Array.from({ length: count }, () => this.#pick(some)).join(" ");
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
