import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { compile } from "../../src/core/compile/compile.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import { Engine } from "../../src/core/engine.ts";
import type { Store } from "../../src/core/ports.ts";
import { systemClock } from "../../src/host/clock.ts";
import { MemoryLog } from "../fakes/log.ts";
import {
  bundled,
  inFolder,
  mustOpen,
  storeWorker,
} from "../fakes/realStore.ts";
import { alice, sha256 } from "../fakes/world.ts";
import { faultSpec } from "./agentHarness.ts";

const threadCount = 20;
const messageCount = 500;
const own = messageCount / threadCount;

describe("a burst over real stdio and on a real disk", function () {
  this.timeout(60_000);

  it(
    "I13 I15 I22: 500 messages as fast as possible to 20 threads: none lost, none twice, order kept, one turn at a time each",
    inFolder(async (folder) => {
      const work = mkdtempSync(path.join(os.tmpdir(), "turnline-burst-"));
      const heard = path.join(work, "heard");
      const store = await mustOpen(folder);
      const engine = await startEngine(store, heard);
      try {
        const threads: string[] = [];
        for (let n = 0; n < threadCount; n++)
          threads.push(await newThread(engine, work));
        const over = idle(engine, threads);
        const replies = await Promise.all(
          Array.from({ length: messageCount }, (_, n) =>
            engine.submit(threads[n % threadCount] ?? "", {
              id: `m${n}`,
              sender: alice,
              blocks: [{ type: "text", text: `<m${n}>` }],
            }),
          ),
        );
        assert.ok(replies.every(({ ok }) => ok));
        assert.ok(
          replies.some((reply) => reply.ok && reply.note === "waiting"),
          "those past the cap were told so",
        );
        await over;
        for (const [index, thread] of threads.entries())
          await check(store, thread, index);
        const told = promptsBySession(heard);
        assert.equal(told.length, threadCount);
        assert.deepEqual(
          told.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
          threads.map((_, index) => expected(index)),
        );
      } finally {
        await engine.dispose();
        rmSync(work, { recursive: true });
      }
    }),
  );

  it(
    "what a burst leaves in memory does not grow with it",
    inFolder(async (folder) => {
      const [small = NaN, large = NaN] = await heapsAfter(folder, 500, 2_500);
      const ratio = large / small;
      assert.ok(ratio < 1.2, `${small} bytes grew to ${large}`);
    }),
  );
});

/** Bytes in use after a collection, after a burst of each size. */
async function heapsAfter(
  folder: string,
  ...sizes: readonly number[]
): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--expose-gc", await bundled("test/contract/burstChild.ts")],
    ...[folder, await storeWorker(), ...sizes.map(String)],
  ]);
  return stdout.trim().split("\n").map(Number);
}

/** The numbers of the messages of a thread, in order. */
function expected(thread: number): readonly number[] {
  return Array.from({ length: own }, (_, n) => thread + n * threadCount);
}

/** The record tells the same: each message once, in order, delivered, and no turn within another. */
async function check(
  store: Store,
  thread: string,
  index: number,
): Promise<void> {
  const { messages } = await store.page(thread, { limit: 1_000 });
  const mine = messages.filter(({ body }) => body.kind === "user");
  assert.deepEqual(
    mine.map(({ id, state }) => [id, state]),
    expected(index).map((n) => [`m${n}`, "delivered"]),
  );
  const edges = messages
    .map(({ body }) => body.kind)
    .filter((kind) => kind === "turnStart" || kind === "turnEnd");
  assert.ok(edges.length >= 2 * Math.ceil(own / 10), "the cap holds");
  edges.forEach((kind, n) =>
    assert.equal(kind, n % 2 === 0 ? "turnStart" : "turnEnd"),
  );
}

/** What each session was told, as the agents themselves recorded it. */
function promptsBySession(file: string): (readonly number[])[] {
  const sessions = new Map<string, number[]>();
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { method, params } = JSON.parse(line) as {
      method?: string;
      params: { sessionId: string; prompt: readonly { text?: string }[] };
    };
    if (method !== "session/prompt") continue;
    const text = params.prompt.map((block) => block.text ?? "").join("\n");
    const numbers = [...text.matchAll(/<m(\d+)>/gu)].map(([, n]) => Number(n));
    const before = sessions.get(params.sessionId) ?? [];
    sessions.set(params.sessionId, [...before, ...numbers]);
  }
  return [...sessions.values()];
}

/** Settles when every thread has had something to do and has no more. */
function idle(engine: Engine, threads: readonly string[]): Promise<void> {
  const busy = new Set(threads);
  return new Promise((resolve) => {
    const stop = engine.onChange(({ kind, thread }) => {
      if (kind !== "turn") return;
      const snapshot = engine.snapshot(thread);
      if (snapshot?.turn === null && snapshot.queue.items.length === 0)
        busy.delete(thread);
      else busy.add(thread);
      if (busy.size > 0) return;
      stop();
      resolve();
    });
  });
}

function startEngine(store: Store, heard: string): Promise<Engine> {
  const log = new MemoryLog();
  return Engine.start({
    store,
    log,
    agents: createAgentPort({ log, graceMs: 300 }),
    clock: systemClock,
    settings: defaultDispatchSettings,
    compile,
    sha256,
    uuid: () => randomUUID(),
    resolveAgent: () =>
      Promise.resolve({
        ok: true,
        value: { ...faultSpec(), env: { FAULT_RECORD: heard } },
      }),
    surroundings: () =>
      Promise.resolve({ fragments: [], additionalFolders: [] }),
  });
}

async function newThread(engine: Engine, folder: string): Promise<string> {
  const made = await engine.createThread({ folder, agent: "fault" });
  assert.ok("id" in made);
  return made.id;
}
