import assert from "node:assert/strict";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import type { Readable } from "node:stream";
import { flaws, group } from "../../src/core/batch.ts";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import { openDirect } from "../fakes/directStore.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import {
  bundled,
  newFolder,
  scratch,
  storeWorker,
} from "../fakes/realStore.ts";
import { threadOf, user } from "../fakes/recordBuilder.ts";
import { dump } from "../fakes/recordDump.ts";
import type { Dump } from "../fakes/recordDump.ts";
import type { Commit } from "../fakes/recordScenario.ts";

/** A random life of the record. */
export interface Life {
  readonly seed: number;
  readonly length: number;
}

/** What a record must hold after each number of commits: the store in memory knows. */
export async function prefixes(
  commits: readonly Commit[],
): Promise<readonly Dump[]> {
  const memory = new MemoryStore();
  const dumps = [await dump(memory)];
  for (const { writes, durability } of commits) {
    await memory.commit(writes, durability);
    dumps.push(await dump(memory));
  }
  return dumps;
}

export interface Death {
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
}

/** So long after it was heard to have opened and made so many commits. */
export interface Kill {
  readonly afterCommits: number;
  readonly ms: number;
}

/** Runs a life in a process of its own until it is killed, or over. */
export async function live(
  folder: string,
  { seed, length }: Life,
  kill: Kill,
): Promise<Death> {
  const child = await started("test/crash/children/crashChild.ts", [
    ...[folder, await storeWorker()],
    ...[seed, length].map(String),
  ]);
  let timer: NodeJS.Timeout | undefined;
  const death = await endOf(child, (text) => {
    if (commitsIn(text) >= kill.afterCommits)
      timer ??= setTimeout(() => child.kill("SIGKILL"), kill.ms);
  });
  clearTimeout(timer);
  return death;
}

/** What a process said and how it ended. */
export async function endOf(
  child: ChildProcessByStdio<null, Readable, null>,
  hear: (text: string) => void = () => undefined,
): Promise<Death> {
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
    hear(text);
  });
  await once(child, "close");
  return {
    lines: text.split("\n").filter(Boolean),
    signal: child.signalCode,
  };
}

/** None before the file was opened. */
function commitsIn(text: string): number {
  return text.split("\n").length - 2;
}

export async function started(
  program: string,
  args: readonly string[],
): Promise<ChildProcessByStdio<null, Readable, null>> {
  return spawn(process.execPath, [await bundled(program), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: scratch() },
  });
}

/** Kills a life, checks all that must hold afterwards, and tells how it died. */
export async function survive(
  life: Life,
  expected: readonly Dump[],
  kill: Kill,
): Promise<Death> {
  const folder = await newFolder();
  try {
    const death = await live(folder, life, kill);
    await verify(folder, death.lines, expected);
    return death;
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

/**
 * I1, I3: what was answered is there, and of what was not, all or nothing. I4: opening twice changes nothing.
 * I5: nothing is accepted twice. I9, I12: order and batches are sound. And the record goes on.
 */
export async function verify(
  folder: string,
  lines: readonly string[],
  expected: readonly Dump[],
  look?: (store: History, held: Dump) => Promise<void>,
): Promise<void> {
  const answered = lines.filter((line) => line === "committed").length;
  const first = openDirect(folder);
  assert.deepEqual(first.result.left, []);
  assert.equal(first.integrity(), "ok");
  const held = await dump(first.store);
  checkState(held, answered, lines.includes("searched"), expected);
  await look?.(first.store, held);
  first.close();
  const second = openDirect(folder);
  try {
    assert.deepEqual(await dump(second.store), held);
    for (const batch of group(held.messages))
      assert.deepEqual(flaws(batch), []);
    await checkDuplicates(second.store, expected[answered]?.messages ?? []);
    await goOn(second.store, held);
  } finally {
    second.close();
  }
}

function checkState(
  held: Dump,
  answered: number,
  cutting: boolean,
  expected: readonly Dump[],
): void {
  const now = expected[answered];
  const next = expected[answered + 1];
  assert.ok(now);
  if (!cutting) {
    if (next !== undefined && isDeepEqual(held, next)) return;
    assert.deepEqual(held, now);
    return;
  }
  const rows = new Map(now.messages.map((row) => [row.id, row]));
  for (const row of held.messages) assert.deepEqual(row, rows.get(row.id));
  assert.deepEqual(held.queues, now.queues);
  assert.deepEqual(held.unsettled, now.unsettled);
  assert.equal(held.greatest, now.greatest);
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

async function checkDuplicates(
  store: ReturnType<typeof openDirect>["store"],
  accepted: readonly Message[],
): Promise<void> {
  for (const { id, thread, arrived, state } of accepted) {
    if (state === null) continue;
    const message = { id, thread, arrived, rank: 1, sender: user };
    const answer = await store.commit(
      [{ kind: "accept", message: { ...message, blocks: [], marks: {} } }],
      "full",
    );
    assert.deepEqual(answer, { ok: false, reason: "duplicate", ids: [id] });
  }
}

async function goOn(
  store: ReturnType<typeof openDirect>["store"],
  held: Dump,
): Promise<void> {
  const ids = new SnowflakeGenerator(() => 0, await store.greatest());
  const arrived = ids.next();
  const position = ids.next();
  for (const row of held.messages) {
    assert.ok(row.arrived < arrived);
    assert.ok((row.position ?? "") < arrived);
  }
  const thread = held.threads[0]?.id ?? "new";
  const message = { id: "after", thread, arrived, rank: 1, sender: user };
  const known = held.threads.some(({ id }) => id === thread);
  const answer = await store.commit(
    [
      ...(known ? [] : [{ kind: "thread", thread: threadOf(thread) } as const]),
      { kind: "accept", message: { ...message, blocks: [], marks: {} } },
      {
        kind: "claim",
        batch: position,
        batchType: "user_request",
        parentBatch: null,
        messages: [{ id: "after", position }],
      },
    ],
    "full",
  );
  assert.deepEqual(answer, { ok: true });
}

/** Two at a time, since the processes wait for the disk much of the time. */
export async function inPairs<T>(
  jobs: readonly (() => Promise<T>)[],
): Promise<readonly T[]> {
  const left = [...jobs];
  const done: T[] = [];
  const run = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift())
      done.push(await job());
  };
  await Promise.all([run(), run()]);
  return done;
}
