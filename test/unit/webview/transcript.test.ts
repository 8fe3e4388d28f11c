import assert from "node:assert/strict";
import type { ViewState } from "../../../src/protocol/viewState.ts";
import { announce, greet } from "../../../webview/chat/announce.ts";
import { Live } from "../../../webview/chat/live.ts";
import { footOf } from "../../../webview/chat/footer.ts";
import type { FootFacts } from "../../../webview/chat/footer.ts";
import { group } from "../../../webview/chat/groups.ts";
import type { Group } from "../../../webview/chat/groups.ts";
import {
  moved,
  sections,
  waitsFor,
} from "../../../webview/chat/queueSections.ts";
import { queueReceipt, receiptOf } from "../../../webview/chat/receipts.ts";
import { Stick } from "../../../webview/chat/stick.ts";
import { transition } from "../../../webview/chat/windowing.ts";
import {
  agent,
  base,
  batch,
  message,
  queued,
  start,
  user,
} from "../../fixtures/webviewDev/make.ts";

const tool = {
  kind: "tool",
  toolCallId: "c",
  title: "run",
  toolKind: "execute",
  status: "completed",
  locations: [],
  content: [],
} as const;

describe("Groups of a transcript", () => {
  const messages = [
    message(1, 0, user("a")),
    message(1, 1, tool),
    message(1, 2, tool),
    message(1, 3, agent("b")),
    message(
      50,
      0,
      { kind: "notice", level: "info", code: "x", text: "n" },
      {
        batch: null,
      },
    ),
    message(90, 0, user("c")),
  ];
  it("are batches, with calls that follow each other in one row", () => {
    assert.deepEqual(
      group(messages).map(({ batch: of, rows }) => [
        of === null,
        rows.map(({ kind, ids }) => `${kind} ${ids.length}`),
      ]),
      [
        [false, ["user 1", "tool 2", "agent 1"]],
        [true, ["notice 1"]],
        [false, ["user 1"]],
      ],
    );
  });
  it("stay the same objects while only text grows", () => {
    const before = group(messages);
    const grown = messages.with(3, message(1, 3, agent("b and more")));
    assert.equal(group(grown, before), before);
    const more = group([...messages, message(90, 1, agent("d"))], before);
    assert.equal(more[0], before[0]);
    assert.notEqual(more[2], before[2]);
  });
});

describe("Receipts", () => {
  const states = [
    ["queued", "circle"],
    ["claimed", "circle"],
    ["sent", "check"],
    ["delivered", "check-all"],
    ["seenAborted", "circle-slash"],
    ["uncertain", "question"],
    ["superseded", "redo"],
    ["discarded", "close"],
  ] as const;
  for (const [state, icon] of states)
    it(`of a message that is ${state}`, () => {
      const receipt = receiptOf(message(1, 0, user("a"), { state }), batch(1));
      assert.equal(receipt?.icon, icon);
      assert.equal(receipt.needsYou, state === "uncertain");
      if (["sent", "delivered", "seenAborted", "uncertain"].includes(state))
        assert.match(receipt.title, /\d\d:\d\d/);
    });
  it("none for what the agent said", () => {
    assert.equal(receiptOf(message(1, 0, agent("a")), batch(1)), undefined);
  });
  it("I48: each queued message has its own", () => {
    const items = [
      queued("a", "x"),
      queued("b", "x", { waiting: true }),
      queued("c", "x", { separate: true }),
    ];
    const titles = items.map((item) => queueReceipt(item, false).title);
    assert.equal(new Set(titles).size, items.length);
    assert.equal(queueReceipt(queued("a", "x"), true).title, "Never sent");
  });
});

describe("The footer of a turn", () => {
  const facts: FootFacts = {
    now: start + 48_000,
    status: { state: "busy", since: start, updateAt: start + 40_000 },
    agent: "Claude Code",
    answered: true,
  };
  const foot = (
    of: Parameters<typeof batch>[1],
    more: Partial<FootFacts> = {},
  ): string => {
    const { text, parts } = footOf(batch(0, { startedAt: start, ...of }), {
      ...facts,
      ...more,
    });
    return [text, ...parts.map((part) => part.text)].join(" · ");
  };
  const live = { status: "processing", endedAt: undefined } as const;
  const cases: readonly (readonly [string, string])[] = [
    [foot({ ...live }), "Working 0:48"],
    [
      foot({ ...live }, { plan: { done: 2, all: 4 } }),
      "Working 0:48 · plan 2 of 4",
    ],
    [
      foot(
        { ...live },
        {
          now: start + 72_000,
          status: {
            state: "busy",
            since: start,
            updateAt: start + 40_000,
            signAt: start + 70_000,
          },
          tool: "pnpm e2e",
        },
      ),
      "Silent for 32 s · the agent is alive, pnpm e2e still runs",
    ],
    [
      foot(
        { ...live },
        {
          now: start + 72_000,
          status: { state: "stuck", since: start, updateAt: start + 40_000 },
        },
      ),
      "Silent for 32 s · the agent does not answer",
    ],
    [
      foot(
        { ...live },
        {
          now: start + 72_000,
          status: { state: "waiting", since: start, updateAt: start },
        },
      ),
      "Working 1:12",
    ],
    [
      foot({
        usage: { inputTokens: 18_000, outputTokens: 400 },
        compiled: { kind: "delta", bytes: 1_230 },
      }),
      "Done in 1m 42s · 18.4k tokens · delta · 1.2 KB sent",
    ],
    [foot({ stop: "max_tokens" }), "Done in 1m 42s · token limit reached"],
    [
      foot({
        rebuilt: "The session was reset.",
        compiled: { kind: "full", bytes: 2_048 },
      }),
      "Done in 1m 42s · memory rebuilt · full context · 2.0 KB sent",
    ],
    [foot({ notSaved: true }), "Done in 1m 42s · not saved"],
    [
      foot({ status: "processing", notSaved: true }),
      "Not saved · Turnline keeps trying",
    ],
    [foot({ status: "cancelled" }), "Stopped after 1m 42s"],
    [
      foot({ status: "failed", why: "exit code 1" }),
      "Failed after 1m 42s · exit code 1",
    ],
    [
      foot({ status: "interrupted", why: "window closed" }),
      "Interrupted after 1m 42s · window closed",
    ],
    [
      foot({ status: "interrupted" }, { answered: false }),
      "Interrupted before an answer",
    ],
  ];
  for (const [said, expected] of cases)
    it(expected, () => assert.equal(said, expected));
});

describe("The queue's sections", () => {
  const shape = (ids: string, ...plan: string[]): string[] =>
    sections(
      words(ids).map((id) => queued(id, "")),
      plan.map(words),
    ).map(
      ({ kind, items: of }) => `${kind} ${of.map(({ id }) => id).join(" ")}`,
    );
  const words = (ids: string): string[] => ids.split(" ").filter(Boolean);
  it("are the turns the host plans, then what waits for room", () => {
    assert.deepEqual(shape("a b c d e f", "a b", "c", "d"), [
      "next a b",
      "then c",
      "then d",
      "waits e f",
    ]);
  });
  it("follow the plan where it leaves the queue's order", () => {
    assert.deepEqual(shape("a b c d", "a c", "b d"), ["next a c", "then b d"]);
  });
  it("draw only what is there, each item once", () => {
    assert.deepEqual(shape("b c", "a", "b", "b c"), ["next b", "then c"]);
    assert.deepEqual(shape(""), []);
  });
  it("say what they wait for", () => {
    const { facts, status } = base;
    const says = (
      more: Partial<typeof facts>,
      state: typeof status.state,
      turn = false,
    ): string =>
      waitsFor(
        { ...facts, ...more },
        { ...status, state, text: "It waits for your answer." },
        "Codex",
        1_000,
        turn,
      );
    assert.equal(says({}, "starting"), "Goes when Codex is ready");
    assert.equal(says({}, "starting", true), "Goes when this turn ends");
    assert.equal(says({}, "waiting", true), "Goes when this turn ends");
    assert.equal(says({}, "waiting"), "It waits for your answer.");
    assert.equal(says({}, "busy"), "Goes when this turn ends");
    assert.equal(says({}, "restarting"), "Goes when Codex is back");
    assert.equal(
      says({ gated: true }, "ready"),
      "Waits for a message of yours",
    );
    assert.equal(says({ gated: true, held: "user" }, "ready"), "On hold");
    assert.equal(
      says({ held: "restored" }, "none"),
      "On hold until you decide",
    );
    assert.equal(
      says({ collectingUntil: 3_000 }, "ready"),
      "Collecting, goes in 0:02",
    );
  });
  it("move one place at a time", () => {
    const ids = ["a", "b", "c"];
    assert.deepEqual(moved(ids, "b", -1), { before: "a", place: 1 });
    assert.deepEqual(moved(ids, "b", 1), { before: null, place: 3 });
    assert.deepEqual(moved(ids, "a", 1), { before: "c", place: 2 });
    assert.equal(moved(ids, "a", -1), undefined);
    assert.equal(moved(ids, "c", 1), undefined);
  });
});

describe("Following the end", () => {
  const at = (scrollTop: number): Parameters<Stick["scrolled"]>[0] => ({
    scrollTop,
    scrollHeight: 1_000,
    clientHeight: 400,
  });
  const stuckAfter = (
    moves: readonly ("touch" | "follow" | number)[],
  ): boolean => {
    const stick = new Stick();
    let now = 0;
    for (const move of moves) {
      now += 10;
      if (move === "touch") stick.touched(now);
      else if (move === "follow") stick.follow();
      else stick.scrolled(at(move), now);
    }
    return stick.stuck;
  };
  const cases: readonly (readonly [
    string,
    readonly ("touch" | "follow" | number)[],
    boolean,
  ])[] = [
    ["holds while nobody scrolls", [600, 590], true],
    ["ends when the user scrolls up", [600, "touch", 500], false],
    ["stays ended while the text grows", [600, "touch", 500, 500], false],
    ["begins again at the end", [600, "touch", 500, 600], true],
    [
      "holds where the way to the end is longer than it seemed",
      [600, "touch", 100, "follow", 600, 550],
      true,
    ],
  ];
  for (const [name, moves, stuck] of cases)
    it(name, () => assert.equal(stuckAfter(moves), stuck));
});

describe("Moving the window", () => {
  const groups = (keys: string): Group[] =>
    Array.from(keys, (key) => ({ key, batch: key, rows: [] }));
  const steps = (from: string, to: string): string[] => {
    const made: string[] = [];
    let now = groups(from);
    for (let i = 0; i < 4; i++) {
      const { shown, shift, done } = transition(now, groups(to));
      made.push(
        `${shown.map(({ key }) => key).join("")}${shift ? " shift" : ""}`,
      );
      if (done) break;
      now = [...shown];
    }
    return made;
  };
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["", "abc", ["abc"]],
    ["cd", "cde", ["cde"]],
    ["cd", "abcd", ["abcd shift"]],
    ["abcd", "cd", ["cd shift"]],
    ["cdef", "abcd", ["abcdef shift", "abcd"]],
    ["abcd", "cdef", ["cd shift", "cdef"]],
    ["ab", "xy", ["xy"]],
  ];
  for (const [from, to, expected] of cases)
    it(`${from} to ${to}`, () => assert.deepEqual(steps(from, to), expected));
});

describe("What a screen reader is told", () => {
  const live = batch(1, { status: "processing", endedAt: undefined });
  const busy: ViewState = { ...base, batches: [live] };
  const said = (
    from: ViewState,
    to: ViewState,
  ): readonly (readonly string[])[] => {
    const { polite, assertive } = announce(from, to);
    return [polite, assertive];
  };
  it("a turn's start and end, with its answer once", () => {
    assert.deepEqual(said(base, busy), [["Turn started."], []]);
    const ended = {
      ...busy,
      messages: [message(1, 1, agent("All green."))],
      batches: [batch(1)],
    };
    assert.deepEqual(said(busy, ended), [
      ["Turn ended after 1m 42s.", "All green."],
      [],
    ]);
  });
  it("a failure and a question at once", () => {
    const failed = {
      ...busy,
      batches: [{ ...live, status: "failed" as const, why: "No." }],
    };
    assert.deepEqual(said(busy, failed), [[], ["Turn failed. No."]]);
  });
  it("nothing of streamed text, of history, or of another thread", () => {
    const grown = { ...busy, messages: [message(1, 1, agent("a", true))] };
    assert.deepEqual(said(busy, grown), [[], []]);
    assert.deepEqual(said(base, { ...base, batches: [batch(0)] }), [[], []]);
    const elsewhere = {
      ...busy,
      thread: {
        ...(base.thread ?? {
          id: "",
          title: "",
          agent: { id: "", label: "" },
          folder: "",
          folderLabel: "",
          held: null,
        }),
        id: "t2",
      },
    };
    assert.deepEqual(said(base, elsewhere), [[], []]);
  });
  it("the queue's growth, hold and resume", () => {
    const planned = (...plan: string[][]): ViewState["facts"] => ({
      ...base.facts,
      plan,
    });
    const one: ViewState = {
      ...base,
      queue: [queued("a", "x")],
      facts: planned(["a"]),
    };
    const held = { ...one, facts: { ...one.facts, held: "user" as const } };
    assert.deepEqual(said(base, one), [["1 in the next turn."], []]);
    const apart = {
      ...one,
      queue: [...one.queue, queued("b", "y", { separate: true })],
      facts: planned(["a"], ["b"]),
    };
    assert.deepEqual(said(one, apart), [["Queued for a later turn."], []]);
    const joined = { ...apart, facts: planned(["a", "b"]) };
    assert.deepEqual(said(one, joined), [["2 in the next turn."], []]);
    assert.deepEqual(said(one, held), [["Queue on hold."], []]);
    assert.deepEqual(said(held, one), [["Queue resumed."], []]);
  });
  it("what a restart left waiting, once the thread is opened", () => {
    const queue = [queued("a", "x"), queued("b", "y")];
    const facts = { ...base.facts, held: "restored" as const };
    assert.equal(
      greet({ ...base, queue, facts }),
      "Restored 2 messages. Nothing was sent.",
    );
    assert.equal(greet({ ...base, queue }), "");
  });
  it("all that comes in one frame, and the same words again as a change", () => {
    const timers: (() => void)[] = [];
    const live = new Live((run) => timers.push(run));
    const heard = (): string => {
      for (const run of timers.splice(0)) run();
      return live.assertive.value;
    };
    live.alert("Permission asked: Run it");
    live.alert("Turn failed.");
    assert.equal(heard(), "Permission asked: Run it Turn failed.");
    live.alert("Turn failed.");
    const first = heard();
    live.alert("Turn failed.");
    const second = heard();
    assert.notEqual(second, first);
    assert.equal(second.trim(), first.trim());
  });
});
