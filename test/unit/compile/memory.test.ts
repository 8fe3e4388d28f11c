import assert from "node:assert/strict";
import {
  recall,
  settle,
  type Reopened,
} from "../../../src/core/compile/memory.ts";
import type { StopReason } from "../../../src/core/message.ts";
import type { AgentFailureKind } from "../../../src/core/agentPort.ts";
import type { Session } from "../../../src/core/thread.ts";
import {
  at,
  claude,
  compileFor,
  identity,
  live,
  sessionOf,
  Story,
  todo,
} from "./story.ts";

const expected = {
  agent: "claude",
  folder: "/work",
  generation: 1,
  sessionId: "claude-1",
};
const session = sessionOf(claude, { cursor: at(1), state: "suspended" });
const failed = (kind: AgentFailureKind): Reopened => ({
  kind: "failed",
  failure: { kind, message: "no" },
});

describe("what a stored session still stands for", () => {
  const transient = [
    "notFound",
    "exited",
    "timeout",
    "protocol",
    "signIn",
    "refused",
  ] as const;
  for (const kind of transient)
    it(`I43: a resume that fails with ${kind} keeps the session and sends nothing`, () => {
      const recalled = recall(session, expected, failed(kind));
      assert.equal(recalled.kind, "wait");
    });

  const cases: readonly [string, Session | undefined, Reopened, unknown][] = [
    ["open again", session, { kind: "open" }, live(session)],
    [
      "gone for good",
      session,
      failed("noSession"),
      { kind: "none", why: "lost" },
    ],
    [
      "of an agent that cannot resume",
      session,
      { kind: "cannot" },
      { kind: "none", why: "cannotResume" },
    ],
    ["none", undefined, { kind: "open" }, { kind: "none", why: "new" }],
    [
      "never named",
      { ...session, sessionId: null },
      { kind: "open" },
      { kind: "none", why: "new" },
    ],
    [
      "of another folder",
      { ...session, folder: "/else" },
      { kind: "open" },
      { kind: "none", why: "folderChanged" },
    ],
    [
      "known to be lost",
      { ...session, state: "lost" },
      { kind: "open" },
      { kind: "none", why: "lost" },
    ],
  ];
  for (const [name, stored, reopened, answer] of cases)
    it(name, () => {
      assert.deepEqual(recall(stored, expected, reopened), answer);
    });
});

describe("a session after a turn", () => {
  const story = new Story();
  const batch = story.claim(["one", "two"]);
  const before = sessionOf(claude, { cursor: at(0), ledger: { todo: "old" } });
  const compiled = compileFor(story, batch, {
    memory: live(before),
    fragments: [todo("new")],
  });

  const succeeded: readonly StopReason[] = [
    "end_turn",
    "max_tokens",
    "max_turn_requests",
  ];
  for (const stop of succeeded)
    it(`I40: ${stop} moves cursor and ledger to what was compiled`, () => {
      const after = settle(before, compiled, stop);
      assert.equal(after.cursor, batch.at(-1)?.position);
      assert.deepEqual(after.ledger, compiled.ledger);
    });

  const not: readonly StopReason[] = [
    "refusal",
    "cancelled",
    "error",
    "stuck",
    "interrupted",
  ];
  for (const stop of not)
    it(`I40: ${stop} moves no cursor, and leaves of the ledger only what may be there`, () => {
      const other = { ...before, ledger: { nudges: "old" } };
      assert.deepEqual(settle(other, compiled, stop), {
        ...before,
        ledger: { nudges: "", todo: "" },
      });
    });

  it("I40: after an abort what is there goes again, and what has gone is withdrawn", () => {
    const aborted = settle(before, compiled, "cancelled");
    const next = (list: string) =>
      compileFor(story, batch, {
        memory: live(aborted),
        fragments: [identity, todo(list)],
      });
    assert.deepEqual(
      ["new", "old", ""].map((list) =>
        next(list).parts.flatMap(({ label, why, kind }) =>
          kind === "fragment" ? [`${label} ${why}`] : [],
        ),
      ),
      [["todo new"], ["todo new"], ["todo withdrawn"]],
    );
    assert.deepEqual(next("").ledger, {});
  });

  it("I40: the cursor never goes back", () => {
    const ahead = { ...before, cursor: at(99) };
    assert.equal(settle(ahead, compiled, "end_turn").cursor, at(99));
    const nowhere = { ...compiled, through: null };
    assert.equal(settle(before, nowhere, "end_turn").cursor, at(0));
  });
});
