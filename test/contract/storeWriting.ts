import assert from "node:assert/strict";
import { mayBecome } from "../../src/core/messageState.ts";
import type { MessageState } from "../../src/core/message.ts";
import type { Write } from "../../src/core/writes.ts";
import { at, body, threadOf, timeAt, write } from "../fakes/recordBuilder.ts";
import { ids } from "./storeSubject.ts";
import type { Subject } from "./storeSubject.ts";

/** Accepting, claiming and the state table. */
export function writingContract(on: Subject): void {
  describe("accept", () => {
    it("I1: keeps a message as queued, with all it came with", async () => {
      await on.ok(
        write.accept("m", 1, { rank: 1.5 }),
        write.accept("n", 2, { rank: 1.25 }),
      );
      assert.deepEqual(ids(await on.store.queue("t")), ["n", "m"]);
      assert.deepEqual(await on.one("m"), {
        id: "m",
        thread: "t",
        arrived: at(1),
        rank: 1.5,
        position: null,
        batch: null,
        sequence: null,
        batchType: null,
        parentBatch: null,
        retryOf: null,
        sender: { kind: "user", name: "user" },
        state: "queued",
        marks: {},
        body: { kind: "user", blocks: [{ type: "text", text: "text of m" }] },
      });
    });

    it("I5: answers a repeated request id with duplicate and writes nothing", async () => {
      await on.ok(write.accept("m", 1));
      assert.deepEqual(
        await on.commit(write.accept("new", 2), write.accept("m", 3)),
        { ok: false, reason: "duplicate", ids: ["m"] },
      );
      assert.deepEqual(
        await on.commit(write.accept("x", 4), write.accept("x", 5)),
        { ok: false, reason: "duplicate", ids: ["x"] },
      );
      assert.deepEqual(ids(await on.store.queue("t")), ["m"]);
    });

    it("I5: knows a request id after its message was cut away", async () => {
      await on.turn("m", 1);
      await on.store.retain({ before: timeAt(100) });
      assert.equal(await on.store.message("m"), undefined);
      assert.deepEqual(await on.commit(write.accept("m", 90)), {
        ok: false,
        reason: "duplicate",
        ids: ["m"],
      });
    });

    it("refuses an unknown or deleted thread, a rank that is none and a taken id", async () => {
      await on.ok(write.thread("gone"), {
        kind: "deleteThread",
        thread: "gone",
        at: 5,
      });
      await on.ok(write.append("note", 1, at(1), body.notice("hello")));
      await on.refused(write.accept("m", 2, { thread: "nowhere" }));
      await on.refused(write.accept("m", 2, { thread: "gone" }));
      await on.refused(write.accept("m", 2, { rank: Number.NaN }));
      await on.refused(write.accept("note", 2));
    });

    it("keeps ids apart and texts whole, whatever characters they have", async () => {
      const odd = [
        "\ud800",
        "\ud801",
        "\u0000",
        "a\u0000b",
        "",
        '"',
        '"\\ud800"',
        "é",
        "e\u0301",
        "💬",
        "'; --",
      ];
      await on.ok(
        ...odd.map((id, n) => write.accept(id, n, { text: `${id}${id}` })),
      );
      assert.deepEqual(ids(await on.store.queue("t")), odd);
      for (const id of odd)
        assert.deepEqual((await on.one(id)).body, {
          kind: "user",
          blocks: [{ type: "text", text: `${id}${id}` }],
        });
      await on.ok(...odd.map((id) => write.thread(id, { title: id })));
      for (const id of odd)
        assert.deepEqual(
          await on.store.thread(id),
          threadOf(id, { title: id }),
        );
    });
  });

  describe("batches", () => {
    it("I12: are named after the first position and numbered from 0 without holes", async () => {
      await on.ok(
        write.accept("a", 1),
        write.accept("b", 2),
        write.accept("c", 3),
      );
      await on.ok(
        write.claim(at(4), [
          ["a", 4],
          ["b", 5],
        ]),
        write.append("s", 6, at(4), body.start()),
        write.append("e", 7, at(4), body.end()),
        write.claim(at(4), [["c", 8]], "continuation"),
      );
      const rows = await on.store.batch("t", at(4));
      assert.deepEqual(
        rows.map(({ id, sequence, batch, batchType, rank }) => [
          id,
          sequence,
          batch,
          batchType,
          rank,
        ]),
        ["a", "b", "s", "e", "c"].map((id, n) => [
          id,
          n,
          at(4),
          "user_request",
          null,
        ]),
      );
    });

    it("I12: close ranks when messages go back to the queue", async () => {
      await on.ok(
        write.accept("a", 1),
        write.accept("b", 2),
        write.accept("c", 3),
      );
      await on.ok(
        write.claim(at(4), [
          ["a", 4],
          ["b", 5],
          ["c", 6],
        ]),
        write.append("s", 7, at(4), body.start()),
        write.state("sent", "a", "b", "c"),
        write.append("e", 8, at(4), body.end("error")),
        write.requeue("a", -1),
      );
      assert.deepEqual(
        (await on.store.batch("t", at(5))).map(({ id, sequence }) => [
          id,
          sequence,
        ]),
        [
          ["b", 0],
          ["c", 1],
          ["s", 2],
          ["e", 3],
        ],
      );
      assert.deepEqual(await on.store.batch("t", at(4)), []);
      await on.ok(
        write.requeue("c", -2),
        write.requeue("b", -3, { waited: "held" }),
      );
      assert.deepEqual(
        (await on.store.batch("t", at(7))).map(({ id, sequence }) => [
          id,
          sequence,
        ]),
        [
          ["s", 0],
          ["e", 1],
        ],
      );
      assert.deepEqual(ids(await on.store.queue("t")), ["b", "c", "a"]);
      const { position, batch, sequence, batchType, marks } = await on.one("b");
      assert.deepEqual(
        { position, batch, sequence, batchType, marks },
        {
          position: null,
          batch: null,
          sequence: null,
          batchType: null,
          marks: { waited: "held" },
        },
      );
      await on.ok(write.append("note", 9, at(4), body.notice("sign in")));
      assert.deepEqual(
        (await on.store.batch("t", at(9))).map(({ id, sequence }) => [
          id,
          sequence,
        ]),
        [["note", 0]],
      );
    });

    it("I9: refuse a position that is not after the thread's last", async () => {
      await on.turn("m", 1);
      await on.ok(write.accept("n", 2));
      for (const n of [2, 5]) await on.refused(write.claim(at(n), [["n", n]]));
      await on.refused(write.append("x", 5, at(2), body.notice("late")));
      await on.ok(write.claim(at(6), [["n", 6]]));
    });

    it("refuse a claim of nothing, of strangers, or under another's name", async () => {
      await on.ok(
        write.accept("a", 1),
        write.thread("u"),
        write.accept("b", 2, { thread: "u" }),
      );
      await on.refused(write.claim(at(3), []));
      await on.refused(write.claim(at(3), [["nobody", 3]]));
      await on.refused(write.claim(at(3), [["a", 4]]));
      await on.refused(
        write.claim(at(3), [
          ["a", 3],
          ["b", 4],
        ]),
      );
      assert.deepEqual(ids(await on.store.queue("t")), ["a"]);
    });

    it("keep what a retry or a continuation came from", async () => {
      await on.turn("m", 1);
      await on.ok(
        write.accept("again", 11, { parentBatch: at(2), retryOf: "m" }),
        write.claim(at(12), [["again", 12]], "user_request", at(2)),
        write.append("note", 13, at(12), body.notice("again")),
      );
      const { parentBatch, retryOf } = await on.one("again");
      assert.deepEqual(
        { parentBatch, retryOf },
        { parentBatch: at(2), retryOf: "m" },
      );
      assert.equal((await on.one("note")).parentBatch, at(2));
    });
  });

  describe("states", () => {
    const paths: Readonly<Record<MessageState, readonly Write[]>> = {
      queued: [],
      claimed: [write.claim(at(2), [["m", 2]])],
      sent: [write.claim(at(2), [["m", 2]]), write.state("sent", "m")],
      delivered: [
        write.claim(at(2), [["m", 2]]),
        write.state("sent", "m"),
        write.state("delivered", "m"),
      ],
      seenAborted: [
        write.claim(at(2), [["m", 2]]),
        write.state("sent", "m"),
        write.state("seenAborted", "m"),
      ],
      uncertain: [
        write.claim(at(2), [["m", 2]]),
        write.state("sent", "m"),
        write.state("uncertain", "m"),
      ],
      superseded: [
        write.claim(at(2), [["m", 2]]),
        write.state("sent", "m"),
        write.state("uncertain", "m"),
        write.state("superseded", "m"),
      ],
      discarded: [write.state("discarded", "m")],
    };
    const to = (state: MessageState): Write =>
      state === "queued"
        ? write.requeue("m", 0)
        : state === "claimed"
          ? write.claim(at(9), [["m", 9]])
          : write.state(state, "m");
    const all = Object.keys(paths) as MessageState[];

    for (const from of all)
      it(`leave ${from} only as the table says`, async () => {
        await on.ok(write.accept("m", 1), ...paths[from]);
        const before = await on.one("m");
        assert.equal(before.state, from);
        for (const next of all) {
          if (mayBecome(from, next)) continue;
          await on.refused(to(next));
          assert.deepEqual(await on.one("m"), before);
        }
      });

    for (const from of all)
      for (const next of all.filter((state) => mayBecome(from, state)))
        it(`go from ${from} to ${next}`, async () => {
          await on.ok(write.accept("m", 1), ...paths[from], to(next));
          assert.equal((await on.one("m")).state, next);
          assert.equal((await on.one("m")).rank, next === "queued" ? 0 : null);
        });

    it("are refused whole when one message cannot follow", async () => {
      await on.ok(
        write.accept("a", 1),
        write.accept("b", 2),
        write.claim(at(3), [["a", 3]]),
      );
      await on.refused(write.state("sent", "a", "b"));
      assert.equal((await on.one("a")).state, "claimed");
      await on.refused(write.state("discarded", "a"), write.state("sent", "b"));
      assert.equal((await on.one("a")).state, "claimed");
    });

    it("list what a restart has to settle", async () => {
      await on.turn("old", 1);
      await on.ok(
        write.accept("a", 11),
        write.accept("b", 12),
        write.accept("c", 13),
      );
      await on.ok(
        write.claim(at(14), [
          ["a", 14],
          ["b", 15],
        ]),
        write.append("s", 16, at(14), body.start()),
        write.state("sent", "a", "b"),
        write.append("x", 17, at(14), body.agent("half")),
      );
      assert.deepEqual(ids(await on.store.unsettled("t")), [
        "a",
        "b",
        "s",
        "x",
      ]);
      assert.deepEqual(await on.store.unsettled("u"), []);
    });

    it("list the threads that a new host has to see to", async () => {
      await on.turn("ended", 1);
      assert.deepEqual(await on.store.unfinished(), []);
      const process = { nonce: "n", pid: 1, startTime: "0" };
      await on.ok(
        ...["queued", "claimed", "running", "quiet"].map((id) =>
          write.thread(id),
        ),
        write.accept("q", 11, { thread: "queued" }),
        write.accept("c", 12, { thread: "claimed" }),
        write.claim(at(13), [["c", 13]]),
        write.session("running", { process }),
        write.session("quiet", { process: null }),
      );
      assert.deepEqual((await on.store.unfinished()).toSorted(), [
        ...["claimed", "queued", "running"],
      ]);
    });

    it("give the user's last message and what was submitted and sent since", async () => {
      const sender = { kind: "agent", id: "peer", name: "Peer" } as const;
      assert.deepEqual(await on.store.sinceUser("t", 9), []);
      await on.ok(write.accept("p0", 1, { sender }), write.accept("u1", 2));
      await on.ok(
        write.claim(at(3), [
          ["p0", 3],
          ["u1", 4],
        ]),
        write.append("s1", 5, at(3), body.start()),
        write.state("sent", "p0", "u1"),
        write.append("x", 6, at(3), body.agent("said")),
      );
      assert.deepEqual(ids(await on.store.sinceUser("t", 9)), [
        ...["p0", "u1", "s1"],
      ]);
      await on.ok(
        write.accept("p1", 7, { sender }),
        write.accept("p2", 8, { sender }),
        write.accept("p3", 9, { sender }),
      );
      await on.ok(write.claim(at(10), [["p1", 10]], "agent_to_agent"));
      await on.ok(write.state("discarded", "p2"));
      const since = ["p0", "u1", "s1", "p1", "p2", "p3"];
      assert.deepEqual(ids(await on.store.sinceUser("t", 9)), since);
      assert.deepEqual(ids(await on.store.sinceUser("t", 1)), [
        ...["p1", "p2", "p3"],
      ]);
      await on.ok(write.accept("u2", 11), write.accept("p4", 12, { sender }));
      assert.deepEqual(ids(await on.store.sinceUser("t", 9)), ["u2", "p4"]);
      await on.ok(write.state("discarded", "u2"));
      assert.deepEqual(ids(await on.store.sinceUser("t", 9)), ["u2", "p4"]);
      assert.deepEqual(await on.store.sinceUser("u", 9), []);
    });

    it("list what was discarded, newest first", async () => {
      await on.ok(
        write.accept("a", 1),
        write.accept("b", 2),
        write.accept("c", 3),
      );
      await on.ok(write.state("discarded", "a", "c"));
      assert.deepEqual(ids(await on.store.discarded("t", 9)), ["c", "a"]);
      assert.deepEqual(ids(await on.store.discarded("t", 1)), ["c"]);
      await on.ok(write.requeue("c", 7));
      assert.deepEqual(ids(await on.store.discarded("t", 9)), ["a"]);
      assert.deepEqual(ids(await on.store.queue("t")), ["b", "c"]);
    });
  });
}
