// Submits bursts of messages to 20 threads, as fast as possible, and prints the heap after each:
// `node --expose-gc burstChild.ts FOLDER WORKER COUNT…`
import { createHash, randomUUID } from "node:crypto";
import { compile } from "../../src/core/compile/compile.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import { Engine } from "../../src/core/engine.ts";
import { openStore } from "../../src/history/sqliteStore.ts";
import { systemClock } from "../../src/host/clock.ts";
import { echoAgents } from "../fakes/echoAgents.ts";

const [folder = "", worker = "", ...counts] = process.argv.slice(2);
const threadCount = 20;
const quiet = (): undefined => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

void main();

async function main(): Promise<void> {
  const opened = await openStore({ folder, worker });
  if (!opened.ok) throw new Error(opened.detail);
  const { store } = opened;
  const engine = await Engine.start({
    ...{ store, agents: echoAgents, clock: systemClock, log, compile },
    sha256: (data) => createHash("sha256").update(data).digest("hex"),
    uuid: randomUUID,
    resolveAgent: (id) =>
      Promise.resolve({
        ok: true,
        value: { id, label: "Echo", command: "", args: [], env: {} },
      }),
    surroundings: () =>
      Promise.resolve({ fragments: [], additionalFolders: [] }),
    settings: { ...defaultDispatchSettings, maxLiveAgents: threadCount },
  });
  const threads: string[] = [];
  while (threads.length < threadCount) {
    const made = await engine.createThread({ folder, agent: "echo" });
    if (!("id" in made)) throw new Error(made.detail);
    threads.push(made.id);
  }
  for (const count of counts.map(Number)) {
    await burst(engine, threads, count);
    console.log(await collected());
  }
  await engine.dispose();
  await store.close();
}

/** Settles when everything was accepted and has gone. */
async function burst(
  engine: Engine,
  threads: readonly string[],
  count: number,
): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  let accepted = false;
  const look = (): void => {
    const busy = threads.some((thread) => {
      const now = engine.snapshot(thread);
      return now?.turn !== null || now.queue.items.length > 0;
    });
    if (accepted && !busy) resolve(undefined);
  };
  const stop = engine.onChange(({ kind }) => {
    if (kind === "turn") look();
  });
  const replies = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      engine.submit(threads[n % threads.length] ?? "", {
        id: randomUUID(),
        sender: { kind: "user", name: "user" },
        blocks: [{ type: "text", text: `Message ${n}, as people type them` }],
      }),
    ),
  );
  if (!replies.every(({ ok }) => ok)) throw new Error("One was refused.");
  accepted = true;
  look();
  await over;
  stop();
}

/** What is left when collecting again frees nothing more. */
async function collected(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0; idle < 5; idle++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least) idle = 0;
    least = Math.min(least, heapUsed);
  }
  return least;
}
