// Runs turns through the engine and the store as the extension does, with a view's transcript attached,
// and prints the heap after each of the given numbers of turns: `node --expose-gc manyTurns.ts FOLDER WORKER COUNT…`
import { createHash, randomUUID } from "node:crypto";
import { compile } from "../../../src/core/compile/compile.ts";
import { defaultDispatchSettings } from "../../../src/core/dispatch/settings.ts";
import { Engine } from "../../../src/core/engine.ts";
import {
  openStore,
  type SqliteStore,
} from "../../../src/history/sqliteStore.ts";
import { systemClock } from "../../../src/host/clock.ts";
import { ThreadBook } from "../../../src/host/threadBook.ts";
import { atRest } from "../../../src/host/projector.ts";
import { Transcript } from "../../../src/host/transcript.ts";
import { echoAgents } from "../../fakes/echoAgents.ts";

const [folder = "", worker = "", ...counts] = process.argv.slice(2);
const quiet = (): undefined => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

void main();

async function main(): Promise<void> {
  const store = await open();
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
    archives: (thread) => store.archives(thread),
    settings: defaultDispatchSettings,
  });
  const book = new ThreadBook(engine, {
    agent: () => "echo",
    folder: () => folder,
    settle: () => Promise.resolve(),
    label: (agent) => agent,
  });
  const { id: thread } = book.begin();
  await book.keep(thread);
  show(engine, store, thread);
  let turns = 0;
  for (const count of counts.map(Number)) {
    while (turns < count) await turn(engine, thread, ++turns);
    await settled();
    console.log(process.memoryUsage().heapUsed);
  }
  await engine.dispose();
  await store.close();
}

/** A view of a thread, as far as the host keeps one. */
function show(engine: Engine, store: SqliteStore, thread: string): void {
  const shown = new Transcript(store, thread);
  engine.onChange((change) => {
    if (change.thread !== thread) return;
    if (change.kind !== "message" && change.kind !== "text") return;
    const batch = shown.apply(change);
    if (batch !== null) shown.projectOne(batch, atRest);
  });
}

/** What is done with is collected, code that is not run any more included. */
async function settled(): Promise<void> {
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    globalThis.gc?.();
  }
}

function turn(engine: Engine, thread: string, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = engine.onChange((change) => {
      if (change.thread !== thread || change.kind !== "turn") return;
      if (change.turn !== null) return;
      stop();
      resolve();
    });
    const said = engine.submit(thread, {
      id: randomUUID(),
      sender: { kind: "user", name: "user" },
      blocks: [{ type: "text", text: `Message ${n}, as people type them` }],
    });
    void said.then(({ ok }) => {
      if (!ok) reject(new Error("A message was refused."));
    });
  });
}

async function open(): Promise<SqliteStore> {
  const answer = await openStore({ folder, worker });
  if (!answer.ok) throw new Error(answer.detail);
  return answer.store;
}
