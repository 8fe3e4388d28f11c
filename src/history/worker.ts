import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Engine } from "./engine.ts";
import { openFile } from "./opening.ts";
import type { OpenedFile } from "./opening.ts";
import type { Operation, Reply, Request, WorkerData } from "./operations.ts";
import type { Sliced } from "./slices.ts";
import { troubleOf } from "./sqliteError.ts";
import { errorText } from "../util/errorText.ts";

/** Texts wait this long to be indexed, so that a burst of commits is not slowed down. */
const indexAfterMs = 250;

/** Long work lets others in this often, or as soon after as its pieces allow. */
const sliceMs = 4;

const { folder, mode, faults } = workerData as WorkerData;
const lanes = new Map<Operation, Promise<void>>();
let statements = 0;
let indexing: NodeJS.Timeout | undefined;

const opened = openFile({
  folder,
  mode,
  hook: countStatement,
  fullText: faults.noFullText !== true,
});
const engine = startEngine(opened);
say({ kind: "opened", result: opened.result });
if (engine !== undefined)
  parentPort?.on("message", (request: Request) => handle(engine, request));

function startEngine({
  connection,
  result,
  fullText,
}: OpenedFile): Engine | undefined {
  if (connection === undefined || !result.ok) return undefined;
  if (faults.maxPages !== undefined)
    connection.exec(`PRAGMA max_page_count = ${faults.maxPages}`);
  return new Engine(connection, {
    file: result.path,
    readOnly: result.readOnly,
    fullText: fullText === true,
    statements: () => statements,
    onDamage: (detail) => say({ kind: "damage", detail }),
  });
}

type Callable = Record<Operation, (...list: readonly unknown[]) => unknown>;

function handle(on: Engine, { id, operation, parameters }: Request): void {
  attempt(on, id, () => {
    // The client's types join operation and parameters; both ends are one program.
    const work = on as unknown as Callable;
    const answer = work[operation](...parameters);
    if (isSliced(answer)) queue(on, operation, id, answer);
    else say({ kind: "answer", id, value: answer });
    return false;
  });
  if (operation === "commit") indexSoon(on);
  if (operation === "close") {
    clearTimeout(indexing);
    parentPort?.close();
  }
}

/** Answers with a failure where `work` throws, and then as if there were no more to do. */
function attempt(on: Engine, id: number, work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    const trouble = troubleOf(error) ?? "failed";
    const detail = errorText(error);
    if (trouble === "corrupt") on.damaged(detail);
    say({ kind: "failure", id, trouble, detail });
    return false;
  }
}

/** Long work of one kind goes one after the other, in pieces, with everything else in between. */
function queue(
  on: Engine,
  operation: Operation,
  id: number,
  work: Sliced<unknown>,
): void {
  const before = lanes.get(operation) ?? Promise.resolve();
  lanes.set(
    operation,
    before.then(() => drive(on, id, work)),
  );
}

async function drive(
  on: Engine,
  id: number,
  work: Sliced<unknown>,
): Promise<void> {
  let more = true;
  while (more) {
    const until = performance.now() + sliceMs;
    do {
      more = attempt(on, id, () => {
        const step = work.next();
        if (step.done === true) say({ kind: "answer", id, value: step.value });
        return step.done !== true;
      });
    } while (more && performance.now() < until);
    await setImmediate();
  }
}

function indexSoon(on: Engine): void {
  indexing ??= setTimeout(() => {
    indexing = undefined;
    try {
      if (on.indexSome()) indexSoon(on);
    } catch (error) {
      if (troubleOf(error) === "corrupt") on.damaged(errorText(error));
    }
  }, indexAfterMs);
}

function say(reply: Reply): void {
  const moved =
    reply.kind === "answer" && reply.value instanceof Map
      ? [...reply.value.values()].flatMap((value: unknown) =>
          value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
        )
      : [];
  parentPort?.postMessage(reply, moved);
}

function isSliced(answer: unknown): answer is Sliced<unknown> {
  return (
    typeof answer === "object" &&
    answer !== null &&
    Symbol.iterator in answer &&
    "next" in answer
  );
}

function countStatement(): void {
  statements += 1;
  if (statements === faults.endAtStatement) process.exit(1);
}
