import fs from "node:fs";
import { openStore } from "../../../src/history/sqliteStore.ts";
import { scenario } from "../../fakes/recordScenario.ts";

/**
 * Lives a life of the record on the real store and tells of every commit that was answered.
 * It is killed by whoever started it.
 */
async function main(
  folder: string,
  worker: string,
  seed: number,
  length: number,
): Promise<void> {
  const opened = await openStore({ folder, worker });
  if (!opened.ok) throw new Error(opened.detail);
  const { store } = opened;
  say("opened");
  for (const { writes, durability } of scenario(seed, length)) {
    await store.commit(writes, durability);
    say("committed");
  }
  await store.search({ text: "parser", limit: 5 });
  say("searched");
  await store.retain({ maxBytes: 0 });
  await store.maintain();
  await store.close();
}

/** Straight into the pipe: what was said before a kill is never lost. */
function say(line: string): void {
  fs.writeSync(1, `${line}\n`);
}

const [folder = "", worker = "", ...numbers] = process.argv.slice(2);
const [seed = 0, length = 0] = numbers.map(Number);
void main(folder, worker, seed, length);
