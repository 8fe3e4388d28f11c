import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { placeOf } from "../../../src/host/bounds.ts";

describe("the bounds of a thread's folders", () => {
  let home: string;
  const at = (...names: readonly string[]): string => path.join(home, ...names);

  before(() => {
    home = mkdtempSync(path.join(os.tmpdir(), "turnline-bounds-"));
    for (const folder of ["shop/src", "shop/.git", "shop-2", "away", "second"])
      mkdirSync(at(folder), { recursive: true });
    writeFileSync(at("shop/src/a.ts"), "");
    writeFileSync(at("away/secret"), "");
    symlinkSync(at("away"), at("shop/out"));
    symlinkSync(at("away/secret"), at("shop/leak"));
    symlinkSync(at("away/not-yet"), at("shop/dangling"));
    symlinkSync(at("shop/src"), at("shop/in"));
    symlinkSync(at("shop"), at("alias"));
    symlinkSync(at("shop/loop"), at("shop/loop"));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const cases: readonly (readonly [
    what: string,
    named: string,
    kind: string,
  ])[] = [
    ["a file", "shop/src/a.ts", "inside"],
    ["the folder itself", "shop", "inside"],
    ["a file that is not there yet", "shop/new/deep/b.ts", "inside"],
    ["a name that begins with dots", "shop/..a", "inside"],
    ["a second folder", "second/x", "inside"],
    ["a link that stays inside", "shop/in/a.ts", "inside"],
    ["the folder by another name", "alias/src/a.ts", "inside"],
    ["`..` out of it", "shop/src/../../away/secret", "outside"],
    ["a folder whose name begins the same", "shop-2/x", "outside"],
    ["a link to a folder outside", "shop/out/secret", "outside"],
    ["a new file behind such a link", "shop/out/new", "outside"],
    ["a link to a file outside", "shop/leak", "outside"],
    ["git's own folder", "shop/.git/hooks/pre-commit", "delicate"],
    ["the editor's settings", "shop/.vscode/tasks.json", "delicate"],
    ["a workspace file", "shop/All.code-workspace", "delicate"],
    ["a container", "shop/.devcontainer/devcontainer.json", "delicate"],
    ["a container at the top", "shop/.devcontainer.json", "delicate"],
    ["a git hook", "shop/.husky/pre-commit", "delicate"],
    ["the same in capitals", "shop/.VSCode/tasks.json", "delicate"],
    ["a link to nothing", "shop/dangling", "unclear"],
    ["a link to itself", "shop/loop/x", "unclear"],
  ];
  for (const [what, named, kind] of cases)
    it(`${what}: ${kind}`, async () => {
      const place = await placeOf(`${home}/${named}`, [
        at("shop"),
        at("second"),
      ]);
      assert.equal(place.kind, kind);
    });

  for (const named of ["src/a.ts", "../away", "", "/etc\0/passwd"])
    it(`${JSON.stringify(named)} is no path: refused`, async () => {
      assert.equal((await placeOf(named, [at("shop")])).kind, "unclear");
    });
});
