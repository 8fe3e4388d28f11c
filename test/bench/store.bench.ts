import fs from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import type { SqliteStore } from "../../src/history/sqliteStore.ts";
import { openDirect } from "../fakes/directStore.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { agent, threadOf, user } from "../fakes/recordBuilder.ts";
import type { Figure } from "./figure.ts";

const few = 100;
const many = 100_000;

/** The record at a hundred and at a hundred thousand messages. */
export async function bench(): Promise<readonly Figure[]> {
  const small = await newFolder();
  const large = await newFolder();
  try {
    await fill(small, few);
    await fill(large, many);
    return [
      await acceptGrowth(small, large),
      openGrowth(small, large),
      await searchVersusScan(large),
      await loopDelay(large),
    ];
  } finally {
    await fs.rm(small, { recursive: true });
    await fs.rm(large, { recursive: true });
  }
}

export async function acceptGrowth(
  small: string,
  large: string,
): Promise<Figure> {
  const stores = [await mustOpen(small), await mustOpen(large)] as const;
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < 300; n += 1)
    for (const which of [0, 1] as const)
      times[which].push(await timed(() => accept(stores[which], n)));
  for (const store of stores) await store.close();
  return ratio("store.accept.growth", times[1], times[0], 1.5);
}

/** Without the start of the worker, which costs the same whatever the history. */
export function openGrowth(small: string, large: string): Figure {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < 25; n += 1)
    for (const [which, folder] of [small, large].entries()) {
      const from = performance.now();
      const opened = openDirect(folder);
      void opened.store.threads();
      void opened.store.queue("t0");
      void opened.store.unsettled("t0");
      void opened.store.page("t0", { limit: 50 });
      times[which === 0 ? 0 : 1].push(performance.now() - from);
      opened.close();
    }
  return ratio("store.open.growth", times[1], times[0], 1.5);
}

/** Both on this thread: the way to the worker and back costs the same for either. */
export async function searchVersusScan(large: string): Promise<Figure> {
  const { store, ...opened } = openDirect(large);
  const scanner = new DatabaseSync(databaseFile(large), { readOnly: true });
  const scan = scanner.prepare(
    `SELECT n, id, body, text FROM message WHERE body LIKE ? OR text LIKE ?
     ORDER BY n DESC LIMIT 20`,
  );
  await store.search({ text: "warm", limit: 20 });
  const searches: number[] = [];
  const scans: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const text = `needle${n}`;
    searches.push(await timed(() => store.search({ text, limit: 20 })));
    scans.push(
      await timed(() => Promise.resolve(scan.all(`%${text}%`, `%${text}%`))),
    );
  }
  scanner.close();
  opened.close();
  return ratio("store.search.vs-scan", searches, scans, 0.05);
}

/** The host's own thread while 200 pieces a second come in, each stored at once: more than coalescing lets through. */
export async function loopDelay(large: string): Promise<Figure> {
  const store = await mustOpen(large);
  const idle = monitorEventLoopDelay({ resolution: 1 });
  const busy = monitorEventLoopDelay({ resolution: 1 });
  let length = 0;
  let stored = Promise.resolve();
  const ids = new SnowflakeGenerator(Date.now, await store.greatest());
  const position = ids.next();
  const record = { id: "stream", thread: "t0", position, batch: position };
  const body = { kind: "agent", text: "" } as const;
  await store.commit(
    [{ kind: "append", record: { ...record, sender: agent, marks: {}, body } }],
    "normal",
  );
  const piece = (): void => {
    const text = "a piece of text ";
    const offset = length;
    length += text.length;
    const commit = store.commit(
      [{ kind: "text", id: "stream", offset, text }],
      "normal",
    );
    stored = stored.then(() => commit).then(() => undefined);
  };
  for (let round = 0; round < 5; round += 1) {
    idle.enable();
    await sleep(1000);
    idle.disable();
    const timer = setInterval(piece, 5);
    busy.enable();
    await sleep(1000);
    busy.disable();
    clearInterval(timer);
    await stored;
  }
  await store.close();
  return {
    name: "store.loop-delay",
    value: busy.percentile(99) / idle.percentile(99),
    unit: "×",
    limit: 2,
  };
}

/** Batches of two rows in ten threads, the first with half of them all, settled and indexed. */
export async function fill(folder: string, count: number): Promise<void> {
  const store = await mustOpen(folder);
  const ids = new SnowflakeGenerator(() => 1_700_000_000_000);
  const threads = Array.from({ length: 10 }, (_, n) => `t${n}`);
  await store.commit(
    threads.map((id) => ({ kind: "thread", thread: threadOf(id) })),
    "full",
  );
  const perCommit = 1000;
  for (let from = 0; from < count; from += perCommit) {
    const messages: Message[] = [];
    for (let n = from; n < Math.min(count, from + perCommit); n += 2)
      messages.push(...batch(n, threads[owner(n)] ?? "t0", ids));
    const answer = await store.commit([{ kind: "import", messages }], "normal");
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  await settle(store);
  await store.close();
}

function owner(n: number): number {
  return n % 4 === 0 ? 0 : 1 + (((n - 2) / 4) % 9);
}

async function settle(store: SqliteStore): Promise<void> {
  await store.search({ text: "word", limit: 1 });
}

function batch(
  n: number,
  thread: string,
  ids: SnowflakeGenerator,
): readonly Message[] {
  const position = ids.next();
  const common = {
    thread,
    arrived: position,
    rank: null,
    batch: position,
    batchType: "user_request",
    parentBatch: null,
    retryOf: null,
    marks: {},
  } as const;
  const text = `word ${n} ${n % 5000 === 0 ? `needle${(n / 5000) % 9}` : ""} ${"lorem ipsum dolor sit amet ".repeat(8)}`;
  return [
    {
      ...common,
      id: `m${n}`,
      position,
      sequence: 0,
      sender: user,
      state: "delivered",
      body: { kind: "user", blocks: [{ type: "text", text }] },
    },
    {
      ...common,
      id: `m${n + 1}`,
      position: ids.next(),
      sequence: 1,
      sender: agent,
      state: null,
      body: { kind: "agent", text },
    },
  ];
}

async function accept(store: History, n: number): Promise<void> {
  const id = `accepted${n}`;
  const now = Date.now().toString(16).padStart(12, "0");
  const arrived = `${now}${n.toString(16).padStart(4, "0")}`;
  const message = { id, thread: "t0", arrived, rank: n, sender: user };
  const blocks = [
    { type: "text", text: "A message as people type them" },
  ] as const;
  const answer = await store.commit(
    [{ kind: "accept", message: { ...message, blocks, marks: {} } }],
    "full",
  );
  if (!answer.ok) throw new Error(JSON.stringify(answer));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function ratio(
  name: string,
  times: readonly number[],
  against: readonly number[],
  limit: number,
): Figure {
  const value = median(times) / median(against);
  return { name, value, unit: "×", limit };
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
