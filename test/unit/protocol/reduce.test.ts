import assert from "node:assert/strict";
import fc from "fast-check";
import { diff } from "../../../src/protocol/diff.ts";
import type { Op } from "../../../src/protocol/ops.ts";
import { comesBefore, reduce } from "../../../src/protocol/reduce.ts";
import type { ViewState } from "../../../src/protocol/viewState.ts";
import {
  agent,
  at,
  base,
  batch,
  message,
  queued,
  user,
} from "../../fixtures/webviewDev/make.ts";

const growing: ViewState = {
  ...base,
  messages: [message(1, 0, user("a")), message(1, 1, agent("hello", true))],
};

/** The text of the last message after some ops, or where they went wrong. */
function textAfter(state: ViewState, ...ops: readonly Op[]): string {
  let now = state;
  for (const op of ops) {
    const next = reduce(now, op);
    if (next === "gap") return "gap";
    now = next;
  }
  const last = now.messages.at(-1)?.body;
  return last?.kind === "agent" ? last.text : "";
}

const piece = (offset: number, text: string, id = "m1.1"): Op => ({
  op: "text",
  id,
  offset,
  text,
});
const final = (text: string): Op => ({
  op: "message",
  message: message(1, 1, agent(text)),
});

describe("One op on a view's state", () => {
  const texts: readonly (readonly [string, readonly Op[], string])[] = [
    ["a piece at the end is appended", [piece(5, " you")], "hello you"],
    ["pieces follow each other", [piece(5, "!"), piece(6, "?")], "hello!?"],
    ["a piece beyond the end is a gap", [piece(7, "x")], "gap"],
    ["an unknown message is a gap", [piece(5, "x", "no")], "gap"],
    ["I47: a repeated piece changes nothing", [piece(2, "llo")], "hello"],
    [
      "I47: a piece that overlaps changes nothing",
      [piece(3, "lo and more")],
      "hello",
    ],
    [
      "I47: a late piece never overwrites final text",
      [final("hello world"), piece(5, " you")],
      "hello world",
    ],
    [
      "I47: not even at its very end",
      [final("hello world"), piece(11, " again")],
      "hello world",
    ],
  ];
  for (const [name, ops, text] of texts)
    it(name, () => assert.equal(textAfter(growing, ...ops), text));

  it("leaves the state it was given as it was", () => {
    const before = structuredClone(growing);
    reduce(growing, piece(5, "!"));
    assert.deepEqual(growing, before);
  });

  it("appends output only at its offset", () => {
    const tool = message(1, 2, {
      kind: "tool",
      toolCallId: "c",
      title: "run",
      toolKind: "execute",
      status: "in_progress",
      locations: [],
      content: [{ type: "terminal", terminalId: "x", output: "ab" }],
    });
    const state = { ...base, messages: [tool] };
    const at = (offset: number, index = 0): string => {
      const next = reduce(state, {
        op: "output",
        id: tool.id,
        index,
        offset,
        text: "c",
      });
      if (next === "gap") return "gap";
      const body = next.messages[0]?.body;
      const [content] = body?.kind === "tool" ? body.content : [];
      return content?.type === "terminal" ? content.output : "";
    };
    assert.deepEqual(
      [at(2), at(1), at(3), at(0, 1)],
      ["abc", "ab", "gap", "gap"],
    );
  });

  it("puts a record in its batch, whatever came meanwhile", () => {
    const late = message(1, 9, agent("late"), { position: at(40) });
    const next = message(20, 0, user("next"));
    let state = growing;
    for (const one of [next, late]) {
      const after = reduce(state, { op: "message", message: one });
      assert.notEqual(after, "gap");
      if (after !== "gap") state = after;
    }
    assert.deepEqual(
      state.messages.map(({ id }) => id),
      ["m1.0", "m1.1", "m1.9", "m20.0"],
    );
  });

  it("takes an order of items it has never seen as a gap", () => {
    assert.equal(reduce(base, { op: "queueOrder", ids: ["x"] }), "gap");
  });
});

const texts = fc.constantFrom("", "a", "ab", "abc", "other");
const messages = fc
  .uniqueArray(
    fc.record({
      n: fc.integer({ min: 0, max: 30 }),
      batch: fc.constantFrom(0, 100, 200),
      text: texts,
      open: fc.boolean(),
      kind: fc.constantFrom("agent" as const, "user" as const),
    }),
    { selector: ({ n }) => n, maxLength: 8 },
  )
  .map((made) =>
    made
      .map(({ n, batch: of, text, open, kind }) => ({
        ...message(of, n, kind === "agent" ? agent(text, open) : user(text)),
        id: `m${n}`,
      }))
      .sort((a, b) => (comesBefore(a, b) ? -1 : 1)),
  );
const queues = fc
  .uniqueArray(fc.record({ n: fc.nat(6), text: texts, alone: fc.boolean() }), {
    selector: ({ n }) => n,
    maxLength: 6,
  })
  .map((made) =>
    made.map(({ n, text, alone }) =>
      queued(`q${n}`, text, { separate: alone }),
    ),
  );
const batches = fc
  .uniqueArray(fc.constantFrom(0, 100, 200), { maxLength: 3 })
  .chain((ids) =>
    fc
      .constantFrom("processing" as const, "completed" as const)
      .map((status) =>
        ids.toSorted((a, b) => a - b).map((n) => batch(n, { status })),
      ),
  );
const states: fc.Arbitrary<ViewState> = fc
  .record({
    messages,
    batches,
    queue: queues,
    readOnly: fc.constantFrom(null, "held"),
    usage: fc.constantFrom(null, { used: 1, size: 2 }),
  })
  .map((made) => ({ ...base, ...made }));

describe("The difference of two states", () => {
  it("turns the one into the other", () => {
    fc.assert(
      fc.property(states, states, (from, to) => {
        let now = from;
        for (const op of diff(from, to)) {
          const next = reduce(now, op);
          assert.notEqual(next, "gap");
          if (next !== "gap") now = next;
        }
        assert.deepEqual(now, to);
      }),
    );
  });

  it("is nothing between equals", () => {
    fc.assert(
      fc.property(states, (state) => {
        assert.deepEqual(diff(state, structuredClone(state)), []);
      }),
    );
  });

  it("sends of a text that grew only what is new", () => {
    const to = {
      ...growing,
      messages: growing.messages.with(
        1,
        message(1, 1, agent("hello you", true)),
      ),
    };
    assert.deepEqual(diff(growing, to), [piece(5, " you")]);
  });
});
