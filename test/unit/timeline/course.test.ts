import assert from "node:assert/strict";
import { courseOf, type BatchCourse } from "../../../src/core/batchCourse.ts";
import type { Body, Marks, Message } from "../../../src/core/message.ts";
import { agent, at, body, timeAt, user } from "../../fakes/recordBuilder.ts";

/** A row a second, unless it says when. */
type Step = Body | { readonly n: number; readonly body: Body; marks?: Marks };

const said: Body = { kind: "user", blocks: [{ type: "text", text: "x" }] };
const ask: Body = {
  kind: "permission",
  toolCallId: "a",
  title: "Run a",
  options: [],
};
const answered = (n: number): Body => ({
  ...ask,
  chosen: "yes",
  decidedAt: at(n),
});
const end = (stop: Extract<Body, { kind: "turnEnd" }>["stop"]): Body => ({
  kind: "turnEnd",
  stop,
});

function rows(...steps: readonly Step[]): readonly Message[] {
  return steps.map((step, index) => {
    const { n, body, marks } =
      "n" in step ? step : { n: index, body: step, marks: {} };
    return {
      id: `m${index}`,
      thread: "t",
      arrived: at(n),
      rank: null,
      position: at(n),
      batch: at(0),
      sequence: index,
      batchType: "user_request",
      parentBatch: null,
      retryOf: null,
      sender: body.kind === "user" ? user : agent,
      state: body.kind === "user" ? "delivered" : null,
      marks: marks ?? {},
      body,
    };
  });
}

/** `think 1-3` for each part, seconds from the first row. */
function told({ parts }: BatchCourse): readonly string[] {
  const seconds = (time: number): number => (time - timeAt(0)) / 1000;
  return parts.map(
    ({ kind, from, to }) =>
      `${kind} ${seconds(from)}-${to === null ? "" : seconds(to)}`,
  );
}

describe("the course of a batch", () => {
  const cases: readonly (readonly [
    string,
    readonly Step[],
    readonly string[],
  ])[] = [
    [
      "compiling, then thinking",
      [said, body.start(), body.agent("a"), end("end_turn")],
      ["compile 0-1", "think 1-3"],
    ],
    [
      "tools that overlap are one stretch",
      [
        said,
        body.start(),
        body.call("a"),
        body.call("b"),
        body.result("a"),
        body.result("b"),
        end("end_turn"),
      ],
      ["compile 0-1", "think 1-2", "tool 2-5", "think 5-6"],
    ],
    [
      "a question waits until it is answered, and what it asked about runs after that",
      [
        said,
        body.start(),
        body.call("a"),
        { n: 3, body: answered(5) },
        { n: 65, body: body.result("a") },
        { n: 66, body: end("end_turn") },
      ],
      [
        "compile 0-1",
        "think 1-2",
        "tool 2-3",
        "permission 3-5",
        "tool 5-65",
        "think 65-66",
      ],
    ],
    [
      "what else happens meanwhile does not answer it",
      [
        said,
        body.start(),
        body.call("a"),
        body.call("b"),
        { n: 4, body: answered(9) },
        { n: 5, body: body.result("b") },
        { n: 6, body: answered(7) },
        { n: 12, body: end("end_turn") },
      ],
      ["compile 0-1", "think 1-2", "tool 2-4", "permission 4-9", "tool 9-12"],
    ],
    [
      "one answered just now runs already",
      [said, body.start(), body.call("a"), { n: 3, body: answered(4) }],
      ["compile 0-1", "think 1-2", "tool 2-3", "permission 3-4", "tool 4-"],
    ],
    [
      "one withdrawn by the end of its turn waited until then",
      [
        said,
        body.start(),
        { n: 2, body: answered(8) },
        { n: 8, body: end("cancelled") },
      ],
      ["compile 0-1", "think 1-2", "permission 2-8"],
    ],
    [
      "an answer that has no time, of an older record, was given before anything else happened",
      [
        said,
        body.start(),
        body.call("a"),
        ask,
        body.result("a"),
        end("end_turn"),
      ],
      ["compile 0-1", "think 1-2", "tool 2-3", "permission 3-4", "think 4-5"],
    ],
    [
      "what runs has no end yet",
      [said, body.start(), body.call("a")],
      ["compile 0-1", "think 1-2", "tool 2-"],
    ],
    [
      "a crash is told when someone comes back, but ended at the last sign",
      [
        said,
        body.start(),
        body.agent("a"),
        { n: 900, body: end("interrupted") },
      ],
      ["compile 0-1", "think 1-2"],
    ],
    [
      "what comes late belongs to no turn",
      [
        said,
        body.start(),
        end("end_turn"),
        { n: 8, body: body.agent("late"), marks: { late: true } },
      ],
      ["compile 0-1", "think 1-2"],
    ],
    [
      "a continued batch has a gap between its turns",
      [
        said,
        body.start(),
        end("max_tokens"),
        { n: 20, body: said },
        { n: 21, body: body.start() },
        { n: 25, body: end("end_turn") },
      ],
      ["compile 0-1", "think 1-2", "compile 20-21", "think 21-25"],
    ],
    ["what was never sent has no parts", [said], []],
  ];
  for (const [name, steps, parts] of cases)
    it(name, () => assert.deepEqual(told(courseOf(rows(...steps))), parts));

  it("compiling goes on while messages are claimed", () => {
    const claimed = rows(said).map((row): Message => ({
      ...row,
      state: "claimed",
    }));
    assert.deepEqual(told(courseOf(claimed)), ["compile 0-"]);
  });

  it("tells each turn that was begun: what it carried, and its first word", () => {
    const turns = (...steps: readonly Step[]): readonly unknown[] =>
      courseOf(rows(...steps)).turns.map(
        ({ messages, claimed, firstOutput }) => [
          messages,
          (claimed - timeAt(0)) / 1000,
          firstOutput === null ? null : (firstOutput - timeAt(0)) / 1000,
        ],
      );
    assert.deepEqual(
      turns(
        ...[said, said, body.start(), body.agent("a"), end("max_tokens")],
        ...[said, body.start(), end("end_turn")],
      ),
      [
        [2, 0, 3],
        [1, 5, null],
      ],
    );
    assert.deepEqual(turns(said), []);
  });

  it("knows when messages were typed, who answered, what was sent and why it ended", () => {
    const { typed, agent, sent, stop } = courseOf(
      rows(said, said, body.start(), end("refusal")),
    );
    assert.deepEqual(typed, [timeAt(0), timeAt(1)]);
    assert.equal(agent, "builtin");
    assert.equal(sent?.kind, "delta");
    assert.equal(stop, "refusal");
  });
});
