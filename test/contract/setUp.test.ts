import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("a fresh clone", () => {
  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(path.join(os.tmpdir(), "turnline clone "));
    mkdirSync(path.join(clone, "scripts"));
    cpSync(
      path.join(root, "scripts", "run.mjs"),
      path.join(clone, "scripts", "run.mjs"),
    );
    writeFileSync(path.join(clone, "package-lock.json"), "{}");
  });
  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  it("installs its tools whatever the user's npm settings say, once, and runs the task", () => {
    const asked = path.join(clone, "asked.jsonl");
    const npm = path.join(clone, "npm.mjs");
    writeFileSync(
      npm,
      `import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
       appendFileSync(${JSON.stringify(asked)}, JSON.stringify(process.argv.slice(2)) + "\\n");
       mkdirSync("node_modules/node/bin", { recursive: true });
       copyFileSync(process.execPath, "node_modules/node/bin/" + (process.platform === "win32" ? "node.exe" : "node"));`,
    );
    writeFileSync(
      path.join(clone, "scripts", "task.ts"),
      "console.log('ran', process.argv.slice(2).join(' '));",
    );
    for (let time = 0; time < 2; time++) {
      const { stdout, status } = spawnSync(
        process.execPath,
        [path.join(clone, "scripts", "run.mjs"), "task", "a", "b"],
        { encoding: "utf8", env: { ...process.env, npm_execpath: npm } },
      );
      assert.equal(status, 0);
      assert.match(stdout, /ran a b/);
    }
    const calls = readFileSync(asked, "utf8").trim().split("\n");
    assert.equal(calls.length, 1);
    const [args = []] = calls.map((line) => JSON.parse(line) as string[]);
    assert.equal(args[0], "ci");
    for (const flag of ["--include=dev", "--ignore-scripts=false"])
      assert.ok(args.includes(flag), flag);
  });

  it("can run every npm script: none goes past the set-up", () => {
    const { scripts } = JSON.parse(
      readFileSync(path.join(root, "package.json"), "utf8"),
    ) as { scripts: Record<string, string> };
    for (const [name, command] of Object.entries(scripts))
      assert.match(command, /^node scripts\/run\.mjs \w+/, name);
  });
});
