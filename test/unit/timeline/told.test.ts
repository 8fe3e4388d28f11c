import assert from "node:assert/strict";
import type { TimelineBatch } from "../../../src/protocol/timeline.ts";
import { changedBatches, pastBatches } from "../../../src/host/timelineFeed.ts";
import { Timeline } from "../../../webview/timeline/app.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { at, body, write } from "../../fakes/recordBuilder.ts";

const catalog = { label: (id: string): string => id };

/** A record of one thread with this many batches of one message each. */
async function recordOf(count: number): Promise<MemoryStore> {
  const store = new MemoryStore();
  const writes = Array.from({ length: count }, (_, index) => {
    const n = index * 10 + 1;
    return [
      write.accept(`m${n}`, n),
      write.claim(at(n + 1), [[`m${n}`, n + 1]]),
      write.append(`s${n}`, n + 2, at(n + 1), body.start()),
      write.append(`e${n}`, n + 3, at(n + 1), body.end()),
    ];
  });
  const answer = await store.commit(
    [write.thread("t"), ...writes.flat()],
    "normal",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  return store;
}

const ends = (store: MemoryStore): Parameters<typeof pastBatches>[0] =>
  ({ store, catalog }) as unknown as Parameters<typeof pastBatches>[0];

describe("what the timeline is told", () => {
  it("counts what is older than the most that is told", async () => {
    const store = await recordOf(7);
    const told = async (most: number): Promise<unknown> => {
      const past = pastBatches(ends(store), {}, most);
      let count = 0;
      let page = await past.next();
      for (; page.done !== true; page = await past.next())
        count += page.value.length;
      return [count, page.value];
    };
    assert.deepEqual(await told(5), [5, { older: true, before: { t: 2 } }]);
    assert.deepEqual(await told(8), [7, { older: false, before: {} }]);
  });

  it("tells an old batch again in which something changed", async () => {
    const store = await recordOf(7);
    const ids = async (named: readonly string[]): Promise<unknown> =>
      (await changedBatches(ends(store), "t", new Set(named))).map(
        ({ id }) => id,
      );
    const newest = [62, 52, 42, 32].map((n) => at(n));
    assert.deepEqual(await ids([]), newest);
    assert.deepEqual(await ids([at(62), at(12)]), [...newest, at(12)]);
  });

  it("forgets what is not told any more, once all is told", () => {
    const app = new Timeline(
      () => undefined,
      () => 999,
    );
    const batch = (id: string): TimelineBatch => ({
      ...{ id, thread: "t", type: "user_request", parent: null, retry: false },
      ...{ status: "completed", typed: [1], parts: [], claimed: 1, turns: [] },
      ...{ agent: "A", sent: null, stop: "end_turn", tools: 0 },
    });
    const shown = (): readonly string[] => [...app.bars.value.keys()];
    const numbers = (): readonly (number | null)[] =>
      [...app.bars.value.values()].map(({ n }) => n);
    const complete = { type: "complete", older: false, before: {} } as const;
    const [thread] = [
      { id: "t", title: "T", agent: "A", mark: "none" },
    ] as const;
    app.take({
      type: "threads",
      now: 999,
      threads: [{ ...thread, held: false, queued: [] }],
    });
    app.take({ type: "begin" });
    app.take({ type: "batches", batches: [batch("1"), batch("2")] });
    assert.deepEqual(numbers(), [null, null]);
    app.take(complete);
    assert.deepEqual(numbers(), [1, 2]);
    app.take({ type: "begin" });
    app.take({ type: "batches", batches: [batch("2"), batch("3")] });
    assert.deepEqual(shown(), ["1", "2", "3"]);
    app.take(complete);
    assert.deepEqual(shown(), ["2", "3"]);
  });
});
