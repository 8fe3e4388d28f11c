import assert from "node:assert/strict";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import { at, body, timeAt, write } from "../fakes/recordBuilder.ts";
import { ids } from "./storeSubject.ts";
import type { Subject } from "./storeSubject.ts";

/** Reading, searching and cutting. */
export function readingContract(on: Subject): void {
  describe("reading", () => {
    it("pages both ways, oldest first", async () => {
      for (let n = 0; n < 3; n += 1) await on.turn(`m${n}`, 1 + n * 10);
      await on.ok(write.accept("waiting", 50));
      const all = await on.store.page("t", { limit: 100 });
      assert.equal(all.messages.length, 12);
      assert.equal(all.more, false);
      const positions = all.messages.map(({ position }) => position ?? "");
      assert.deepEqual(positions, [...positions].sort());
      const part = (from: number, to: number): readonly string[] =>
        ids(all.messages.slice(from, to));
      const cases = [
        { range: { limit: 5 }, expect: part(7, 12), more: true },
        { range: { limit: 0 }, expect: [], more: true },
        {
          range: { limit: 5, before: positions[7] ?? "" },
          expect: part(2, 7),
          more: true,
        },
        {
          range: { limit: 5, before: positions[3] ?? "" },
          expect: part(0, 3),
          more: false,
        },
        {
          range: { limit: 5, after: positions[3] ?? "" },
          expect: part(4, 9),
          more: true,
        },
        {
          range: { limit: 50, after: positions[3] ?? "" },
          expect: part(4, 12),
          more: false,
        },
        {
          range: {
            limit: 3,
            after: positions[1] ?? "",
            before: positions[6] ?? "",
          },
          expect: part(2, 5),
          more: true,
        },
      ];
      for (const { range, expect, more } of cases) {
        const page = await on.store.page("t", range);
        assert.deepEqual(
          { ids: ids(page.messages), more: page.more },
          { ids: expect, more },
        );
      }
    });

    it("I9: remembers the greatest Snowflake, even of rows that are gone", async () => {
      await on.turn("m", 1);
      await on.ok(
        write.accept("n", 7),
        write.claim(at(99), [["n", 99]]),
        write.requeue("n", 1),
      );
      assert.equal(await on.store.greatest(), at(99));
      await on.ok(write.session("t", { cursor: at(120) }));
      assert.equal(await on.store.greatest(), at(120));
    });

    it("tells batches without their texts, newest first", async () => {
      await on.turn("a", 1);
      await on.ok(write.thread("u"));
      await on.turn("b", 11, "u");
      await on.turn("c", 21);
      const brief = async (
        query: Parameters<History["batches"]>[0],
      ): Promise<unknown> =>
        (await on.store.batches(query)).map(
          ({ id, thread, status, counts }) => [
            id,
            thread,
            status,
            counts.messages,
          ],
        );
      assert.deepEqual(await brief({ limit: 2 }), [
        [at(22), "t", "completed", 1],
        [at(12), "u", "completed", 1],
      ]);
      assert.deepEqual(await brief({ limit: 9, thread: "t", before: at(22) }), [
        [at(2), "t", "completed", 1],
      ]);
      const before = (thread: string, batch: string): Promise<number> =>
        on.store.batchesBefore(thread, batch);
      assert.equal(await before("t", at(2)), 0);
      assert.equal(await before("t", at(22)), 1);
      assert.equal(await before("u", at(22)), 1);
    });

    it("counts what there is", async () => {
      await on.turn("a", 1);
      await on.ok(write.accept("b", 20), {
        kind: "blob",
        hash: "h",
        mimeType: "x/y",
        data: new Uint8Array(5),
      });
      const { bytes, ...counts } = await on.store.statistics();
      assert.ok(bytes > 0);
      assert.deepEqual(counts, {
        threads: 1,
        messages: 5,
        queued: 1,
        batches: 1,
        blobs: 1,
        blobBytes: 5,
      });
    });
  });

  describe("find", () => {
    const found = async (
      text: string,
      matchCase = false,
      newer: readonly Message[] = [],
    ): Promise<readonly string[]> =>
      (await on.store.find({ thread: "t", text, matchCase, newer })).map(
        ({ message, count }) => `${message}:${count}`,
      );

    it("finds parts of words in one thread, first to last, and counts them", async () => {
      await on.turn("a", 1);
      await on.ok(
        write.append("n", 8, at(2), body.agent("Texts and texture"), {
          late: true,
        }),
      );
      await on.ok(write.accept("waits", 20, { text: "text in the queue" }));
      assert.deepEqual(await found("ext"), ["a:1", "n:2"]);
      assert.deepEqual(await found("TEXT", true), []);
      assert.deepEqual(await found(" "), []);
      assert.deepEqual(
        await on.store.find({
          ...{ thread: "other", text: "ext", matchCase: false, newer: [] },
        }),
        [],
      );
    });

    it("counts a tool's result for its call, and takes what is newer than the record", async () => {
      await on.turn("a", 1);
      await on.ok(write.append("c", 7, at(2), body.call("x"), { late: true }));
      await on.ok(
        write.append("r", 8, at(2), body.result("x", "needle, needle"), {
          late: true,
        }),
      );
      assert.deepEqual(await found("needle"), ["c:2"]);
      const stored = await on.store.message("c");
      assert.ok(stored);
      const live: Message = {
        ...stored,
        id: "live",
        position: at(9),
        body: body.agent("a needle that streams"),
      };
      assert.deepEqual(await found("needle", false, [live]), ["c:2", "live:1"]);
    });
  });

  describe("search", () => {
    const found = async (
      query: Partial<Parameters<History["search"]>[0]>,
    ): Promise<readonly string[]> =>
      (await on.store.search({ text: "", limit: 50, ...query })).hits.map(
        ({ message }) => message.id,
      );

    it("finds settled text by words, newest first", async () => {
      await on.ok(
        write.accept("a", 1, { text: "Fix the Déjà-vu bug in parser.ts" }),
      );
      await on.ok(write.accept("b", 2, { text: "the parser is slow" }));
      await on.ok(write.append("x", 3, at(3), body.agent("parser streaming")));
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ["parser", ["b", "a"]],
        ["PARS", ["b", "a"]],
        ["deja vu", ["a"]],
        ["the par", ["b", "a"]],
        ["par the", []],
        ['"parser', ["b", "a"]],
        ["parser AND", []],
        ["par*", ["b", "a"]],
        ["nothing", []],
      ];
      for (const [text, expect] of cases)
        assert.deepEqual(await found({ text }), expect, text);
      await on.ok(write.append("e", 4, at(3), body.end()));
      assert.deepEqual(await found({ text: "parser" }), ["x", "b", "a"]);
      await on.ok(
        write.append("late", 5, at(3), body.agent("parser again"), {
          late: true,
        }),
      );
      await on.ok({
        kind: "text",
        id: "late",
        offset: 12,
        text: ", afterthought",
      });
      assert.deepEqual(await found({ text: "afterth" }), ["late"]);
      await on.ok({
        kind: "edit",
        id: "b",
        blocks: [{ type: "text", text: "quick" }],
        marks: {},
      });
      assert.deepEqual(await found({ text: "parser" }), ["late", "x", "a"]);
      assert.deepEqual(await found({ text: "quick" }), ["b"]);
    });

    it("looks into writing without spaces", async () => {
      await on.ok(
        write.accept("a", 1, { text: "これは漢字です" }),
        write.accept("b", 2, { text: "漢和" }),
      );
      assert.deepEqual(await found({ text: "漢字" }), ["a"]);
      assert.deepEqual(await found({ text: "漢" }), ["b", "a"]);
    });

    it("goes by filters and goes on where it stopped", async () => {
      await on.ok(write.thread("u", { agent: "codex" }));
      await on.turn("a", 1);
      await on.turn("b", 11, "u");
      await on.ok(write.accept("c", 21, { text: "text waiting" }));
      await on.ok(write.append("d", 22, at(2), body.diff("k")));
      assert.deepEqual(await found({ text: "text" }), ["c", "b", "a"]);
      assert.deepEqual(await found({ text: "text", threads: ["t"] }), [
        ...["c", "a"],
      ]);
      assert.deepEqual(await found({ threads: ["u", "t"] }), [
        ...(await found({})),
      ]);
      assert.deepEqual(await found({ threads: ["u"], agents: ["codex"] }), [
        "b",
      ]);
      assert.deepEqual(await found({ text: "text", threads: [] }), []);
      assert.deepEqual(await found({ text: "text", agents: ["codex"] }), ["b"]);
      // What one agent said in a thread that is now another's is its own.
      assert.deepEqual(await found({ text: "answer", agents: ["codex"] }), []);
      assert.deepEqual(
        await found({ text: "text", agents: ["codex", "builtin"] }),
        ["c", "b", "a"],
      );
      assert.deepEqual(await found({ text: "answer", agents: ["builtin"] }), [
        "b.text",
        "a.text",
      ]);
      assert.deepEqual(await found({ text: "text", before: timeAt(11) }), [
        "a",
      ]);
      assert.deepEqual(await found({ text: "", state: "queued" }), ["c"]);
      assert.deepEqual(await found({ text: "text", has: "diff" }), ["a"]);
      assert.deepEqual(await found({ has: "diff", threads: ["u"] }), []);
      const first = await on.store.search({ text: "text", limit: 2 });
      assert.equal(first.hits.length, 2);
      assert.ok(first.next !== null);
      const rest = await on.store.search({
        text: "text",
        limit: 2,
        from: first.next,
      });
      assert.deepEqual(
        rest.hits.map(({ message }) => message.id),
        ["a"],
      );
      assert.equal(rest.next, null);
      await on.ok({ kind: "deleteThread", thread: "u", at: 1 });
      assert.deepEqual(await found({ text: "text" }), ["c", "a"]);
    });

    it("shows the text around a match on one line", async () => {
      await on.ok(
        write.accept("a", 1, {
          text: `${"lorem\n".repeat(100)}needle${" ipsum".repeat(100)}`,
        }),
      );
      const { hits } = await on.store.search({ text: "needle", limit: 1 });
      assert.match(hits[0]?.excerpt ?? "", /^….*needle.*…$/);
    });
  });

  describe("retention", () => {
    it("cuts whole batches by age and leaves what is needed", async () => {
      await on.turn("old", 1);
      await on.turn("parent", 11);
      await on.turn("archived", 21);
      await on.ok(write.accept("child", 31, { parentBatch: at(12) }), {
        kind: "archive",
        archive: {
          id: "z",
          thread: "t",
          batches: [at(22)],
          text: "sum",
          createdAt: 1,
        },
      });
      await on.ok(
        write.accept("dropped", 32),
        write.state("discarded", "dropped"),
      );
      await on.turn("young", 41);
      await on.ok(write.thread("u"));
      await on.turn("unseen", 1, "u");
      await on.ok(write.session("u", { cursor: null }));
      assert.deepEqual(await on.store.retain({ before: timeAt(40) }), {
        batches: 1,
        messages: 5,
      });
      const left = await on.store.page("t", { limit: 100 });
      assert.deepEqual(
        [...new Set(left.messages.map(({ batch }) => batch))],
        [at(12), at(22), at(42)],
      );
      assert.deepEqual(ids(await on.store.queue("t")), ["child"]);
      assert.equal(await on.store.message("dropped"), undefined);
      assert.equal((await on.store.page("u", { limit: 9 })).messages.length, 4);
      assert.deepEqual(await on.store.retain({ before: timeAt(40) }), {
        batches: 0,
        messages: 0,
      });
    });

    it("keeps what a session has not seen and cuts the rest", async () => {
      await on.turn("a", 1);
      await on.turn("b", 11);
      await on.ok(write.session("t", { cursor: at(10) }));
      assert.equal((await on.store.retain({ before: timeAt(99) })).batches, 1);
      await on.ok(write.session("t", { cursor: at(10), state: "lost" }));
      assert.equal((await on.store.retain({ before: timeAt(99) })).batches, 1);
    });

    it("cuts by size, the oldest first, and never an open turn", async () => {
      await on.turn("a", 1);
      await on.ok(
        write.accept("b", 11),
        write.claim(at(12), [["b", 12]]),
        write.accept("c", 13),
      );
      assert.deepEqual(await on.store.retain({ maxBytes: 1e12 }), {
        batches: 0,
        messages: 0,
      });
      assert.deepEqual(await on.store.retain({ maxBytes: 0 }), {
        batches: 1,
        messages: 4,
      });
      assert.equal((await on.one("b")).state, "claimed");
      assert.deepEqual(ids(await on.store.queue("t")), ["c"]);
    });
  });

  it("I4: reading twice gives the same", async () => {
    await on.turn("a", 1);
    await on.ok(write.accept("b", 11));
    const read = async (): Promise<unknown> => [
      await on.store.threads(),
      await on.store.page("t", { limit: 99 }),
      await on.store.queue("t"),
      await on.store.unsettled("t"),
      await on.store.greatest(),
    ];
    assert.deepEqual(await read(), await read());
  });
}
