import assert from "node:assert/strict";
import fc from "fast-check";
import type { Message, Snowflake } from "../../../src/core/message.ts";
import type { AgentUpdate } from "../../../src/core/agentPort.ts";
import { snowflake } from "../../../src/core/snowflake.ts";
import * as questions from "../../../src/core/turn/questions.ts";
import * as recorder from "../../../src/core/turn/recorder.ts";
import {
  newRecording,
  type Mint,
  type RecordChange,
  type Recorded,
  type Recording,
  type Urgency,
} from "../../../src/core/turn/recording.ts";
import { applyWrites } from "../../../src/core/recordApply.ts";
import type { Write } from "../../../src/core/writes.ts";
import { options } from "../../fakes/agent.ts";
import { MemoryTables } from "../../fakes/memoryTables.ts";
import { threadOf } from "../../fakes/recordBuilder.ts";
import { described, sha256 } from "../../fakes/world.ts";

const speaker = { kind: "agent", id: "a", name: "Agent a" } as const;

/** A recorder with a record to store to, and a view that applies what it is shown. */
class Desk {
  readonly tables = new MemoryTables();
  readonly view = new Map<string, Message>();
  readonly urgencies: Urgency[] = [];
  readonly changes: RecordChange[] = [];
  recording: Recording;
  #n = 0;
  readonly mint: Mint = {
    mint: () => snowflake(1_000_000, (this.#n += 1)),
    uuid: () => `r${(this.#n += 1)}`,
    sha256,
  };

  constructor() {
    this.recording = newRecording("t", null);
    this.#write([{ kind: "thread", thread: threadOf("t") }]);
  }

  /** Begins a turn of a new batch, or another of the same. */
  begin(id: string, batch?: Snowflake): Snowflake {
    const message = {
      id,
      thread: "t",
      arrived: this.mint.mint(),
      rank: 1,
      sender: { kind: "user", name: "u" },
      blocks: [],
      marks: {},
    } as const;
    const position = this.mint.mint();
    this.store();
    this.#write([
      { kind: "accept", message },
      {
        kind: "claim",
        batch: batch ?? position,
        batchType: "user_request",
        parentBatch: null,
        messages: [{ id, position }],
      },
      { kind: "state", ids: [id], to: "sent" },
    ]);
    this.#take(
      recorder.beginTurn(this.recording, batch ?? position, speaker, this.mint),
    );
    return batch ?? position;
  }

  tell(...updates: readonly AgentUpdate[]): this {
    for (const update of updates)
      this.#take(recorder.record(this.recording, update, this.mint));
    return this;
  }

  end(): this {
    this.#take(recorder.endTurn(this.recording, this.mint));
    return this;
  }

  ask(id: string, toolCallId: string): this {
    const tool = { kind: "tool", toolCallId, title: "Run it" } as const;
    this.#take(
      questions.openPermission(
        this.recording,
        { id, sessionId: "s", tool, options },
        this.mint,
      ),
    );
    return this;
  }

  answer(id: string, chosen: string | null): this {
    this.#take(
      questions.closePermission(this.recording, id, chosen, this.mint),
    );
    return this;
  }

  /** What a flush does; `ok` false is a commit that fails. */
  store(ok = true): readonly Write[] {
    const { recording, writes } = recorder.take(this.recording, this.mint);
    if (ok) this.#write(writes);
    this.recording = ok
      ? recorder.stored(recording)
      : recorder.notStored(recording);
    return writes;
  }

  /** The rows of a batch, a word or two each. */
  rows(batch: Snowflake): readonly string[] {
    this.store();
    return this.tables.rowsOf("t", batch).map(described);
  }

  #take({ recording, changes, urgency }: Recorded): void {
    this.recording = recording;
    this.urgencies.push(urgency);
    for (const change of changes) {
      this.changes.push(change);
      if (change.kind === "message")
        this.view.set(change.message.id, change.message);
      if (change.kind === "text") this.#extend(change);
    }
  }

  #extend({ id, offset, text }: Extract<RecordChange, { kind: "text" }>): void {
    const message = this.view.get(id);
    assert.ok(
      message !== undefined &&
        (message.body.kind === "agent" || message.body.kind === "thought"),
    );
    assert.equal(
      message.body.text.length,
      offset,
      "a text change fits only at the end",
    );
    this.view.set(id, {
      ...message,
      body: { ...message.body, text: message.body.text + text },
    });
  }

  #write(writes: readonly Write[]): void {
    assert.deepEqual(
      this.tables.attempt(() => applyWrites(this.tables, writes)),
      { ok: true },
    );
  }
}

const say = (text: string): AgentUpdate => ({ kind: "text", text });
const think = (text: string): AgentUpdate => ({ kind: "thought", text });
const tool = (
  toolCallId: string,
  more: Partial<Extract<AgentUpdate, { kind: "tool" }>> = {},
): AgentUpdate => ({ kind: "tool", toolCallId, ...more });

describe("the recorder", () => {
  it("joins streamed text into one row, and begins a new one after anything else", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    desk.tell(think("hm"), say("a"), say("b"), tool("t1"), say("c"));
    assert.deepEqual(desk.rows(batch), [
      "user u",
      "thought hm",
      "agent ab",
      "call t1 pending",
      "agent c",
    ]);
  });

  it("stores the first update at once, then coalesces: a commit per chunk is not asked for", () => {
    const desk = new Desk();
    desk.begin("u");
    desk.urgencies.length = 0;
    desk.tell(say("a"), say("b"), say("c"));
    assert.deepEqual(desk.urgencies, ["now", "soon", "soon"]);
    desk.store();
    desk.tell(say("d"), say("e"));
    assert.deepEqual(
      desk
        .store()
        .map((write) =>
          write.kind === "text" ? [write.offset, write.text] : write.kind,
        ),
      [[3, "de"]],
    );
  });

  it("flushes text before any other row", () => {
    const desk = new Desk();
    desk.begin("u");
    desk.tell(say("a"));
    desk.store();
    desk.tell(say("b"), tool("t1"));
    assert.deepEqual(
      desk.store().map(({ kind }) => kind),
      ["text", "append"],
    );
  });

  it("keeps what could not be stored, in order, and shows it meanwhile", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    desk.tell(say("a"));
    desk.store(false);
    desk.tell(say("b"));
    desk.store(false);
    desk.tell(say("c"));
    assert.deepEqual(recorder.tailOf(desk.recording).map(described), [
      "agent abc",
    ]);
    assert.deepEqual(desk.rows(batch), ["user u", "agent abc"]);
    assert.deepEqual(recorder.tailOf(desk.recording), []);
  });

  it("upserts tool calls by id, in any order: absent keeps, arrays replace", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    desk.tell(
      tool("t", {
        status: "in_progress",
        content: [{ type: "text", text: "1" }],
      }),
    );
    desk.tell(tool("t", { title: "List files", toolKind: "read" }));
    desk.tell(
      tool("t", {
        content: [{ type: "text", text: "2" }],
        status: "completed",
        output: "raw",
      }),
    );
    assert.deepEqual(desk.rows(batch), [
      "user u",
      "call t completed",
      "result t completed",
    ]);
    const [, call, result] = desk.tables.rowsOf("t", batch);
    assert.ok(
      call?.body.kind === "toolCall" && result?.body.kind === "toolResult",
    );
    assert.deepEqual(
      [call.body.title, call.body.toolKind, call.body.content],
      ["List files", "read", []],
    );
    assert.deepEqual(
      [result.body.content, result.body.output],
      [[{ type: "text", text: "2" }], "raw"],
    );
  });

  it("gives a call that comes completed its result at once, and lets it be amended", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    desk.tell(
      tool("t", { status: "failed" }),
      tool("t", { content: [{ type: "text", text: "why" }] }),
    );
    assert.deepEqual(desk.rows(batch), [
      "user u",
      "call t failed",
      "result t failed",
    ]);
    const result = desk.tables.rowsOf("t", batch)[2];
    assert.ok(result?.body.kind === "toolResult");
    assert.deepEqual(result.body.content, [{ type: "text", text: "why" }]);
  });

  it("has one row of a turn's plan", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    const entry = { content: "x", priority: "low", status: "pending" } as const;
    desk.tell({ kind: "plan", entries: [entry] }, say("a"), {
      kind: "plan",
      entries: [entry, entry],
    });
    assert.deepEqual(desk.rows(batch), ["user u", "plan 2", "agent a"]);
  });

  it("I28: text between a response and the next prompt belongs to the ended batch, late; after that to the new turn", () => {
    const desk = new Desk();
    const first = desk.begin("u1");
    desk.tell(say("answer")).end().tell(say("ps"));
    const second = desk.begin("u2");
    desk.tell(say("new"));
    assert.deepEqual(desk.rows(first), [
      "user u1",
      "agent answer",
      "agent late ps",
    ]);
    assert.deepEqual(desk.rows(second), ["user u2", "agent new"]);
  });

  it("I28: a tool update goes to the batch that owns its id, however late", () => {
    const desk = new Desk();
    const first = desk.begin("u1");
    desk
      .tell(
        tool("open", { status: "in_progress" }),
        tool("done", { status: "completed" }),
      )
      .end();
    const second = desk.begin("u2");
    desk.tell(
      say("x"),
      tool("open", { status: "completed" }),
      tool("done", { output: "more" }),
    );
    desk.end();
    const third = desk.begin("u3");
    desk.tell(
      tool("open", { content: [{ type: "text", text: "even later" }] }),
    );
    // What is stored of a turn that is over stays as it is: it may have been passed on.
    assert.deepEqual(desk.rows(first), [
      "user u1",
      "call open in_progress",
      "call done completed",
      "result done completed",
      "result late open completed",
      "result late done completed",
      "result late open completed",
    ]);
    assert.deepEqual(desk.rows(second), ["user u2", "agent x"]);
    assert.deepEqual(desk.rows(third), ["user u3"]);
  });

  it("I31: records a question and its answer; an open one is void when the turn ends", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    desk
      .ask("p1", "t1")
      .answer("p1", "yes")
      .ask("p2", "t2")
      .end()
      .answer("p2", "yes");
    assert.deepEqual(desk.rows(batch), [
      "user u",
      "call t1 pending",
      "permission t1 yes",
      "call t2 pending",
      "permission t2 null",
    ]);
    const shown = desk.changes.filter(
      ({ kind }) => kind === "permissionOpened" || kind === "permissionClosed",
    );
    assert.equal(shown.length, 4);
  });

  it("keeps images of agents as blobs", () => {
    const desk = new Desk();
    const batch = desk.begin("u");
    const data = Uint8Array.of(1, 2);
    desk.tell({
      kind: "block",
      block: { type: "image", mimeType: "image/png", data },
    });
    const [, row] = (desk.rows(batch), desk.tables.rowsOf("t", batch));
    assert.ok(row?.body.kind === "agent");
    assert.deepEqual(row.body.blocks, [
      { type: "image", mimeType: "image/png", blob: sha256(data), bytes: 2 },
    ]);
    assert.deepEqual(desk.tables.blobs.get(sha256(data))?.data, data);
  });

  it("says that a prompt was read only by what answers it", () => {
    const desk = new Desk();
    desk.begin("u");
    desk.tell(
      { kind: "commands", commands: [] },
      { kind: "usage", usage: { used: 1, size: 2 } },
      { kind: "unknown", name: "x" },
    );
    assert.equal(desk.recording.seen, false);
    desk.tell(think("hm"));
    assert.equal(desk.recording.seen, true);
    desk.end();
    desk.begin("u2");
    assert.equal(desk.recording.seen, false);
  });

  it("what no batch can own is nobody's", () => {
    const desk = new Desk();
    desk.tell(say("hello"), tool("t"), { kind: "plan", entries: [] });
    assert.deepEqual(recorder.tailOf(desk.recording), []);
    assert.equal(recorder.hasPending(desk.recording), false);
  });

  it("I46 I47: whatever is said, and whenever commits fail, the view equals the store after a flush", () => {
    const id = fc.constantFrom("t1", "t2", "t3");
    const act = fc.oneof(
      fc.record({
        do: fc.constantFrom("text", "thought"),
        text: fc.string({ maxLength: 3 }),
      }),
      fc.record({
        do: fc.constant("tool"),
        id,
        status: fc.constantFrom(
          "pending",
          "in_progress",
          "completed",
          "failed",
        ),
        text: fc.string({ maxLength: 2 }),
      }),
      fc.record({ do: fc.constantFrom("ask", "answer"), id }),
      fc.record({
        do: fc.constantFrom("store", "fail", "end", "begin", "plan"),
      }),
    );
    let late = 0;
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40, size: "max" }), (acts) => {
        const desk = new Desk();
        const final = new Map<string, Message["body"]>();
        desk.begin("first");
        acts.forEach((what, n) => {
          if (what.do === "text" || what.do === "thought")
            desk.tell({ kind: what.do, text: what.text });
          else if (what.do === "tool")
            desk.tell(
              tool(what.id, {
                status: what.status,
                content: [{ type: "text", text: what.text }],
              }),
            );
          else if (what.do === "ask") desk.ask(`p${what.id}`, what.id);
          else if (what.do === "answer") desk.answer(`p${what.id}`, "yes");
          else if (what.do === "plan") desk.tell({ kind: "plan", entries: [] });
          else if (what.do === "end") {
            desk.end();
            for (const { id: said, body } of desk.view.values())
              if (body.kind === "agent" || body.kind === "thought")
                final.set(said, body);
          } else if (what.do === "begin") desk.begin(`u${n}`);
          else desk.store(what.do === "store");
        });
        desk.store();
        const stored = [...desk.tables.messages.values()]
          .map(({ message }) => message)
          .filter(({ body }) => body.kind !== "user");
        const bodies = (messages: Iterable<Message>) =>
          new Map([...messages].map((one) => [one.id, one.body]));
        assert.deepEqual(bodies(desk.view.values()), bodies(stored));
        for (const [said, body] of final)
          assert.deepEqual(desk.view.get(said)?.body, body, "final is final");
        late += stored.filter(({ marks }) => marks.late === true).length;
        assert.deepEqual(recorder.tailOf(desk.recording), []);
      }),
      { numRuns: Number(process.env["TURNLINE_RUNS"] ?? 100) },
    );
    assert.ok(late > 0, "some pieces came late");
  });
});
