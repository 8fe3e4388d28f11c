import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { flaws, group } from "../../src/core/batch.ts";
import { bringThreads } from "../../src/history/bringThreads.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { Engine } from "../../src/history/engine.ts";
import { eraseFolder } from "../../src/history/erase.ts";
import { eraseAll } from "../../src/history/eraseAll.ts";
import { FolderIndex } from "../../src/history/folderIndex.ts";
import { LockFile } from "../../src/history/lockFile.ts";
import { openFile } from "../../src/history/opening.ts";
import { notPrivate, rescueFolders } from "../../src/history/rescueFolders.ts";
import { WriterLock } from "../../src/history/writerLock.ts";
import { realHome } from "../fakes/realHome.ts";
import { finished, openDirect } from "../fakes/directStore.ts";
import { inFolder, mustOpen } from "../fakes/realStore.ts";
import { migrations } from "../../src/history/schema.ts";
import { at, body, sessionOf, timeAt, write } from "../fakes/recordBuilder.ts";

const agentProcess = { nonce: "n1", pid: 4, startTime: "5" };

/** A database with one thread in it whose agent was at work. */
async function withThread(folder: string, id: string): Promise<void> {
  const store = await mustOpen(folder);
  const answer = await store.commit(
    [
      write.thread(id),
      {
        kind: "session",
        session: sessionOf(id, { process: agentProcess }),
      },
      write.accept(`${id}-m`, 1, { thread: id }),
      write.claim(at(2), [[`${id}-m`, 2]]),
      write.append(`${id}-a`, 3, at(2), body.agent("hi"), {}, id),
    ],
    "full",
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  await store.close();
}

function newer(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA user_version = 99");
  database.close();
}

function noLonger(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
  database.close();
}

describe("threads that had to be kept elsewhere", () => {
  it(
    "I8: come back from the file beside and from the other places, once",
    inFolder(async (root) => {
      const folder = path.join(root, "home");
      const rescue = [path.join(root, "rescue"), path.join(root, "tmp")];
      await withThread(folder, "old");
      newer(databaseFile(folder));
      await withThread(folder, "beside");
      await withThread(rescue[0] ?? "", "rescued");
      noLonger(databaseFile(folder));
      const first = await realHome(folder, rescue);
      const ids = async (): Promise<readonly string[]> =>
        (await first.home.store.threads()).map(({ id }) => id).sort();
      assert.deepEqual(await ids(), ["beside", "old", "rescued"]);
      assert.deepEqual(
        first.home.news.map(({ title }) => title),
        ["2 threads came back that were kept elsewhere."],
      );
      const [session] = await first.home.store.sessions("rescued");
      assert.deepEqual(session?.process, agentProcess, "it is ours to end");
      await first.home.dispose();
      assert.ok(!fs.existsSync(databaseFile(folder, 2)));
      assert.ok(fs.existsSync(`${databaseFile(folder, 2)}.adopted`));
      const second = await realHome(folder, rescue);
      assert.deepEqual(second.home.news, []);
      await second.home.dispose();
    }),
  );

  it(
    "I7: stay while another window writes them, which is said",
    inFolder(async (root) => {
      const rescue = path.join(root, "rescue");
      await withThread(rescue, "rescued");
      const lock = LockFile.take(rescue);
      assert.ok(lock.kind === "taken");
      const { home } = await realHome(path.join(root, "home"), [rescue]);
      assert.deepEqual(await home.store.threads(), []);
      assert.match(home.news[0]?.text ?? "", /another window uses it/);
      await home.dispose();
      lock.lock.release();
      assert.ok(fs.existsSync(databaseFile(rescue)));
    }),
  );

  it(
    "I8: two windows whose record cannot be opened write to two places, never to one",
    inFolder(async (root) => {
      const folder = path.join(root, "home");
      fs.writeFileSync(folder, "in the way");
      const rescue = [path.join(root, "rescue"), path.join(root, "tmp")];
      const [one, two, three] = [
        await realHome(folder, rescue),
        await realHome(folder, rescue),
        await realHome(folder, rescue),
      ];
      assert.match(one.home.news[0]?.text ?? "", /rescue\/turnline\.db/);
      assert.match(two.home.news[0]?.text ?? "", /tmp\/turnline\.db/);
      assert.match(three.home.readOnly ?? "", /No history could be opened/);
      for (const { home } of [one, two])
        assert.ok((await home.store.commit([write.thread("t")], "full")).ok);
      for (const { home } of [one, two, three]) await home.dispose();
    }),
  );
});

describe("a thread continued in both files", () => {
  it(
    "loses nothing: what it has more there comes as a thread of its own, once",
    inFolder(async (root) => {
      const folder = path.join(root, "home");
      await withThread(folder, "t");
      newer(databaseFile(folder));
      await withThread(folder, "t");
      const beside = await mustOpen(folder);
      const answer = await beside.commit(
        [
          write.accept("typed", 10, { thread: "t" }),
          write.claim(at(11), [["typed", 11]], "continuation", at(2)),
          write.append("said", 12, at(11), body.agent("ho"), {}, "t"),
          write.accept("waiting", 20, { thread: "t" }),
        ],
        "full",
      );
      assert.ok(answer.ok, JSON.stringify(answer));
      await beside.close();
      fs.copyFileSync(databaseFile(folder, 2), path.join(root, "kept"));
      noLonger(databaseFile(folder));
      const { home } = await realHome(folder, []);
      assert.deepEqual(
        home.news.map(({ title }) => title),
        ["1 thread came back that was kept elsewhere."],
      );
      const threads = await home.store.threads();
      assert.deepEqual(threads.map(({ title }) => title).sort(), [
        "Thread t",
        "Thread t (kept elsewhere)",
      ]);
      const brought = threads.find(({ id }) => id !== "t")?.id ?? "";
      const rows = async (thread: string): Promise<readonly unknown[]> =>
        (await home.store.page(thread, { limit: 9 })).messages.map(
          ({ id, batch, sequence, parentBatch }) => [
            ...[id, batch, sequence, parentBatch],
          ],
        );
      assert.deepEqual(await rows(brought), [
        ["typed", at(11), 0, null],
        ["said", at(11), 1, null],
      ]);
      assert.deepEqual(await rows("t"), [
        ["t-m", at(2), 0, null],
        ["t-a", at(2), 1, null],
      ]);
      assert.deepEqual(
        (await home.store.queue(brought)).map(({ id }) => id),
        ["waiting"],
      );
      assert.deepEqual(
        (await home.store.sessions(brought)).map((session) => [
          session.sessionId,
          session.process,
        ]),
        [[null, agentProcess]],
      );
      await home.dispose();
      // As where the file could not be renamed.
      fs.copyFileSync(path.join(root, "kept"), databaseFile(folder, 2));
      const again = await realHome(folder, []);
      assert.deepEqual(again.home.news, []);
      assert.equal((await again.home.store.threads()).length, 2);
      await again.home.dispose();
    }),
  );

  it(
    "brings a batch whole that went on there, and none that was removed here",
    inFolder(async (root) => {
      const there = openDirect(path.join(root, "there"));
      const both = [
        write.thread("t"),
        write.accept("a", 1),
        write.claim(at(2), [["a", 2]]),
        write.state("sent", "a"),
        write.append("a-start", 3, at(2), body.start()),
      ];
      const gone = [
        write.accept("gone", 10),
        write.claim(at(11), [["gone", 11]]),
        write.append("gone-start", 12, at(11), body.start()),
        write.state("sent", "gone"),
        write.append("gone-end", 13, at(11), body.end()),
        write.state("delivered", "gone"),
      ];
      const more = write.append("more", 14, at(11), body.agent("x"));
      const went = write.append("went on", 4, at(2), body.agent("y"));
      await there.store.commit([...both, went, ...gone, more], "full");
      there.close();
      const here = openDirect(path.join(root, "here"));
      await here.store.commit([...both, ...gone], "full");
      await here.store.retain({ before: timeAt(50) }, timeAt(100));
      assert.equal(await here.store.message("gone"), undefined);
      const file = databaseFile(path.join(root, "there"));
      assert.deepEqual(await here.store.adopt(file), {
        ok: true,
        threads: 1,
        messages: 3,
      });
      const { thread = "" } = (await here.store.message("went on")) ?? {};
      assert.notEqual(thread, "t");
      const [batch] = group(await here.store.batch(thread, at(2)));
      assert.ok(batch !== undefined);
      assert.deepEqual(flaws(batch), []);
      assert.deepEqual(
        batch.rows.map((row) => row.body.kind),
        ["user", "turnStart", "agent"],
      );
      assert.equal(here.integrity(), "ok");
      here.close();
    }),
  );
});

describe("bringing another workspace's threads", () => {
  it(
    "I9: what is written meanwhile never lowers the greatest Snowflake",
    inFolder(async (root) => {
      const there = openDirect(path.join(root, "there"));
      for (const [id, n] of [
        ["a", 1000],
        ["b", 2000],
      ] as const)
        await there.store.commit(
          [write.thread(id), write.accept(`${id}-m`, n, { thread: id })],
          "full",
        );
      there.close();
      const { connection, result } = openFile({
        folder: path.join(root, "here"),
        mode: "write",
      });
      assert.ok(connection !== undefined);
      const engine = new Engine(connection, {
        ...{ file: result.path, readOnly: false, fullText: true },
        statements: () => 0,
        onDamage: (detail) => assert.fail(detail),
      });
      engine.commit([write.thread("own")], "full");
      const work = engine.adopt(databaseFile(path.join(root, "there")));
      work.next();
      assert.equal(engine.greatest(), at(2000));
      const own = write.accept("mine", 5, { thread: "own" });
      assert.deepEqual(engine.commit([own], "full"), { ok: true });
      assert.equal(engine.greatest(), at(2000));
      finished(work);
      assert.equal(engine.greatest(), at(2000));
      engine.close();
    }),
  );

  it(
    "copies them, and none of its agents is ours to end",
    inFolder(async (root) => {
      const there = path.join(root, "there");
      await withThread(there, "one");
      newer(databaseFile(there));
      await withThread(there, "two");
      noLonger(databaseFile(there));
      fs.writeFileSync(databaseFile(there, 3), "rubbish");
      const store = await mustOpen(path.join(root, "here"));
      const brought = await bringThreads(store, there);
      assert.ok(brought.kind === "brought");
      assert.equal(brought.threads, 2);
      assert.equal(brought.failed.length, 1);
      assert.match(brought.failed[0] ?? "", /turnline-3\.db: it is not/);
      for (const id of ["one", "two"])
        assert.deepEqual(
          (await store.sessions(id)).map(({ process }) => process),
          [null],
        );
      await store.close();
      const left = await mustOpen(there);
      assert.deepEqual((await left.sessions("one"))[0]?.process, agentProcess);
      await left.close();
    }),
  );

  it(
    "I7: touches nothing while a window is at work there, and asks one that is gone",
    inFolder(async (root) => {
      const there = path.join(root, "there");
      await withThread(there, "one");
      let alive = true;
      const other = new WriterLock({
        folder: there,
        isWindowAlive: () => Promise.resolve(alive),
        onRelease: () => Promise.resolve(),
        onChange: () => undefined,
      });
      assert.equal(await other.start(), "writer");
      const store = await mustOpen(path.join(root, "here"));
      assert.deepEqual(await bringThreads(store, there), { kind: "inUse" });
      assert.deepEqual(await store.threads(), []);
      alive = false;
      const brought = await bringThreads(store, there);
      assert.ok(brought.kind === "brought" && brought.threads === 1);
      await other.dispose();
      await store.close();
    }),
  );
});

describe("deleting everything", () => {
  it(
    "takes files beside and other places too, and leaves what another window writes",
    inFolder(async (root) => {
      const global = path.join(root, "global");
      const index = new FolderIndex(global);
      const memory = path.join(global, "builtin");
      fs.mkdirSync(memory, { recursive: true });
      const folders = ["one", "two", "busy"].map((name) =>
        path.join(root, name),
      );
      const [one = "", two = "", busy = ""] = folders;
      const [rescue = ""] = rescueFolders(two, global);
      const unopened = path.join(root, "unopened");
      const [elsewhere = ""] = rescueFolders(unopened, global);
      for (const folder of [...folders, rescue, elsewhere])
        await withThread(folder, "t");
      // Only the file beside is left, as where the first was removed by hand.
      fs.renameSync(databaseFile(one), databaseFile(one, 2));
      fs.writeFileSync(path.join(two, "writer.json"), "{}");
      for (const storage of [...folders, unopened])
        index.note({ storage, folders: ["/w"], usedAt: 1 });
      const lock = LockFile.take(busy);
      assert.ok(lock.kind === "taken");
      assert.deepEqual(eraseAll(index, global, [memory]), {
        erased: 3,
        inUse: [busy],
      });
      for (const folder of [one, two, rescue, elsewhere])
        assert.deepEqual(fs.readdirSync(folder), []);
      assert.ok(fs.existsSync(databaseFile(busy)));
      assert.ok(fs.existsSync(memory), "the other window may use it");
      assert.deepEqual(
        index.all().map(({ storage }) => storage),
        [busy],
      );
      lock.lock.release();
      assert.deepEqual(eraseAll(index, global, [memory]).inUse, []);
      assert.ok(!fs.existsSync(memory));
    }),
  );
});

describe("the place in the shared temporary folder", () => {
  const [, shared = ""] = rescueFolders(`/nowhere/${process.pid}`, "/nowhere");
  afterEach(() => fs.rmSync(shared, { recursive: true, force: true }));

  it(
    "is open to nobody else, and is neither used nor gathered from when it is",
    inFolder(async (root) => {
      await withThread(shared, "kept");
      assert.equal(fs.statSync(shared).mode & 0o777, 0o700);
      fs.chmodSync(shared, 0o777);
      const home = path.join(root, "home");
      const gathering = await realHome(home, [shared]);
      assert.deepEqual(await gathering.home.store.threads(), []);
      assert.match(
        gathering.home.news[0]?.text ?? "",
        /Other users have access/,
      );
      await gathering.home.dispose();
      fs.rmSync(home, { recursive: true });
      fs.writeFileSync(home, "in the way");
      const using = await realHome(home, [shared]);
      assert.match(using.home.readOnly ?? "", /No history could be opened/);
      await using.home.dispose();
      assert.ok(eraseFolder(shared));
      assert.deepEqual(fs.readdirSync(shared), []);
    }),
  );

  it(
    "is not ours when it is a link",
    inFolder(async (root) => {
      const theirs = path.join(root, "theirs");
      await withThread(theirs, "t");
      fs.chmodSync(theirs, 0o755);
      fs.symlinkSync(theirs, shared);
      assert.match(notPrivate(shared) ?? "", /belongs to another user/);
      assert.equal(LockFile.take(shared).kind, "failed");
      assert.ok(eraseFolder(shared), "nothing of ours is there");
      assert.ok(fs.existsSync(databaseFile(theirs)));
      assert.equal(fs.statSync(theirs).mode & 0o777, 0o755);
    }),
  );
});
