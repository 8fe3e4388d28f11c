import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { eraseRecords } from "../../../src/history/erase.ts";
import { FolderIndex } from "../../../src/history/folderIndex.ts";
import { databaseFile } from "../../../src/history/databaseFiles.ts";
import { stableFolder } from "../../../src/history/stableFolder.ts";

describe("the stable folder", () => {
  const ws = path.join("data", "workspaceStorage");
  const id = "0f343b0931126a20f133d67c2b018a3b";
  const cases: readonly (readonly [string, string])[] = [
    [id, id],
    [`${id}-1`, id],
    [`${id}-2`, id],
    [`${id}-12`, id],
    [`${id}-0`, `${id}-0`],
    ["1700000000000", "1700000000000"],
    ["-1", "-1"],
  ];
  for (const [given, stable] of cases)
    it(`of ${given} is ${stable}`, () => {
      assert.equal(
        stableFolder(path.join(ws, given, "turnline.turnline-2")),
        path.join(ws, stable, "turnline.turnline-2"),
      );
    });
});

describe("the index of folders", () => {
  let root: string;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "turnline-index-"));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  const database = (name: string): string => {
    const storage = path.join(root, name);
    fs.mkdirSync(storage);
    fs.writeFileSync(databaseFile(storage), "x");
    return storage;
  };

  it("knows which database belongs to which folder, newest first", () => {
    const index = new FolderIndex(path.join(root, "global"));
    assert.deepEqual(index.all(), []);
    const [a, b, c] = [database("a"), database("b"), database("c")];
    index.note({ storage: a, folders: ["/one", "/two"], usedAt: 1 });
    index.note({ storage: b, folders: ["/two"], usedAt: 2 });
    index.note({ storage: c, folders: ["/three"], usedAt: 3 });
    const found = (storage: string, ...folders: readonly string[]): string[] =>
      index.elsewhere(storage, folders).map((entry) => entry.storage);
    assert.deepEqual(found("new", "/two"), [b, a]);
    assert.deepEqual(found(a, "/two"), [b]);
    assert.deepEqual(found("new", "/nowhere"), []);
    index.note({ storage: a, folders: ["/one"], usedAt: 4 });
    assert.deepEqual(found("new", "/two"), [b]);
    index.forget(b);
    assert.deepEqual(found("new", "/two"), []);
    assert.deepEqual(found("new", "/three"), [c]);
    fs.rmSync(databaseFile(c));
    assert.deepEqual(found("new", "/three"), [], "there is nothing to offer");
    assert.deepEqual(
      index.all().map((entry) => entry.storage),
      [a, c],
    );
  });

  it("passes over what it cannot read", () => {
    const index = new FolderIndex(path.join(root, "global"));
    index.note({ storage: database("a"), folders: ["/one"], usedAt: 1 });
    const folder = path.join(root, "global", "folders");
    fs.writeFileSync(path.join(folder, "broken.json"), "{");
    fs.writeFileSync(path.join(folder, "other.json"), '{"storage":3}');
    assert.equal(index.all().length, 1);
  });

  it("lets a folder's records be erased, and nothing else", () => {
    const storage = database("a");
    const names = [
      "turnline.db-wal",
      "turnline-2.db",
      "turnline.db.v1.bak",
      "turnline.db.damaged",
    ];
    for (const name of [...names, "other.txt"])
      fs.writeFileSync(path.join(storage, name), "x");
    assert.equal(eraseRecords(storage).length, 5);
    assert.deepEqual(fs.readdirSync(storage), ["other.txt"]);
    assert.deepEqual(eraseRecords(path.join(root, "nowhere")), []);
  });
});
