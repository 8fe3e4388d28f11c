import assert from "node:assert/strict";
import type { Body, Message } from "../../src/core/message.ts";
import { keptOutput } from "../../src/core/recordCut.ts";
import type { Write } from "../../src/core/writes.ts";
import {
  at,
  body,
  sessionOf,
  threadOf,
  write,
} from "../fakes/recordBuilder.ts";
import { ids } from "./storeSubject.ts";
import type { Subject } from "./storeSubject.ts";

/** Records, threads and what comes from elsewhere. */
export function recordsContract(on: Subject): void {
  describe("records", () => {
    it("grow by text at their end only", async () => {
      const halves = ["Grüße \ud83d", "\udcac \u0000 end", ""];
      await on.ok(write.append("x", 1, at(1), body.agent("")));
      let offset = 0;
      for (const text of halves) {
        await on.ok({ kind: "text", id: "x", offset, text });
        offset += text.length;
      }
      assert.deepEqual((await on.one("x")).body, body.agent(halves.join("")));
      await on.refused({
        kind: "text",
        id: "x",
        offset: offset - 1,
        text: "!",
      });
      await on.refused({ kind: "text", id: "nobody", offset: 0, text: "!" });
      await on.ok(write.append("call", 2, at(1), body.call("c1")));
      await on.refused({ kind: "text", id: "call", offset: 0, text: "!" });
      await on.ok({ kind: "body", id: "x", body: body.agent("settled") });
      await on.ok({ kind: "text", id: "x", offset: 7, text: "!" });
      assert.deepEqual((await on.one("x")).body, body.agent("settled!"));
    });

    it("change their body, never their kind", async () => {
      const call = body.call("c1");
      await on.ok(write.append("call", 1, at(1), call), write.accept("m", 2));
      const done: Body = { ...call, status: "completed" };
      await on.ok({ kind: "body", id: "call", body: done });
      assert.deepEqual((await on.one("call")).body, done);
      await on.refused({ kind: "body", id: "call", body: body.agent("x") });
      await on.refused({
        kind: "body",
        id: "m",
        body: { kind: "user", blocks: [] },
      });
      await on.refused({ kind: "body", id: "nobody", body: done });
    });

    it("are appended once, and never as the user's", async () => {
      await on.ok(write.append("x", 1, at(1), body.notice("one")));
      await on.refused(write.append("x", 2, at(1), body.notice("two")));
      await on.refused(
        write.append("y", 2, at(1), { kind: "user", blocks: [] }),
      );
      await on.refused(
        write.append("y", 2, at(1), body.notice("two"), {}, "nowhere"),
      );
    });

    it("have large tool output cut, marked with its size", async () => {
      const half = "é💬\n".repeat(30_000);
      const text = `head ${half} tail`;
      const whole = new TextEncoder().encode(text).length;
      await on.ok(
        write.append("r", 1, at(1), body.result("c1", text)),
        write.append("c", 2, at(1), { ...body.call("c1"), input: text }),
        write.append("e", 3, at(1), {
          ...{ kind: "toolResult", toolCallId: "c1", status: "completed" },
          content: [
            { type: "block", block: { type: "resource", uri: "file:x", text } },
          ],
        }),
      );
      const embedded = await on.one("e");
      assert.equal(embedded.marks.cut, whole);
      assert.ok(embedded.body.kind === "toolResult");
      const [part] = embedded.body.content;
      assert.ok(part?.type === "block" && part.cut === whole);
      assert.ok(
        part.block.type === "resource" &&
          part.block.text.length < keptOutput.head + keptOutput.tail + 60,
      );
      const result = await on.one("r");
      assert.equal(result.marks.cut, whole);
      assert.ok(result.body.kind === "toolResult");
      const [content] = result.body.content;
      assert.ok(content?.type === "text" && content.cut === whole);
      assert.ok(
        content.text.startsWith("head ") && content.text.endsWith(" tail"),
      );
      assert.ok(content.text.isWellFormed());
      assert.ok(content.text.length < keptOutput.head + keptOutput.tail + 60);
      assert.equal((await on.one("c")).marks.cut, whole);
      await on.ok({ kind: "body", id: "r", body: body.result("c1", "short") });
      assert.deepEqual((await on.one("r")).marks, {});
    });

    it("share bytes by hash", async () => {
      const data = new Uint8Array([1, 2, 3]);
      const blob: Write = {
        kind: "blob",
        hash: "h",
        mimeType: "image/png",
        data,
      };
      await on.ok(blob, blob);
      assert.deepEqual(
        await on.store.blobs(["h", "none"]),
        new Map([["h", data]]),
      );
    });

    it("of a queue can be edited and moved, others not", async () => {
      await on.ok(
        write.accept("a", 1),
        write.accept("b", 2),
        write.accept("c", 3),
      );
      const blocks = [{ type: "text", text: "edited" }] as const;
      await on.ok({ kind: "edit", id: "b", blocks, marks: { separate: true } });
      await on.ok({ kind: "rank", ranks: [{ id: "c", rank: 0.5 }] });
      assert.deepEqual(ids(await on.store.queue("t")), ["c", "a", "b"]);
      const { body: kept, marks, rank } = await on.one("b");
      assert.deepEqual(
        { kept, marks, rank },
        { kept: { kind: "user", blocks }, marks: { separate: true }, rank: 2 },
      );
      await on.ok(write.claim(at(4), [["b", 4]]));
      await on.refused({ kind: "edit", id: "b", blocks, marks: {} });
      await on.refused({ kind: "rank", ranks: [{ id: "b", rank: 1 }] });
      await on.refused({ kind: "rank", ranks: [{ id: "c", rank: Infinity }] });
    });
  });

  describe("threads", () => {
    it("are renamed, archived, deleted and brought back", async () => {
      await on.ok(write.thread("u", { updatedAt: 9 }));
      await on.ok(
        write.thread("t", {
          title: "New",
          archived: true,
          held: "user",
          updatedAt: 3,
        }),
      );
      assert.deepEqual(
        (await on.store.threads()).map(({ id, title }) => [id, title]),
        [
          ["u", "Thread u"],
          ["t", "New"],
        ],
      );
      await on.ok({ kind: "deleteThread", thread: "t", at: 1 });
      assert.equal(await on.store.thread("t"), undefined);
      assert.deepEqual(
        (await on.store.threads()).map(({ id }) => id),
        ["u"],
      );
      await on.ok({ kind: "restoreThread", thread: "t" });
      assert.deepEqual(
        await on.store.thread("t"),
        threadOf("t", {
          title: "New",
          archived: true,
          held: "user",
          updatedAt: 3,
        }),
      );
      await on.refused({ kind: "deleteThread", thread: "nowhere", at: 1 });
    });

    it("have sessions by agent and generation, and archives", async () => {
      const process = { nonce: "n", pid: 7, startTime: "x" };
      await on.ok(
        write.session("t"),
        write.session("t", {
          agent: "codex",
          generation: 2,
          cursor: at(3),
          ledger: { a: "1" },
          process,
          sessionId: null,
        }),
        write.session("t", { state: "lost" }),
      );
      assert.deepEqual(await on.store.sessions("t"), [
        sessionOf("t", { state: "lost" }),
        sessionOf("t", {
          agent: "codex",
          generation: 2,
          cursor: at(3),
          ledger: { a: "1" },
          process,
          sessionId: null,
        }),
      ]);
      await on.refused(write.session("nowhere"));
      const archive = {
        id: "a",
        thread: "t",
        batches: [at(1)],
        text: "sum",
        createdAt: 4,
      };
      await on.ok({ kind: "archive", archive });
      assert.deepEqual(await on.store.archives("t"), [archive]);
      await on.ok({ kind: "unarchive", id: "a" });
      assert.deepEqual(await on.store.archives("t"), []);
    });
  });

  describe("import", () => {
    it("takes rows as they were; repeated, it adds nothing", async () => {
      await on.turn("a", 1);
      await on.ok(write.accept("b", 11));
      const rows = [
        ...(await on.store.page("t", { limit: 99 })).messages,
        ...(await on.store.queue("t")),
      ];
      const there = rows.map((row) => ({
        ...row,
        thread: "u",
        id: `u.${row.id}`,
      }));
      await on.ok(write.thread("u"), { kind: "import", messages: there });
      await on.ok(
        { kind: "import", messages: there },
        { kind: "import", messages: rows },
      );
      assert.deepEqual(
        (await on.store.page("u", { limit: 99 })).messages,
        there.slice(0, 4),
      );
      assert.deepEqual(await on.store.queue("u"), there.slice(4));
      assert.deepEqual(
        await on.commit(write.accept("u.b", 77, { thread: "u" })),
        {
          ok: false,
          reason: "duplicate",
          ids: ["u.b"],
        },
      );
    });

    it("I12: refuses rows that would leave holes or overlap", async () => {
      await on.turn("a", 1);
      const [first, second] = await on.store.batch("t", at(2));
      assert.ok(first && second);
      const u = { ...first, thread: "u", id: "x" };
      await on.ok(write.thread("u"));
      const bad: readonly Message[] = [
        { ...u, sequence: 1 },
        { ...u, batch: at(9) },
        { ...u, position: null },
        { ...u, state: null },
        { ...u, state: "queued", rank: 1 },
        { ...u, rank: 1 },
        { ...u, thread: "nowhere" },
        { ...second, thread: "u", id: "y" },
      ];
      for (const message of bad)
        await on.refused({ kind: "import", messages: [message] });
      await on.ok({ kind: "import", messages: [u] });
      await on.refused({
        kind: "import",
        messages: [{ ...u, id: "z", batch: at(2), sequence: 1 }],
      });
    });
  });
}
