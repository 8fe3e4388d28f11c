import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { atExit, exitOnSignals } from "../lab/ending.ts";
import { evidenceFolder } from "../lab/vscode/evidence.ts";

const headless = path.resolve(import.meta.dirname, "../lab/vscode/headless.ts");

describe("a suite in VS Code's extension host that fails", function () {
  this.timeout(120_000);
  /** An extension of its own, so that its evidence is not taken for ours. */
  const extension = mkdtempSync(path.join(os.tmpdir(), "turnline-evidence-"));
  before(() => {
    writeFileSync(
      path.join(extension, "package.json"),
      JSON.stringify({
        ...{ name: "x", publisher: "x", version: "0.0.1" },
        engines: { vscode: "*" },
      }),
    );
    mkdirSync(path.join(extension, "suites"));
  });
  after(() => rmSync(extension, { recursive: true, force: true }));

  const cases: readonly (readonly [string, string, Record<string, string>])[] =
    [
      ["a test failed", "Promise.reject(new Error('no'))", {}],
      [
        "it did not end in time",
        "new Promise(() => undefined)",
        {
          TURNLINE_SITUATION: "with no folder open",
          TURNLINE_MINUTES: "0.1",
        },
      ],
    ];
  for (const [how, result, env] of cases)
    it(`leaves a picture and the logs: ${how}`, async () => {
      const suite = path.join(extension, "suites", `${how}.cjs`);
      writeFileSync(
        suite,
        `exports.run = () => { console.log("it began"); return ${result}; };`,
      );
      const child = spawn(
        process.execPath,
        [
          headless,
          `--extensionDevelopmentPath=${extension}`,
          `--extensionTestsPath=${suite}`,
        ],
        { env: { ...process.env, ...env }, stdio: "ignore" },
      );
      atExit(() => child.kill());
      exitOnSignals();
      const [code] = (await once(child, "exit")) as [number];
      assert.notEqual(code, 0);
    });

  it("each in a folder of its own", () => {
    for (const [, , { TURNLINE_SITUATION: situation }] of cases) {
      const folder = evidenceFolder(
        path.join(extension, "out", "results"),
        situation,
      );
      const kept = globSync("**/*", { cwd: folder });
      for (const name of [/^workbench\.png$/, /^server\.log$/, /^logs.*log$/])
        assert.ok(
          kept.some((file) => name.test(file)),
          `${name.source}: ${kept.join(" ")}`,
        );
    }
  });
});
