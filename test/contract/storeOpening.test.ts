import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import type { SqliteStore } from "../../src/history/sqliteStore.ts";
import { inFolder, mustOpen, openAt } from "../fakes/realStore.ts";
import { asNobody } from "./openingChild.ts";
import { dump } from "../fakes/recordDump.ts";
import { at, body, write } from "../fakes/recordBuilder.ts";
import { randomFrom, scenario } from "../fakes/recordScenario.ts";
import { runs } from "../fakes/runs.ts";

const first = (folder: string): string => databaseFile(folder);

/** A database with some history in it, closed. */
async function filled(folder: string, length = 40): Promise<void> {
  const store = await mustOpen(folder);
  for (const { writes, durability } of scenario(7, length))
    await store.commit(writes, durability);
  await store.close();
}

/** New threads must work, whatever was found. */
async function usable(store: SqliteStore): Promise<void> {
  assert.deepEqual(
    await store.commit(
      [
        write.thread("new"),
        write.accept("hello", 1, { thread: "new" }),
        write.claim(at(2), [["hello", 2]]),
        write.append("x", 3, at(2), body.agent("hi"), {}, "new"),
      ],
      "full",
    ),
    { ok: true },
  );
  const page = await store.page("new", { limit: 9 });
  assert.deepEqual(
    page.messages.map(({ id }) => id),
    ["hello", "x"],
  );
}

type Damage = (file: string) => void;

const damages: Readonly<Record<string, Damage>> = {
  "a zero-length file": (file) => fs.truncateSync(file, 0),
  "a file cut in the middle": (file) =>
    fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)),
  "a file cut in its first page": (file) => fs.truncateSync(file, 50),
  "a file of something else": (file) =>
    fs.writeFileSync(file, "not a database at all\n".repeat(400)),
  "another program's database": (file) => {
    fs.rmSync(file);
    const other = new DatabaseSync(file);
    other.exec("CREATE TABLE theirs (x)");
    other.close();
  },
  "a flipped bit in the header": (file) => flip(file, 3 * 8),
  "flipped bits all over the schema": (file) => {
    for (let bit = 104 * 8; bit < 4000 * 8; bit += 97) flip(file, bit);
  },
  "only recent changes, the main part gone": (file) => {
    fs.renameSync(file, `${file}-wal`);
  },
  "a newer schema": (file) => {
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
  },
};

describe("opening a damaged or foreign file", () => {
  for (const [name, damage] of Object.entries(damages))
    it(
      `I8: ${name} stays as it is, and a file beside it takes new threads`,
      inFolder(async (folder) => {
        await filled(folder);
        damage(first(folder));
        const before = filesOf(folder);
        const opened = await openAt(folder);
        assert.ok(opened.ok, JSON.stringify(opened));
        assert.equal(opened.path, databaseFile(folder, 2));
        assert.deepEqual(
          opened.left.map((left) => [left.path, left.reason]),
          [[first(folder), name === "a newer schema" ? "newer" : "corrupt"]],
        );
        assert.ok(opened.left[0]?.detail);
        await usable(opened.store);
        await opened.store.close();
        const after = filesOf(folder);
        for (const [file, bytes] of before)
          assert.ok(after.get(file)?.equals(bytes), file);
        const again = await openAt(folder);
        assert.ok(again.ok && again.path === databaseFile(folder, 2));
        assert.ok(await again.store.thread("new"));
        await again.store.close();
      }),
    );

  it("I8: bits flipped anywhere never lose the file, the worker or new threads", async function () {
    this.timeout(120_000);
    let whole = Buffer.alloc(0);
    await inFolder(async (folder) => {
      await filled(folder, 25);
      whole = fs.readFileSync(first(folder));
    })();
    await fc.assert(
      fc.asyncProperty(fc.integer(), (seed) =>
        inFolder(async (folder) => {
          const file = first(folder);
          const random = randomFrom(seed);
          const flipped = Buffer.from(whole);
          for (let n = 0; n < 24; n += 1)
            flipIn(flipped, Math.floor(random() * flipped.length * 8));
          fs.writeFileSync(file, flipped);
          let damage: string | undefined;
          const opened = await openAt(folder, {
            onDamage: (detail) => (damage = detail),
          });
          assert.ok(opened.ok, JSON.stringify(opened));
          await dump(opened.store).catch(() => undefined);
          const answer = await opened.store.commit(
            [write.thread("new")],
            "full",
          );
          await opened.store.close();
          if (opened.left.length > 0)
            assert.ok(fs.readFileSync(file).equals(flipped));
          if (answer.ok && damage === undefined) return;
          const again = await openAt(folder);
          assert.ok(again.ok, JSON.stringify(again));
          assert.equal(again.path, databaseFile(folder, 2));
          await usable(again.store);
          await again.store.close();
          assert.ok(fs.existsSync(file));
        })(),
      ),
      { numRuns: runs(20) },
    );
  });

  it(
    "shows a record whose bytes were damaged as such, and the rest as it was",
    inFolder(async (folder) => {
      const store = await mustOpen(folder);
      await usable(store);
      await store.close();
      const database = new DatabaseSync(first(folder));
      database.exec(`UPDATE message SET body = '{"kind' WHERE id = 'x'`);
      database.exec("UPDATE message SET state = 'lost' WHERE id = 'hello'");
      database.close();
      const again = await mustOpen(folder);
      const { messages } = await again.page("new", { limit: 9 });
      assert.deepEqual(
        messages.map(({ id, body: { kind } }) => [id, kind]),
        [
          ["hello", "notice"],
          ["x", "notice"],
        ],
      );
      await again.close();
    }),
  );

  it(
    "takes what ANALYZE leaves behind for no damage",
    inFolder(async (folder) => {
      await filled(folder);
      const database = new DatabaseSync(first(folder));
      database.exec("ANALYZE");
      database.close();
      const opened = await openAt(folder);
      assert.ok(opened.ok && opened.path === first(folder));
      await usable(opened.store);
      await opened.store.close();
    }),
  );

  it(
    "I8: threads of the file beside come back when the first is readable again",
    inFolder(async (folder) => {
      await filled(folder);
      const whole = fs.readFileSync(first(folder));
      damages["a newer schema"]?.(first(folder));
      const beside = await mustOpen(folder);
      await usable(beside);
      const was = await beside.page("new", { limit: 9 });
      await beside.close();
      fs.writeFileSync(first(folder), whole);
      const opened = await openAt(folder);
      assert.ok(opened.ok);
      assert.deepEqual(opened.others, [databaseFile(folder, 2)]);
      const [other = ""] = opened.others;
      assert.deepEqual(await opened.store.adopt(other), {
        ok: true,
        threads: 1,
        messages: 2,
      });
      assert.deepEqual(await opened.store.page("new", { limit: 9 }), was);
      assert.deepEqual(await opened.store.adopt(other), {
        ok: true,
        threads: 0,
        messages: 0,
      });
      assert.equal(
        (await opened.store.search({ text: "hello", limit: 9 })).hits.length,
        1,
      );
      await opened.store.close();
    }),
  );
});

describe("opening what cannot be written", () => {
  it(
    "answers locked while another process holds the file",
    inFolder(async (folder) => {
      await filled(folder, 3);
      const other = new DatabaseSync(first(folder));
      other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
      const opened = await openAt(folder);
      assert.ok(!opened.ok);
      assert.equal(opened.reason, "locked");
      other.close();
      const again = await mustOpen(folder);
      await usable(again);
      await again.close();
    }),
  );

  it(
    "I6: refuses writes of a reader, which sees what the writer commits",
    inFolder(async (folder) => {
      assert.deepEqual(pick(await openAt(folder, { mode: "read" })), {
        ok: false,
        reason: "readOnly",
      });
      const writer = await mustOpen(folder);
      const reader = await mustOpen(folder, { mode: "read" });
      await usable(writer);
      assert.ok(await reader.thread("new"));
      assert.equal(
        (await reader.search({ text: "text", limit: 9 })).next,
        null,
      );
      const answer = await reader.commit([write.thread("other")], "full");
      assert.ok(!answer.ok && answer.reason === "readOnly");
      await reader.close();
      await writer.close();
    }),
  );

  it(
    "I6: reads a folder that cannot be written to, and refuses to accept there",
    inFolder(async (folder) => {
      await filled(folder);
      fs.chmodSync(first(folder), 0o444);
      fs.chmodSync(folder, 0o555);
      try {
        assert.deepEqual(await asNobody(folder), {
          opened: { ok: true, readOnly: true },
          threads: true,
          answer: "readOnly",
          locked: "failed",
        });
        fs.chmodSync(folder, 0o755);
        const empty = path.join(folder, "empty");
        fs.mkdirSync(empty, { mode: 0o555 });
        fs.chmodSync(empty, 0o555);
        assert.deepEqual(await asNobody(empty), {
          opened: { ok: false, reason: "readOnly" },
        });
      } finally {
        fs.chmodSync(folder, 0o755);
      }
    }),
  );

  it(
    "I6: answers full when the disk is, keeps what was there, and goes on when there is room",
    inFolder(async (folder) => {
      await filled(folder);
      const before = await mustOpen(folder);
      const was = await dump(before);
      await before.close();
      const pages = fs.statSync(first(folder)).size / 4096;
      const store = await mustOpen(folder, { faults: { maxPages: pages } });
      const big = "x".repeat(200_000);
      const answer = await store.commit(
        [write.accept("big", 900, { thread: "t0", text: big })],
        "full",
      );
      assert.ok(!answer.ok && answer.reason === "full", JSON.stringify(answer));
      assert.deepEqual(await dump(store), was);
      await store.close();
      const again = await mustOpen(folder);
      assert.deepEqual(await dump(again), was);
      assert.deepEqual(
        await again.commit(
          [write.accept("big", 900, { thread: "t0", text: big })],
          "full",
        ),
        { ok: true },
      );
      await again.close();
    }),
  );

  it(
    "settles every promise when the worker is gone",
    inFolder(async (folder) => {
      const store = await mustOpen(folder);
      const pending = store.commit([write.thread("t")], "full");
      const closed = store.close();
      const late = store.commit([write.thread("u")], "full");
      assert.deepEqual(await pending, { ok: true });
      await closed;
      assert.equal((await late).ok, false);
      await assert.rejects(store.threads(), { name: "StoreFailure" });
      await store.close();
    }),
  );
});

function flip(file: string, bit: number): void {
  const bytes = fs.readFileSync(file);
  flipIn(bytes, bit);
  fs.writeFileSync(file, bytes);
}

function flipIn(bytes: Buffer, bit: number): void {
  const byte = Math.floor(bit / 8);
  bytes[byte] = (bytes[byte] ?? 0) ^ (1 << (bit % 8));
}

function filesOf(folder: string): ReadonlyMap<string, Buffer> {
  return new Map(
    fs
      .readdirSync(folder)
      .map((file) => [file, fs.readFileSync(path.join(folder, file))]),
  );
}

function pick(opened: Awaited<ReturnType<typeof openAt>>): unknown {
  return opened.ok
    ? { ok: true, readOnly: opened.readOnly }
    : { ok: false, reason: opened.reason };
}
