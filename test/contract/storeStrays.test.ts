import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bringThreads } from "../../src/history/bringThreads.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { eraseAll } from "../../src/history/eraseAll.ts";
import { FolderIndex } from "../../src/history/folderIndex.ts";
import { LockFile } from "../../src/history/lockFile.ts";
import { rescueFolders } from "../../src/history/rescueFolders.ts";
import { WriterLock } from "../../src/history/writerLock.ts";
import { realHome } from "../fakes/realHome.ts";
import { inFolder, mustOpen } from "../fakes/realStore.ts";
import { at, body, sessionOf, write } from "../fakes/recordBuilder.ts";

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
  database.exec("PRAGMA user_version = 1");
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

describe("bringing another workspace's threads", () => {
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
      const folders = ["one", "two", "busy"].map((name) =>
        path.join(root, name),
      );
      const [one = "", two = "", busy = ""] = folders;
      const [rescue = ""] = rescueFolders(two, global);
      for (const folder of [...folders, rescue]) await withThread(folder, "t");
      // Only the file beside is left, as where the first was removed by hand.
      fs.renameSync(databaseFile(one), databaseFile(one, 2));
      fs.writeFileSync(path.join(two, "writer.json"), "{}");
      for (const storage of folders)
        index.note({ storage, folders: ["/w"], usedAt: 1 });
      const lock = LockFile.take(busy);
      assert.ok(lock.kind === "taken");
      assert.deepEqual(eraseAll(index, global), { erased: 2, inUse: [busy] });
      for (const folder of [one, two, rescue])
        assert.deepEqual(fs.readdirSync(folder), []);
      assert.ok(fs.existsSync(databaseFile(busy)));
      assert.deepEqual(
        index.all().map(({ storage }) => storage),
        [busy],
      );
      lock.lock.release();
    }),
  );
});
