import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { guessFiles, matchFiles } from "../../../src/builtinAgent/files.ts";
import { compileGlob, matchesGlob } from "../../../src/builtinAgent/glob.ts";
import { isIgnored, parseIgnore } from "../../../src/builtinAgent/ignore.ts";
import { locate, openScope } from "../../../src/builtinAgent/paths.ts";
import { walk } from "../../../src/builtinAgent/walk.ts";

describe("built-in agent: files", () => {
  const globs: readonly (readonly [string, string, boolean])[] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "src/a.ts", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "x/y/a.ts", true],
    ["src/**/a.ts", "src/a.ts", true],
    ["src/**/a.ts", "src/x/y/a.ts", true],
    ["src/**/x/*.ts", "src/x/q/x/a.ts", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["*.{ts,js}", "a.js", true],
    ["*.{ts,js}", "a.css", false],
    ["{a,b}/{c,d}.x", "b/d.x", true],
    ["a\\*", "a*", true],
    ["a\\*", "ab", false],
    ["[", "[", true],
    ["é?", "é😀", true],
  ];
  for (const [glob, file, fits] of globs)
    it(`${glob} ${fits ? "fits" : "does not fit"} ${file}`, () => {
      assert.equal(matchesGlob(compileGlob(glob), file), fits);
    });

  it("no pattern takes long", () => {
    const started = process.cpuUsage();
    const glob = compileGlob(`${"*a".repeat(40)}b/${"**/x/".repeat(40)}y`);
    matchesGlob(glob, `${"a".repeat(5_000)}/${"x/".repeat(5_000)}z`);
    compileGlob("{a,b}".repeat(60));
    assert.ok(process.cpuUsage(started).user < 1_000_000);
  });

  const ignored: readonly (readonly [string, string, boolean, boolean])[] = [
    ["*.log", "a.log", false, true],
    ["*.log", "x/a.log", false, true],
    ["dist/", "dist", true, true],
    ["dist/", "dist", false, false],
    ["/top", "x/top", false, false],
    ["/top", "top", false, true],
    ["a/b", "x/a/b", false, false],
    ["*.log\n!keep.log", "keep.log", false, false],
    ["# dist\n\n", "# dist", false, false],
    ["dist  ", "dist", true, true],
  ];
  for (const [rules, file, isFolder, expected] of ignored)
    it(`${JSON.stringify(rules)} ${expected ? "ignores" : "keeps"} ${file}`, () => {
      assert.equal(isIgnored(parseIgnore(rules, ""), file, isFolder), expected);
    });

  const entries = [
    "README.md",
    "src/app.ts",
    "src/app.test.ts",
    "src/application.ts",
    "lib/map/x.ts",
  ].map((name) => ({ path: `/w/${name}`, name }));
  const names = (files: readonly { name: string }[]): string[] =>
    files.map((file) => file.name);

  it("finds the closest names first", () => {
    assert.deepEqual(names(matchFiles(entries, "app")), [
      "src/app.ts",
      "src/app.test.ts",
      "src/application.ts",
    ]);
    assert.deepEqual(names(matchFiles(entries, "MAP")), ["lib/map/x.ts"]);
    assert.deepEqual(names(guessFiles(entries, "readme")), ["README.md"]);
    assert.deepEqual(names(guessFiles(entries, "./map/x.ts")), [
      "lib/map/x.ts",
    ]);
    assert.deepEqual(names(guessFiles(entries, "nothing")), []);
  });

  describe("on disk", () => {
    let root: string;
    const write = (name: string, text = ""): void => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
    };
    const never = new AbortController().signal;

    beforeEach(() => {
      root = fs.realpathSync(
        fs.mkdtempSync(path.join(os.tmpdir(), "turnline-walk-")),
      );
    });
    afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

    it("walks what the project keeps, and follows no link", async () => {
      write(".gitignore", "out\n");
      for (const name of [
        "a.ts",
        "out/b.ts",
        "sub/.gitignore",
        "sub/c.ts",
        "sub/d.ts",
        "node_modules/p/e.js",
        ".git/HEAD",
      ])
        write(name, name === "sub/.gitignore" ? "c.ts\n" : "");
      fs.symlinkSync("/etc", path.join(root, "etc"));
      fs.symlinkSync(root, path.join(root, "sub", "loop"));
      assert.deepEqual(await walk(root, never), {
        files: [".gitignore", "a.ts", "sub/.gitignore", "sub/d.ts"],
        folders: 1,
      });
    });

    it("stops at its limits and says so", async () => {
      for (const name of ["a", "b", "c", "x/d"]) write(name);
      const few = await walk(root, never, { files: 2, ms: 1_000 });
      assert.deepEqual([few.files.length, few.stopped], [2, "count"]);
      const late = await walk(root, never, { files: 100, ms: -1 });
      assert.equal(late.stopped, "time");
      const stopped = await walk(root, AbortSignal.abort());
      assert.equal(stopped.stopped, "cancelled");
      const gone = await walk(path.join(root, "gone"), never);
      assert.deepEqual(gone, { files: [], folders: 0 });
    });

    const places: readonly (readonly [string, string])[] = [
      ["a.txt", "found"],
      ["./sub/../a.txt", "found"],
      ["in", "found"],
      ["new.txt", "missing"],
      ["sub/deep/new.txt", "missing"],
      ["in-dangling", "missing"],
      ["..", "outside"],
      ["../x", "outside"],
      ["sub/../../x", "outside"],
      ["/etc/passwd", "outside"],
      ["out/passwd", "outside"],
      ["out/new", "outside"],
      ["out-dangling", "outside"],
      ["twice/new", "outside"],
      ["round", "missing"],
      ["~/x", "outside"],
      ["a\0b", "outside"],
      ["file:///etc/passwd", "outside"],
      ["file://host/%00", "outside"],
    ];
    for (const [written, kind] of places)
      it(`${JSON.stringify(written)} is ${kind}`, async () => {
        write("a.txt");
        write("sub/b.txt");
        const link = (to: string, name: string): void =>
          fs.symlinkSync(to, path.join(root, name));
        link("a.txt", "in");
        link("/etc", "out");
        link("nowhere", "in-dangling");
        link("/tmp/nowhere-at-all/x", "out-dangling");
        link("out", "twice");
        link("round", "round");
        const scope = await openScope(root, []);
        assert.equal((await locate(scope, written)).kind, kind);
      });
  });
});
