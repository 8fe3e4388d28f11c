import assert from "node:assert/strict";
import { searchWords } from "../../../src/host/searchWords.ts";
import type { TimelineBatch } from "../../../src/protocol/timeline.ts";
import { exportRows, toCsv } from "../../../webview/timeline/exports.ts";
import {
  byDay,
  byThread,
  figuresOf,
} from "../../../webview/timeline/figures.ts";
import { noFilter, queuePasses } from "../../../webview/timeline/filter.ts";
import type { Filter } from "../../../webview/timeline/filter.ts";
import { lanesOf, nearest, spread } from "../../../webview/timeline/lanes.ts";
import {
  gripAt,
  kept,
  resized,
  zoomed,
} from "../../../webview/timeline/range.ts";
import {
  moment,
  relations,
  span,
  turnName,
} from "../../../webview/timeline/words.ts";

const known = {
  agents: [
    { id: "codex", label: "Codex" },
    { id: "vscode", label: "Cod fish" },
  ],
  threads: [
    { id: "t1", title: "Fix the build" },
    { id: "t2", title: "Look at the build again" },
    { id: "t3", title: "Docs" },
  ],
};

describe("what is typed into search", () => {
  const cases: readonly (readonly [string, object | string])[] = [
    ["plain words", { text: "plain words" }],
    ["agent:cod x", { agents: ["codex", "vscode"], text: "x" }],
    ["agent:codex", { agents: ["codex"], text: "" }],
    ['thread:"the build" x', { threads: ["t1", "t2"], text: "x" }],
    ["thread:docs", { threads: ["t3"], text: "" }],
    ["is:queued has:diff", { state: "queued", has: "diff", text: "" }],
    ["before:2026-02-01", { before: new Date(2026, 1, 1).getTime(), text: "" }],
    ["http://x y", { text: "http://x y" }],
    ["agent:", { text: "" }],
    ["agent:nobody", "No agent is called nobody."],
    ["is:odd", "is: knows queued, not odd."],
  ];
  for (const [typed, wanted] of cases)
    it(`"${typed}"`, () => {
      const asked = searchWords(typed, known);
      assert.deepEqual(asked.ok ? asked.query : asked.why, wanted);
    });
});

const thread = {
  id: "t",
  title: '=1+1, "x"',
  agent: "A",
  mark: "none",
  held: false,
  queued: [],
} as const;
const turn = (from: number, ...typed: readonly number[]): TimelineBatch => ({
  id: String(from).padStart(16, "0"),
  thread: "t",
  type: "user_request",
  parent: null,
  retry: false,
  status: "completed",
  typed,
  parts: [{ kind: "think", from, to: from + 10 }],
  claimed: from,
  turns: [{ messages: typed.length, claimed: from, firstOutput: from + 5 }],
  agent: "A",
  sent: null,
  stop: "end_turn",
  tools: 0,
});
const batches = [turn(100, 100), turn(200, 120, 150, 190)];

describe("the timeline's figures and places", () => {
  const [lane] = lanesOf(
    [thread],
    batches.toReversed(),
    () => true,
    () => true,
    {},
  );

  it("counts turns saved, waits and sizes", () => {
    const { saved, wait, sizes, single, batched } = figuresOf(
      batches,
      999,
      new Map(),
    );
    assert.equal(saved, 2);
    assert.deepEqual(wait, { p50: 10, p90: 80 });
    assert.deepEqual(sizes, [1, 0, 1, 0, 0, 0]);
    assert.deepEqual([single?.p50, batched?.p50], [5, 85]);
  });

  it("counts turns that were begun, not batches", () => {
    const sent = (messages: number, claimed: number): object => ({
      ...{ messages, claimed, firstOutput: null },
    });
    const continued = {
      ...turn(300, 300, 400),
      turns: [sent(1, 300), sent(1, 410)],
    } as TimelineBatch;
    const discarded = { ...turn(500, 500, 501), turns: [] };
    const { turns, messages, saved, sizes, wait } = figuresOf(
      [continued, discarded],
      999,
      new Map(),
    );
    assert.deepEqual([turns, messages, saved], [2, 2, 0]);
    assert.deepEqual(sizes, [2, 0, 0, 0, 0, 0]);
    assert.deepEqual(wait, { p50: 0, p90: 10 });
  });

  it("sums by day, newest first, and by thread, busiest first", () => {
    const noon = new Date(2026, 1, 3, 12).getTime();
    const earlier = turn(noon - 86_400_000, noon - 86_400_000);
    const other = { ...turn(noon, noon - 2, noon), thread: "u" };
    const all = [earlier, turn(noon + 50, noon), other];
    const saved = new Map([[other.id, 700]]);
    assert.deepEqual(
      byDay(all, 0, saved).map(
        ({ key, turns, messages, saved, notResent, sizes }) => ({
          ...{ key, turns, messages, saved, notResent, sizes },
        }),
      ),
      [
        {
          ...{ key: "2026-02-03", turns: 2, messages: 3 },
          ...{ saved: 1, notResent: 700, sizes: [1, 1, 0, 0, 0, 0] },
        },
        {
          ...{ key: "2026-02-02", turns: 1, messages: 1 },
          ...{ saved: 0, notResent: 0, sizes: [1, 0, 0, 0, 0, 0] },
        },
      ],
    );
    assert.deepEqual(
      byThread(all, 0, saved).map(({ key, turns, notResent }) => [
        ...[key, turns, notResent],
      ]),
      [
        ["t", 2, 0],
        ["u", 1, 700],
      ],
    );
  });

  it("tells a retry from a continuation, and which turn it is of", () => {
    const first = { ...turn(100, 100), status: "failed" as const };
    const again = { ...turn(200, 200), parent: first.id, retry: true };
    const third = { ...turn(300, 300), parent: again.id, retry: true };
    const goesOn = { ...turn(400, 400), parent: third.id };
    const [lane] = lanesOf(
      [thread],
      [first, again, third, goesOn],
      () => true,
      () => true,
      {},
    );
    assert.ok(lane);
    assert.deepEqual(lane.bars.map(relations), [
      ["retried as turn 2"],
      ["retry of turn 1", "retried as turn 3"],
      ["retry of turn 2, try 3"],
      ["continues turn 3"],
    ]);
    assert.deepEqual(lane.failed, [100]);
  });

  it("shows a thread for its queue only when that is what is asked for", () => {
    const waits = { ...thread, id: "w", queued: [1] };
    const lanes = (filter: Partial<Filter>): number =>
      lanesOf(
        [waits],
        [],
        () => true,
        (one) => queuePasses({ ...noFilter, ...filter }, one),
        {},
      ).length;
    assert.equal(lanes({}), 1);
    assert.equal(lanes({ thread: "w" }), 1);
    assert.equal(lanes({ thread: "t" }), 0);
    assert.equal(lanes({ status: "failed" }), 0);
  });

  it("numbers turns from the first, and finds the nearest", () => {
    assert.ok(lane);
    assert.deepEqual(
      lane.bars.map(({ n, from }) => [n, from]),
      [
        [1, 100],
        [2, 200],
      ],
    );
    assert.equal(nearest(lane.bars, 130)?.n, 1);
    assert.equal(nearest(lane.bars, 180)?.n, 2);
  });

  it("keeps a turn in reach for each spot, however many share it", () => {
    const crowd = Array.from({ length: 300 }, (_, n) => turn(1_000 + n * 20));
    const [lane] = lanesOf(
      [thread],
      crowd,
      () => true,
      () => true,
      {},
    );
    const shown = (spot: number): number =>
      spread(lane?.bars ?? [], { from: 0, to: 9_000 }, spot).length;
    assert.equal(shown(1), 300);
    assert.equal(shown(2_000), 3);
    assert.equal(shown(50_000), 1);
  });

  it("counts those that are too old to be told, and no number before all are counted", () => {
    const numbers = (
      before: Readonly<Record<string, number>> | null,
    ): readonly unknown[] =>
      lanesOf(
        [thread],
        batches,
        () => true,
        () => true,
        before,
      ).flatMap(({ bars }) => bars.map((bar) => [bar.n, turnName(bar)]));
    assert.deepEqual(numbers({ t: 40 }), [
      [41, "Turn 41"],
      [42, "Turn 42"],
    ]);
    assert.deepEqual(numbers(null), [
      [null, "Turn"],
      [null, "Turn"],
    ]);
  });

  it("exports rows that a spreadsheet takes as they are", () => {
    const csv = toCsv(
      exportRows(lane === undefined ? [] : [lane], 999, new Map()),
    );
    const [head, first, , end] = csv.split("\r\n");
    assert.match(head ?? "", /^thread,agent,turn,batch/);
    assert.match(first ?? "", /^"'=1\+1, ""x""",A,1,/);
    assert.equal(end, "");
  });

  it("zooms around a time, and never leaves what there is", () => {
    const range = { from: 0, to: 10_000 };
    assert.deepEqual(zoomed(range, 0.5, 2_000), { from: 1_000, to: 6_000 });
    const inside = kept({ from: 90_000, to: 99_000 }, { from: 0, to: 50_000 });
    assert.equal(inside.to - inside.from, 9_000);
    assert.ok(inside.to <= 50_000 * 1.04);
  });

  it("names the day of what is not of today", () => {
    const now = new Date(2026, 1, 3, 12, 30).getTime();
    const yesterday = new Date(2026, 1, 2, 9, 5, 7).getTime();
    assert.equal(moment(now, now), "12:30:00");
    assert.match(moment(yesterday, now), /2.*, 09:05:07$/);
    assert.equal(span(now - 60_000, null, now), "12:29 to now");
    assert.equal(span(now - 60_000, now, now), "12:29 to 12:30");
    assert.equal(span(now - 1_000, now - 500, now), "12:29");
    assert.match(span(yesterday, now, now), /2.*, 09:05 to 12:30$/);
    assert.match(span(now - 86_400_000, now, now), /2.*, 12:30 to .*12:30$/);
    assert.match(span(yesterday, yesterday + 60_000, now), /09:05 to 09:06$/);
  });

  it("takes hold of the overview's window by its edges or whole, and moves one edge", () => {
    const grips = [90, 96, 103, 150, 198, 204, 300].map((at) =>
      gripAt(at, 100, 200),
    );
    assert.deepEqual(grips, [
      ...["window", "from", "from", "window", "to", "to", "window"],
    ]);
    assert.equal(gripAt(103, 100, 106), "window");
    const range = { from: 0, to: 10_000 };
    assert.deepEqual(resized(range, "to", 4_000), { from: 0, to: 4_000 });
    assert.deepEqual(resized(range, "from", 99_000), {
      from: 9_000,
      to: 10_000,
    });
  });
});
