import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createUserName } from "../../../src/host/userName.ts";

describe("the user's name", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "turnline-name-"));
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: folder });
    git("init", "--quiet");
    git("config", "user.name", "Repository Sam");
  });
  after(() => rmSync(folder, { recursive: true }));

  it("is git's in the thread's folder, where the setting says nothing", async () => {
    let set = "";
    const name = createUserName(
      () => set,
      (thread) => (thread === "t" ? folder : path.join(folder, "gone")),
      () => true,
    );
    assert.equal(await name("t"), "Repository Sam");
    set = "Alice";
    assert.equal(await name("t"), "Alice");
    set = "";
    assert.equal(await name("elsewhere"), "user");
  });

  it("is not asked of a repository that is not trusted", async () => {
    let trusted = false;
    const name = createUserName(
      () => "",
      () => folder,
      () => trusted,
    );
    assert.notEqual(await name("t"), "Repository Sam");
    trusted = true;
    assert.equal(await name("t"), "Repository Sam");
  });
});
