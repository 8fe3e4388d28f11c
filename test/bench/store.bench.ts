import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Engine } from "../../src/core/engine.ts";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import type { SqliteStore } from "../../src/history/sqliteStore.ts";
import { liveParts } from "../../src/host/projector.ts";
import { Transcript } from "../../src/host/transcript.ts";
import { ViewFeed } from "../../src/host/viewFeed.ts";
import { openDirect } from "../fakes/directStore.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { agent, threadOf, user } from "../fakes/recordBuilder.ts";
import { base } from "../fixtures/webviewDev/make.ts";
import { startEngine } from "./benchHost.ts";
import type { Figure } from "./figure.ts";

const faultAgent = path.join(
  import.meta.dirname,
  "../fixtures/faultAgent/faultAgent.mjs",
);
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
      ...(await openGrowth(small, large)),
      await searchVersusScan(large),
      await loopDelay(large),
      // Last, since it leaves a queue behind.
      await acceptGrowth(small, large),
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

/**
 * Opening a record and taking its threads up, without the start of the worker, which costs the same whatever the
 * history. The list of threads grows with their number and is told by itself.
 */
export async function openGrowth(
  small: string,
  large: string,
): Promise<readonly Figure[]> {
  const opens: [number[], number[]] = [[], []];
  const lists: [number[], number[]] = [[], []];
  for (let n = 0; n < 25; n += 1)
    for (const [index, folder] of [small, large].entries()) {
      const which = index === 0 ? 0 : 1;
      let listing = 0;
      const from = performance.now();
      const { store, close } = openDirect(folder);
      const threads = (): ReturnType<History["threads"]> => {
        const began = performance.now();
        const list = store.threads();
        listing += performance.now() - began;
        return list;
      };
      const listed: History = new Proxy<History>(store, {
        get: (target, name: keyof History): unknown =>
          name === "threads" ? threads : target[name].bind(target),
      });
      const engine = await startEngine(listed, "");
      await engine.page("t0", { limit: 50 });
      opens[which].push(performance.now() - from - listing);
      lists[which].push(listing);
      await engine.dispose();
      close();
    }
  return [
    ratio("store.open.growth", opens[1], opens[0], 1.5),
    ratio("store.list.growth", lists[1], lists[0], null),
  ];
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

/** The host's own thread while an agent writes 200 pieces a second, stored and shown; against a live agent that is silent. */
export async function loopDelay(large: string): Promise<Figure> {
  const store = await mustOpen(large);
  const engine = await startEngine(store, faultAgent);
  const stop = await follow(engine, store);
  const idle = monitorEventLoopDelay({ resolution: 1 });
  const busy = monitorEventLoopDelay({ resolution: 1 });
  await engine.setFolder("t0", large);
  await turn(engine, "do:chunks=20,5");
  for (let round = 0; round < 5; round += 1) {
    idle.enable();
    await sleep(1000);
    idle.disable();
    busy.enable();
    await turn(engine, "do:chunks=200,5");
    busy.disable();
  }
  stop();
  await engine.dispose();
  await store.close();
  return {
    name: "store.loop-delay",
    value: busy.percentile(99) / idle.percentile(99),
    unit: "×",
    limit: 2,
  };
}

/** A view of the thread, as the chat keeps one. */
async function follow(engine: Engine, store: History): Promise<() => void> {
  const transcript = new Transcript(store, "t0");
  await transcript.latest();
  const project = (): ReturnType<Transcript["project"]> =>
    transcript.project(liveParts(engine.snapshot("t0")));
  const feed = new ViewFeed((message) => structuredClone(message));
  feed.snapshot("view", { ...base, ...project() });
  const end = engine.onChange((change) => {
    if (change.kind !== "message" && change.kind !== "text") return;
    transcript.apply(change);
    if (change.kind === "text") feed.change({ ...change, op: "text" });
    else feed.become({ ...base, ...project() });
  });
  return () => {
    end();
    feed.dispose();
  };
}

function turn(engine: Engine, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let begun = false;
  const stop = engine.onChange((change) => {
    if (change.kind !== "turn") return;
    begun ||= change.turn !== null;
    if (!begun || change.turn !== null) return;
    stop();
    resolve(undefined);
  });
  const blocks = [{ type: "text", text }] as const;
  void engine.submit("t0", { id: randomUUID(), sender: user, blocks });
  return promise;
}

/** Batches of two rows in threads of about fifty, the first with half of them all, settled and indexed. */
export async function fill(folder: string, count: number): Promise<void> {
  const store = await mustOpen(folder);
  const ids = new SnowflakeGenerator(() => 1_700_000_000_000);
  const threads = Array.from(
    { length: Math.max(10, count / 50) },
    (_, n) => `t${n}`,
  );
  await store.commit(
    threads.map((id) => ({ kind: "thread", thread: threadOf(id) })),
    "full",
  );
  const perCommit = 1000;
  for (let from = 0; from < count; from += perCommit) {
    const messages: Message[] = [];
    for (let n = from; n < Math.min(count, from + perCommit); n += 2)
      messages.push(
        ...batch(n, threads[owner(n, threads.length)] ?? "t0", ids),
      );
    const answer = await store.commit([{ kind: "import", messages }], "normal");
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  await settle(store);
  await store.close();
}

function owner(n: number, threads: number): number {
  return n % 4 === 0 ? 0 : 1 + (((n - 2) / 4) % (threads - 1));
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
  limit: number | null,
): Figure {
  const value = median(times) / median(against);
  return { name, value, unit: "×", limit };
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
