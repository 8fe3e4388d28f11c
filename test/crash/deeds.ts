import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { blobHashes } from "../../src/core/recordText.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { migrations } from "../../src/history/schema.ts";
import { openDirect } from "../fakes/directStore.ts";
import { write } from "../fakes/recordBuilder.ts";
import { dump, type Dump } from "../fakes/recordDump.ts";
import { clearedBlob, everyKind } from "../fakes/recordLife.ts";
import type { Commit } from "../fakes/recordScenario.ts";
import { prefixes, verify } from "./harness.ts";
import type { Deed } from "./statements.ts";
import { upgraded } from "./upgraded.ts";

const hereOf = (root: string): string => path.join(root, "here");
const thereOf = (root: string): string => path.join(root, "there");

async function fill(folder: string, commits: readonly Commit[]): Promise<Dump> {
  const { store, close } = openDirect(folder);
  for (const { writes, durability } of commits)
    assert.deepEqual(await store.commit(writes, durability), { ok: true });
  const held = await dump(store);
  close();
  return held;
}

async function held(folder: string, steps = migrations): Promise<Dump> {
  const opened = openDirect(folder, { migrations: steps });
  try {
    assert.deepEqual(opened.result.left, []);
    assert.equal(opened.integrity(), "ok");
    return await dump(opened.store);
  } finally {
    opened.close();
  }
}

/** The same files for every kill, made once. */
function kept(
  folderOf: (root: string) => string,
  commits: readonly Commit[],
): (root: string) => Promise<Dump> {
  let made: { readonly bytes: Buffer; readonly dump: Dump } | undefined;
  return async (root) => {
    const file = databaseFile(folderOf(root));
    if (made === undefined) {
      const all = await fill(folderOf(root), commits);
      made = { bytes: fs.readFileSync(file), dump: all };
    } else {
      fs.mkdirSync(folderOf(root));
      fs.writeFileSync(file, made.bytes);
    }
    return made.dump;
  };
}

/** A file made, everything written that ever is, and its upkeep. */
export async function lifeDeed(): Promise<Deed> {
  const expected = await prefixes(everyKind());
  return {
    name: "live",
    prepare: () => Promise.resolve(),
    verify: (root, lines) =>
      verify(hereOf(root), lines, expected, async (store, { messages }) => {
        // What a message shows is there, and what nothing has used for days is not.
        const used = messages.flatMap(({ body }) => blobHashes(body));
        const there = await store.blobs([...used, clearedBlob]);
        for (const hash of used) assert.ok(there.has(hash));
        if (lines.includes("cleared")) assert.ok(!there.has(clearedBlob));
      }),
  };
}

/** A schema taken further, with a copy before each step: nothing is lost, and each copy there is, is whole. */
export function upgradeDeed(): Deed {
  const old = kept(hereOf, everyKind());
  let before: Dump | undefined;
  return {
    name: "upgrade",
    prepare: async (root) => {
      before = await old(root);
    },
    verify: async (root) => {
      await wholeBackups(root, before);
      assert.deepEqual(await held(hereOf(root), upgraded), before);
      assert.equal(await wholeBackups(root, before), 2);
      const left = fs.readdirSync(hereOf(root));
      assert.ok(!left.some((name) => name.endsWith(".new")), left.join());
    },
  };
}

/** Opens every copy beside the record as if it were the record; answers how many there are. */
async function wholeBackups(
  root: string,
  before: Dump | undefined,
): Promise<number> {
  const copies = fs
    .readdirSync(hereOf(root))
    .filter((name) => name.endsWith(".bak"));
  for (const name of copies) {
    const folder = path.join(root, "copy");
    fs.mkdirSync(folder);
    fs.copyFileSync(path.join(hereOf(root), name), databaseFile(folder));
    assert.deepEqual(await held(folder, upgraded), before, name);
    fs.rmSync(folder, { recursive: true });
  }
  return copies.length;
}

/** Threads brought from another file: each whole or not at all, both files sound, and a second try brings the rest. */
export function adoptDeed(): Deed {
  const writes = [
    write.thread("own"),
    write.accept("mine", 90, { thread: "own" }),
  ];
  const ours = kept(hereOf, [{ writes, durability: "full" }]);
  const other = kept(thereOf, everyKind());
  let own: Dump | undefined;
  let theirs: Dump | undefined;
  return {
    name: "adopt",
    prepare: async (root) => {
      own = await ours(root);
      theirs = await other(root);
    },
    verify: async (root) => {
      assert.ok(own && theirs);
      assert.deepEqual(await held(thereOf(root)), theirs);
      const found = await held(hereOf(root));
      for (const { id } of found.threads)
        assert.deepEqual(
          partOf(found, id),
          partOf(id === "own" ? own : theirs, id),
        );
      const there = databaseFile(thereOf(root));
      const { store, close } = openDirect(hereOf(root));
      const missing = 1 + theirs.threads.length - found.threads.length;
      const again = await store.adopt(there);
      assert.ok(again.ok);
      assert.equal(again.threads, missing);
      const after = await dump(store);
      for (const { id } of theirs.threads)
        assert.deepEqual(partOf(after, id), partOf(theirs, id));
      assert.deepEqual(partOf(after, "own"), partOf(own, "own"));
      assert.deepEqual(after.blobs, theirs.blobs);
      close();
    },
  };
}

function partOf(all: Dump, thread: string): unknown {
  return {
    thread: all.threads.filter(({ id }) => id === thread),
    messages: all.messages.filter((row) => row.thread === thread),
    sessions: all.sessions.filter((row) => row.thread === thread),
    archives: all.archives.filter((row) => row.thread === thread),
    batches: all.batches.filter((row) => row.thread === thread),
  };
}
