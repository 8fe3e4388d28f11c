import fs from "node:fs";
import path from "node:path";
import { databaseFile } from "../../../src/history/databaseFiles.ts";
import { openDirect } from "../../fakes/directStore.ts";
import { everyKind } from "../../fakes/recordLife.ts";
import { upgraded } from "../upgraded.ts";

/**
 * Works on the record in one thread and counts its statements, so that every run has the same. It kills itself
 * before the one it is given; given none, it tells how many there are.
 */
const [deed = "", root = "", killAt = ""] = process.argv.slice(2);
const here = path.join(root, "here");
let statements = 0;

function hook(): void {
  statements += 1;
  if (statements === Number(killAt)) {
    process.kill(process.pid, "SIGKILL");
    // The signal is on its way; nothing more may run before it arrives.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

/** Straight into the pipe: what was said before a kill is never lost. */
function say(line: string): void {
  fs.writeSync(1, `${line}\n`);
}

async function live(): Promise<void> {
  const { store, close } = openDirect(here, { hook });
  for (const { writes, durability } of everyKind()) {
    await store.commit(writes, durability);
    say("committed");
  }
  await store.search({ text: "parser", limit: 5 });
  say("searched");
  await store.retain({ maxBytes: 0 }, Date.now());
  await store.maintain(Date.now());
  // What nothing has used for a day goes.
  await store.maintain(Date.now() + 2 * 24 * 60 * 60 * 1000);
  say("cleared");
  close();
}

function upgrade(): Promise<void> {
  openDirect(here, { hook, migrations: upgraded }).close();
  say("upgraded");
  return Promise.resolve();
}

async function adopt(): Promise<void> {
  const { store, close } = openDirect(here, { hook });
  await store.adopt(databaseFile(path.join(root, "there")));
  say("adopted");
  close();
}

async function main(): Promise<void> {
  if (deed === "live") await live();
  else if (deed === "upgrade") await upgrade();
  else await adopt();
  say(JSON.stringify({ statements }));
}

void main();
