import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { longestFirst, noteDurations, readDurations } from "./durations.ts";
import { fromRoot, mocha, root, type Say, tool } from "./tools.ts";

export interface Files {
  readonly patterns: readonly string[];
  /** Files of these that are left out. */
  readonly except?: readonly string[];
  /** Where what is kept of failures goes. */
  readonly results: string;
  /** The file the tests are counted in. */
  readonly counts: string;
  readonly atOnce: number;
  /** How many files may be run once more; more than these have not failed by chance. */
  readonly retries: number;
  readonly reporter?: "Spec" | "Dot";
  readonly say: Say;
}

interface Outcome {
  readonly file: string;
  readonly well: boolean;
  readonly said: string;
  readonly seconds: number;
  /** The line its reporter counted with; none when it broke before it had an end. */
  readonly counts: string | undefined;
}

/**
 * Runs each test file in a process of its own, so many at a time.
 * A real browser on a busy machine may miss a beat: what failed is run once more, alone, and what passes only then is named.
 */
export async function runFiles(files: Files): Promise<boolean> {
  const { counts, atOnce, retries, say } = files;
  const waiting = [...inOrder(files)];
  const missed: Outcome[] = [];
  const seconds: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const outcome = await runFile(file, files, "first");
        say(shown(outcome));
        seconds[file] = outcome.seconds;
        if (outcome.well) count(outcome, counts);
        else missed.push(outcome);
      }
    }),
  );
  noteDurations(seconds);
  if (missed.length > retries) {
    for (const outcome of missed) count(outcome, counts);
    return false;
  }
  let well = true;
  for (const first of missed) {
    say(`\n  ${first.file} failed: once more, alone\n`);
    const outcome = await runFile(first.file, files, "again");
    say(shown(outcome));
    count(outcome, counts);
    if (outcome.well) noteFlaky(files.results, first);
    well &&= outcome.well;
  }
  return well;
}

/** Files that passed only when they were run again. */
export function flakyFiles(results: string): readonly string[] {
  const file = flakyFile(results);
  if (!existsSync(file)) return [];
  const noted = JSON.parse(readFileSync(file, "utf8")) as { file: string }[];
  return noted.map((one) => one.file);
}

const flakyFile = (results: string): string => path.join(results, "flaky.json");

function noteFlaky(results: string, { file, said }: Outcome): void {
  const target = flakyFile(results);
  const before = existsSync(target)
    ? (JSON.parse(readFileSync(target, "utf8")) as unknown[])
    : [];
  const all = [...before, { file, said }];
  writeFileSync(target, `${JSON.stringify(all, undefined, 2)}\n`);
}

function inOrder({ patterns, except = [] }: Files): readonly string[] {
  const files = patterns
    .flatMap((pattern) => globSync(fromRoot(pattern)))
    .map((file) => ({
      name: path.relative(root, file).replaceAll(path.sep, "/"),
      bytes: statSync(file).size,
    }))
    .filter(({ name }) => !except.includes(name));
  return longestFirst(files, readDurations());
}

async function runFile(
  file: string,
  { results, reporter = "Spec" }: Files,
  which: "first" | "again",
): Promise<Outcome> {
  const own = path.join(results, path.basename(file, ".test.ts"));
  const kept = which === "first" ? own : path.join(own, "again");
  const counted = `${own}.${which}.count`;
  const said: string[] = [];
  const start = performance.now();
  const well = await tool(
    mocha,
    // A handle left open by one file must not hold up the rest.
    [file, "--exit", "--reporter", fromRoot("test", "lab", "reporter.cjs")],
    {
      TURNLINE_COUNTS: counted,
      TURNLINE_REPORTER: reporter,
      TURNLINE_RESULTS: kept,
    },
    (text) => said.push(text),
  );
  const outcome = {
    file,
    well,
    said: said.join(""),
    seconds: (performance.now() - start) / 1000,
    counts: existsSync(counted) ? readFileSync(counted, "utf8") : undefined,
  };
  if (!well) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, "output.txt"), outcome.said);
  }
  return outcome;
}

function shown({ file, said, seconds }: Outcome): string {
  return `\n  ${file} (${seconds.toFixed(1)} s)\n${said.trimEnd()}\n`;
}

function count({ well, counts: line }: Outcome, counts: string): void {
  if (line !== undefined) appendFileSync(counts, line);
  // One that broke outside its tests is a failure all the same.
  const told = line !== undefined && !/"failed":0\b/.test(line);
  if (!well && !told) appendFileSync(counts, '{"passed":0,"failed":1}\n');
}
