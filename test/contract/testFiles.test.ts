import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { flakyFiles, runFiles } from "../../scripts/files.ts";
import { posixOnly, posixWords } from "../../scripts/posix.ts";
import { fromRoot, root } from "../../scripts/tools.ts";

describe("running test files side by side", function () {
  this.timeout(120_000);
  let folder: string;
  const cache = process.env["TURNLINE_CACHE"];

  beforeEach(() => {
    mkdirSync(fromRoot("out"), { recursive: true });
    folder = mkdtempSync(fromRoot("out", "files-"));
    process.env["TURNLINE_CACHE"] = path.join(folder, "cache");
  });
  afterEach(() => {
    if (cache === undefined) delete process.env["TURNLINE_CACHE"];
    else process.env["TURNLINE_CACHE"] = cache;
    rmSync(folder, { recursive: true, force: true });
  });

  /** Test files that keep their results' folder, and pass or fail as told. */
  async function run(
    tests: Readonly<Record<string, "passes" | "fails" | "failsOnce">>,
    retries = 2,
  ): Promise<{ well: boolean; flaky: readonly string[]; counts: string }> {
    for (const [name, how] of Object.entries(tests)) {
      const seen = JSON.stringify(path.join(folder, `${name}.seen`));
      const throws = {
        passes: "false",
        fails: "true",
        failsOnce: `!existsSync(${seen})`,
      }[how];
      writeFileSync(
        path.join(folder, `${name}.test.ts`),
        `import { existsSync, writeFileSync } from "node:fs";
it("${name}", () => {
  const broken = ${throws};
  writeFileSync(${seen}, process.env["TURNLINE_RESULTS"] ?? "");
  if (broken) throw new Error("${name} is broken");
});
`,
      );
    }
    const results = path.join(folder, "results");
    mkdirSync(results);
    const counts = path.join(results, "counts.jsonl");
    const well = await runFiles({
      ...{ results, counts, retries },
      patterns: [path.relative(root, path.join(folder, "*.test.ts"))],
      atOnce: 2,
      say: () => undefined,
    });
    const flaky = flakyFiles(results).map((file) => path.basename(file));
    return { well, flaky, counts: readFileSync(counts, "utf8") };
  }

  it("names what passed only when it was run again, and keeps what the first run left", async () => {
    const { well, flaky, counts } = await run({
      good: "passes",
      shaky: "failsOnce",
    });
    assert.equal(well, true);
    assert.deepEqual(flaky, ["shaky.test.ts"]);
    assert.equal(counts, '{"passed":1,"failed":0}\n'.repeat(2));
    const own = path.join(folder, "results", "shaky");
    assert.match(
      readFileSync(path.join(own, "output.txt"), "utf8"),
      /shaky is broken/,
    );
    assert.equal(
      readFileSync(path.join(folder, "shaky.seen"), "utf8"),
      path.join(own, "again"),
    );
  });

  it("gives no second chance when more failed than chance explains, or none is wanted", async () => {
    const { well, flaky, counts } = await run({ shaky: "failsOnce" }, 0);
    assert.equal(well, false);
    assert.deepEqual(flaky, []);
    assert.equal(counts, '{"passed":0,"failed":1}\n');
    assert.equal(
      existsSync(path.join(folder, "results", "shaky", "again")),
      false,
    );
  });

  it("leaves to POSIX systems what only they have", () => {
    const files = globSync("test/{contract,crash}/*.test.ts", { cwd: root })
      .map((file) => file.replaceAll(path.sep, "/"))
      .filter((file) => file !== "test/contract/testFiles.test.ts");
    for (const file of posixOnly) assert.ok(files.includes(file), file);
    assert.deepEqual(
      files.filter(
        (file) =>
          !posixOnly.includes(file) &&
          posixWords.test(readFileSync(path.join(root, file), "utf8")),
      ),
      [],
    );
  });
});
