import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { format } from "node:util";
import Mocha from "mocha";

/** What VS Code calls inside its extension host; settles when every test has run. */
export async function run(): Promise<void> {
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 60_000,
    reporter: "spec",
    color: false,
  });
  // The workbench's own console is noisy: the report goes to a file that the runner shows.
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    note("TURNLINE_REPORT", format(...args));
  };
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  if (process.env["TURNLINE_SITUATION"] === undefined) {
    await import("./activation.test.ts");
    await import("./commands.test.ts");
    await import("./api.test.ts");
  }
  await import("./everyCommand.test.ts");
  const rejections: string[] = [];
  process.on("unhandledRejection", (reason) => {
    const said = reason instanceof Error ? reason.stack : String(reason);
    // VS Code's own built-in extensions run in the same host.
    if (/\/dist\/extension\.cjs|\/out\/suites\//u.test(said ?? ""))
      rejections.push(said ?? "");
  });
  describe("all of it", () => {
    it("leaves no rejection unhandled", async () => {
      // Node tells of them after the microtasks of a turn of its loop.
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(rejections, []);
    });
  });
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run((failed) => {
      const passed = runner.stats?.passes ?? 0;
      note("TURNLINE_COUNTS", JSON.stringify({ passed, failed }));
      if (failed === 0 && passed > 0) resolve();
      else reject(new Error(`${failed} of the integration tests failed`));
    });
  });
}

function note(variable: string, line: string): void {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}
