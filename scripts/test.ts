// Runs the stages of the test: all of them, or one by its name with what it needs first.
import { mkdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { counted } from "./counts.ts";
import { flakyFiles, runFiles } from "./files.ts";
import { posixOnly } from "./posix.ts";
import { unlessUnchanged } from "./sources.ts";
import { currentVsix } from "./vsix.ts";
import {
  cached,
  endRuns,
  eslint,
  fromRoot,
  mocha,
  prettier,
  run,
  type Say,
  tool,
  tsc,
} from "./tools.ts";
import { stopOnSignals } from "../test/lab/ending.ts";
import { findBrowser } from "../test/lab/chromium.ts";
import { installServer } from "../test/lab/vscode/install.ts";
import { installAgents } from "../test/lab/agents/install.ts";

interface Stage {
  /** True when all is well. `counts` is the file its runner counts its tests in; without one it counts as one test. */
  readonly run: (say: Say, counts: string) => Promise<boolean>;
  readonly counts?: "itself";
}

interface Outcome {
  readonly name: string;
  readonly seconds: string;
  readonly passed: number;
  readonly failed: number;
}

const results = fromRoot("out", "results");
const desktop = process.env["TURNLINE_VSCODE"] === "desktop";
const windows = process.platform === "win32";

const suite = (
  pattern: string,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Stage => ({
  counts: "itself",
  run: (say, counts) =>
    tool(
      mocha,
      [pattern, ...more, "--reporter", fromRoot("test", "lab", "reporter.cjs")],
      { ...env, TURNLINE_COUNTS: counts },
      say,
    ),
});

/** Each file has a VS Code of its own, and most of its time is waiting. */
const files = (...patterns: readonly string[]): Stage => ({
  counts: "itself",
  run: (say, counts) =>
    runFiles({
      ...{ patterns, results, counts, say },
      atOnce: Number(process.env["TURNLINE_AT_ONCE"] ?? 3),
      retries: Number(process.env["TURNLINE_RETRY"] ?? 5),
    }),
});

/** Each file in a process of its own, without a second chance. */
const processes = (...patterns: readonly string[]): Stage => ({
  counts: "itself",
  run: (say, counts) =>
    runFiles({
      ...{ patterns, results, counts, say },
      ...{ atOnce: 2, retries: 0, reporter: "Dot" },
      ...(windows ? { except: posixOnly } : {}),
    }),
});

const stages: Readonly<Record<string, Stage>> = {
  fetch: {
    run: async (say) => {
      const line = (text: string): void => say(`  ${text}\n`);
      if (!desktop) {
        findBrowser(line);
        await installServer(line);
        await installAgents(line);
      }
      return true;
    },
  },
  lint: {
    run: (say) =>
      unlessUnchanged(
        "lint",
        say,
        async () =>
          (await tool(eslint, [".", "--max-warnings", "0"], {}, say)) &&
          (await tool(
            prettier,
            ["--check", "--log-level", "warn", ".", ...prettierCache()],
            {},
            say,
          )),
      ),
  },
  types: {
    run: async (say) => {
      const worlds = ["src", "webview", "test"];
      const well = await Promise.all(
        worlds.map((world) =>
          tool(
            tsc,
            [
              ...["-p", world, "--incremental", "--tsBuildInfoFile"],
              path.join(cached, `${world}.tsbuildinfo`),
            ],
            {},
            say,
          ),
        ),
      );
      return well.every(Boolean);
    },
  },
  unit: suite("test/unit/**/*.test.ts", [
    // Mocha would leave one core for itself, which it does not need.
    ...["--parallel", "--jobs", String(os.availableParallelism())],
  ]),
  // The same lives as in `unit`, thousands of them.
  generated: suite("test/unit/dispatch/model.test.ts", [], {
    TURNLINE_RUNS: "1000",
  }),
  contract: processes("test/contract/**/*.test.ts"),
  crash: processes("test/crash/**/*.test.ts"),
  integration: {
    counts: "itself",
    run: (say, counts) =>
      run(
        process.execPath,
        [fromRoot("test", "lab", "vscode", "integration.ts")],
        { TURNLINE_COUNTS: counts },
        say,
      ),
  },
  package: {
    run: async (say) =>
      (await currentVsix((line) => say(`  ${line}\n`))) !== "",
  },
  e2e: files("test/e2e/*.test.ts"),
  agents: files("test/agents/*.test.ts"),
  // That a broken suite leaves pictures and logs, in a VS Code for each way to break.
  evidence: files("test/long/*.test.ts"),
  // One pool, so that no core is idle while the last file of one runs.
  "e2e and agents": files("test/e2e/*.test.ts", "test/agents/*.test.ts"),
};

/** Steps one after another, each of lanes side by side, each of stages one after another. */
type Plan = readonly (readonly (readonly string[])[])[];

const whole: Plan = [
  [["fetch"]],
  [
    ["lint", "types"],
    ["unit", "generated", "contract", "crash", "integration", "package"],
  ],
  // These need the headless VS Code and what Linux tells about processes.
  ...(desktop ? [] : [[["e2e and agents"]]]),
];

/** What a stage needs first when it is run on its own. */
const plans: Readonly<Record<string, Plan>> = {
  e2e: [[["fetch", "package", "e2e"]]],
  agents: [[["fetch", "package", "agents"]]],
  integration: [[["fetch", "integration"]]],
  /** The generated and crash tests once more, many times over, and what is too slow for every run. */
  long: [
    [
      [
        ...["fetch", "unit", "contract", "crash"],
        ...["package", "e2e and agents", "evidence"],
      ],
    ],
  ],
};

stopOnSignals(() => {
  console.log("\nStopping …");
  void endRuns().finally(() => process.exit(130));
});
await main(process.argv[2]);

async function main(only: string | undefined): Promise<void> {
  if (only === "long") {
    process.env["TURNLINE_LONG"] = "1";
    process.env["TURNLINE_RUNS"] ??= "20000";
  }
  const plan = only === undefined ? whole : (plans[only] ?? [[[only]]]);
  const unknown = plan.flat(2).find((name) => stages[name] === undefined);
  if (unknown !== undefined) {
    console.error(
      `There is no stage ${unknown}. Stages: ${Object.keys(stages).join(", ")}`,
    );
    process.exit(2);
  }
  rmSync(results, { recursive: true, force: true });
  for (const folder of [results, cached])
    mkdirSync(folder, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const lanes of plan) {
    const alone = lanes.length === 1;
    await Promise.all(lanes.map((lane) => runLane(lane, alone, outcomes)));
    if (outcomes.some(isInTheWay)) break;
  }
  const times = outcomes.map(({ name, seconds }) => `${name} ${seconds} s`);
  const sum = (pick: (one: Outcome) => number): number =>
    outcomes.reduce((all, one) => all + pick(one), 0);
  const failed = sum((one) => one.failed);
  console.log(`\nTime: ${times.join(" · ")}`);
  if (desktop) console.log("On a desktop VS Code: without e2e and agents.");
  if (windows) console.log(`On Windows: without ${posixOnly.join(", ")}.`);
  if (failed > 0) console.log(`Screenshots and logs of failures: ${results}`);
  for (const file of flakyFiles(results))
    console.log(`PASSED ONLY WHEN RUN AGAIN: ${file}`);
  console.log(`${sum((one) => one.passed)} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

async function runLane(
  lane: readonly string[],
  alone: boolean,
  outcomes: Outcome[],
): Promise<void> {
  for (const name of lane) {
    const outcome = await runStage(name, alone);
    outcomes.push(outcome);
    if (isInTheWay(outcome)) return;
  }
}

/** Without these nothing that follows can be told. */
function isInTheWay({ name, failed }: Outcome): boolean {
  return failed > 0 && (name === "fetch" || name === "package");
}

function prettierCache(): readonly string[] {
  return [
    ...["--cache", "--cache-strategy", "content"],
    ...["--cache-location", path.join(cached, "prettier")],
  ];
}

/** What runs beside others says everything at its end, so that nothing is mixed up. */
async function runStage(name: string, alone: boolean): Promise<Outcome> {
  const stage = stages[name];
  const counts = `${results}/${name}.counts.jsonl`;
  const kept: string[] = [];
  const say: Say = alone
    ? (text) => process.stdout.write(text)
    : (text) => kept.push(text);
  say(`\n── ${name}\n`);
  const start = performance.now();
  const well = await attempt(() => stage?.run(say, counts), say);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { passed, failed } = counted(counts);
  say(`── ${name}: ${well ? "ok" : "FAILED"}, ${seconds} s\n`);
  process.stdout.write(kept.join(""));
  return {
    name,
    seconds,
    passed: passed + (stage?.counts === undefined && well ? 1 : 0),
    // A stage that broke without a failing test (a crash, a missing suite) is a failure all the same.
    failed: failed + (!well && failed === 0 ? 1 : 0),
  };
}

async function attempt(
  stage: () => Promise<boolean> | undefined,
  say: Say,
): Promise<boolean> {
  try {
    return (await stage()) === true;
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}
