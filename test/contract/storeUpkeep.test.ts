import assert from "node:assert/strict";
import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { requestMs, undoMs } from "../../src/history/maintenance.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { openFile } from "../../src/history/opening.ts";
import { migrations } from "../../src/history/schema.ts";
import type { Migration } from "../../src/history/schema.ts";
import type { Write } from "../../src/core/writes.ts";
import { inFolder, mustOpen } from "../fakes/realStore.ts";
import { at, body, timeAt, user, write } from "../fakes/recordBuilder.ts";
import { dump } from "../fakes/recordDump.ts";
import { scenario } from "../fakes/recordScenario.ts";

const next: Migration = (connection) =>
  connection.exec("ALTER TABLE thread ADD COLUMN colour TEXT");
const failing: Migration = (connection) => {
  connection.exec("CREATE TABLE half (x)");
  throw new Error("a bug");
};

describe("migrations", () => {
  it(
    "go step by step, with a copy of the file before each",
    inFolder(async (folder) => {
      const store = await mustOpen(folder);
      for (const { writes } of scenario(3, 30))
        await store.commit(writes, "full");
      const was = await dump(store);
      await store.close();
      const steps = [...migrations, next, next1];
      const { result, connection } = openFile({
        folder,
        mode: "write",
        migrations: steps,
      });
      assert.ok(result.ok);
      connection?.close();
      const file = databaseFile(folder);
      const from = migrations.length;
      assert.deepEqual(result.backups, [
        `${file}.v${from}.bak`,
        `${file}.v${from + 1}.bak`,
      ]);
      const again = openFile({ folder, mode: "write", migrations: steps });
      assert.ok(again.result.ok);
      assert.deepEqual(again.result.backups, []);
      again.connection?.close();
      assert.equal(versionOf(file), steps.length);
      fs.rmSync(file);
      fs.renameSync(`${file}.v${from}.bak`, file);
      const back = await mustOpen(folder);
      assert.deepEqual(await dump(back), was);
      await back.close();
    }),
  );

  it(
    "that fail leave the file as it was",
    inFolder(async (folder) => {
      await (await mustOpen(folder)).close();
      assert.throws(() =>
        openFile({
          folder,
          mode: "write",
          migrations: [...migrations, failing],
        }),
      );
      assert.equal(versionOf(databaseFile(folder)), migrations.length);
      await (await mustOpen(folder)).close();
    }),
  );

  it(
    "leave files that give space back",
    inFolder(async (folder) => {
      await (await mustOpen(folder)).close();
      const database = new DatabaseSync(databaseFile(folder));
      const pragma = (name: string): unknown =>
        Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
      assert.equal(pragma("auto_vacuum"), 2);
      assert.equal(pragma("journal_mode"), "wal");
      database.close();
    }),
  );
});

describe("upkeep", () => {
  const image = (id: string, n: number, hash: string): readonly Write[] => [
    {
      kind: "blob",
      hash,
      mimeType: "image/png",
      data: new Uint8Array(100_000),
    },
    {
      kind: "accept",
      message: {
        id,
        thread: "t",
        arrived: at(n),
        rank: n,
        sender: user,
        marks: {},
        blocks: [
          { type: "image", mimeType: "image/png", blob: hash, bytes: 100_000 },
        ],
      },
    },
  ];

  it(
    "I5: keeps a request id 90 days beyond its message, and no longer",
    inFolder(async (folder) => {
      let now = timeAt(100);
      const store = await mustOpen(folder, { now: () => now });
      const again = write.accept("m", 50);
      await store.commit(
        [
          write.thread("t"),
          write.accept("m", 1),
          write.claim(at(2), [["m", 2]]),
          write.state("sent", "m"),
          write.state("delivered", "m"),
        ],
        "full",
      );
      now += 10 * requestMs;
      await store.maintain();
      assert.equal((await store.commit([again], "full")).ok, false);
      assert.equal((await store.retain({ before: now })).messages, 1);
      now += requestMs;
      await store.maintain();
      assert.equal((await store.commit([again], "full")).ok, false);
      now += 1;
      await store.maintain();
      assert.deepEqual(await store.commit([again], "full"), { ok: true });
      await store.close();
    }),
  );

  it(
    "lets a deleted thread be brought back for a week, then clears it away",
    inFolder(async (folder) => {
      let now = timeAt(100);
      const store = await mustOpen(folder, { now: () => now });
      const messages = Array.from({ length: 450 }, (_, n) =>
        write.accept(`m${n}`, n),
      );
      await store.commit([write.thread("t"), ...messages], "full");
      await store.commit(
        [write.session("t"), { kind: "deleteThread", thread: "t", at: now }],
        "full",
      );
      now += undoMs;
      await store.maintain();
      const restore: Write = { kind: "restoreThread", thread: "t" };
      assert.deepEqual(await store.commit([restore], "full"), { ok: true });
      assert.equal((await store.queue("t")).length, 450);
      await store.commit(
        [{ kind: "deleteThread", thread: "t", at: now }],
        "full",
      );
      now += undoMs + 1;
      const clearing = store.maintain();
      assert.equal((await store.commit([restore], "full")).ok, false);
      await clearing;
      assert.equal((await store.statistics()).messages, 0);
      assert.equal((await store.commit([restore], "full")).ok, false);
      assert.deepEqual(await store.sessions("t"), []);
      assert.equal(await store.integrity(), "ok");
      await store.close();
    }),
  );

  it(
    "drops bytes that nothing uses, a day later, and gives their space back",
    inFolder(async (folder) => {
      let now = timeAt(100);
      const store = await mustOpen(folder, { now: () => now });
      await store.commit(
        [write.thread("t"), ...image("m", 1, "used"), ...image("n", 2, "left")],
        "full",
      );
      const unused: Write = {
        kind: "blob",
        hash: "early",
        mimeType: "image/png",
        data: new Uint8Array(2_000_000),
      };
      await store.commit(
        [unused, { kind: "edit", id: "n", blocks: [], marks: {} }],
        "full",
      );
      const hashes = ["used", "left", "early"];
      const there = async (): Promise<string[]> => [
        ...(await store.blobs(hashes)).keys(),
      ];
      await store.maintain();
      assert.deepEqual(await there(), hashes);
      now += 2 * 24 * 60 * 60 * 1000;
      await store.commit(image("o", 3, "early"), "full");
      const { bytes } = await store.statistics();
      await store.maintain();
      assert.deepEqual(await there(), ["used", "early"]);
      assert.ok((await store.statistics()).bytes < bytes);
      await store.close();
    }),
  );

  it(
    "finds damage that no one has come upon yet, and says so",
    inFolder(async (folder) => {
      const store = await mustOpen(folder);
      await store.commit([write.thread("t")], "full");
      for (let n = 0; n < 50; n += 1)
        await store.commit(
          [write.append(`r${n}`, n, at(n), body.notice("x".repeat(900)))],
          "normal",
        );
      await store.close();
      const file = databaseFile(folder);
      const bytes = fs.readFileSync(file);
      const text = Buffer.from("x".repeat(900));
      const pages = Array.from({ length: bytes.length / 4096 }, (_, n) =>
        bytes.subarray(n * 4096, (n + 1) * 4096),
      ).filter((page) => page.includes(text));
      assert.ok(pages.length > 12);
      // Opening looks at the first and the last.
      for (const page of pages.slice(6, 9)) page.fill(0xff, 0, 200);
      fs.writeFileSync(file, bytes);
      const damage: string[] = [];
      const again = await mustOpen(folder, {
        onDamage: (detail) => damage.push(detail),
      });
      const found = await again.maintain();
      assert.ok(found.damage);
      assert.deepEqual(damage, [found.damage]);
      const answer = await again.commit([write.thread("u")], "full");
      assert.ok(!answer.ok && answer.reason === "failed");
      await again.close();
    }),
  );
});

function next1(connection: Parameters<Migration>[0]): void {
  connection.exec("CREATE TABLE extra (x)");
}

function versionOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("PRAGMA user_version").get();
  database.close();
  return Number(row?.["user_version"]);
}
