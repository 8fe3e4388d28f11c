import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import readline from "node:readline";
import { eraseFolder } from "../../src/history/erase.ts";
import { holderAddress } from "../../src/history/holder.ts";
import { LockFile } from "../../src/history/lockFile.ts";
import { WriterLock } from "../../src/history/writerLock.ts";
import type { Role } from "../../src/history/writerLock.ts";
import { bundled, inFolder, mustOpen, openAt } from "../fakes/realStore.ts";
import { write } from "../fakes/recordBuilder.ts";

/** A window of the editor, as the lock sees it. */
class Window {
  alive = true;
  released = 0;
  readonly lock: WriterLock;
  readonly #events = new EventEmitter();
  windDown: () => Promise<void> = () => Promise.resolve();

  constructor(folder: string, askAgainMs = 600_000) {
    this.lock = new WriterLock({
      folder,
      askAgainMs,
      answerWithinMs: 300,
      isWindowAlive: () => {
        this.#events.emit("asked");
        return Promise.resolve(this.alive);
      },
      onRelease: () => {
        this.released += 1;
        return this.windDown();
      },
      onChange: (role) => this.#events.emit(role),
    });
    windows.push(this);
  }

  /** Settles when the lock next asks whether anyone sees this window. */
  isAsked(): Promise<unknown> {
    return once(this.#events, "asked");
  }

  becomes(role: Role): Promise<unknown> {
    return this.lock.role === role
      ? Promise.resolve()
      : once(this.#events, role);
  }
}

const windows: Window[] = [];
const children: ChildProcess[] = [];

async function startChild(
  folder: string,
  alive: "alive" | "gone",
): Promise<{
  readonly process: ChildProcess;
  readonly lines: AsyncIterator<string>;
}> {
  const child = spawn(
    process.execPath,
    [await bundled("test/crash/children/lockChild.ts"), folder, alive],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(child);
  const lines = readline.createInterface({ input: child.stdout });
  return { process: child, lines: lines[Symbol.asyncIterator]() };
}

/** A folder of its own, and no window or process left when its files go. */
function alone(test: (folder: string) => Promise<void>): () => Promise<void> {
  return inFolder(async (folder) => {
    try {
      await test(folder);
    } finally {
      for (const window of windows.splice(0)) await window.lock.dispose();
      for (const child of children.splice(0)) {
        child.kill("SIGKILL");
        if (child.exitCode === null && child.signalCode === null)
          await once(child, "exit");
      }
    }
  });
}

describe("the writer lock", () => {
  it(
    "I7: one window writes; a live one refuses, and the other takes over as soon as it closes",
    alone(async (folder) => {
      const first = new Window(folder);
      const second = new Window(folder);
      assert.equal(await first.lock.start(), "writer");
      assert.equal(await second.lock.start(), "reader");
      assert.equal(first.lock.role, "writer");
      assert.equal(first.released, 0);
      const taken = second.becomes("writer");
      await first.lock.dispose();
      await taken;
      assert.equal(second.lock.role, "writer");
    }),
  );

  it(
    "I7: a holder whose window is gone winds down first, then lets go",
    alone(async (folder) => {
      const first = new Window(folder);
      const second = new Window(folder);
      await first.lock.start();
      first.alive = false;
      let woundDown = false;
      first.windDown = async () => {
        await new Promise(setImmediate);
        assert.equal(LockFile.take(folder).kind, "held");
        woundDown = true;
      };
      assert.equal(await second.lock.start(), "writer");
      assert.ok(woundDown);
      assert.equal(first.lock.role, "reader");
      assert.equal(first.released, 1);
    }),
  );

  it(
    "I7: a window that never answers counts as gone",
    alone(async (folder) => {
      const first = new Window(folder);
      await first.lock.start();
      const never = new WriterLock({
        folder,
        askAgainMs: 600_000,
        isWindowAlive: () => new Promise<boolean>(() => undefined),
        onRelease: () => Promise.resolve(),
        onChange: () => undefined,
        answerWithinMs: 10,
      });
      await first.lock.dispose();
      assert.equal(await never.start(), "writer");
      const second = new Window(folder);
      assert.equal(await second.lock.start(), "writer");
      await never.dispose();
    }),
  );

  it(
    "I7: a window that is lost later is taken over from, and gets its turn when it comes back",
    alone(async (folder) => {
      const first = new Window(folder, 20);
      const second = new Window(folder, 20);
      await first.lock.start();
      assert.equal(await second.lock.start(), "reader");
      first.alive = false;
      await second.becomes("writer");
      assert.equal(first.lock.role, "reader");
      first.alive = true;
      second.alive = false;
      await first.becomes("writer");
      assert.equal(second.lock.role, "reader");
    }),
  );

  it(
    "I7: a lost window takes nothing over until it is seen again",
    alone(async (folder) => {
      const first = new Window(folder);
      const lost = new Window(folder, 10);
      await first.lock.start();
      await lost.lock.start();
      lost.alive = false;
      const asked = lost.isAsked();
      await first.lock.dispose();
      await asked;
      await lost.isAsked();
      assert.equal(lost.lock.role, "reader");
      lost.alive = true;
      await lost.becomes("writer");
    }),
  );

  it(
    "I7: a holder that cannot wind down keeps the lock",
    alone(async (folder) => {
      const first = new Window(folder);
      const second = new Window(folder);
      await first.lock.start();
      first.alive = false;
      first.windDown = () => Promise.reject(new Error("stuck"));
      assert.equal(await second.lock.start(), "reader");
      assert.equal(first.lock.role, "writer");
    }),
  );

  it(
    "I7: three windows, one writer at any time",
    alone(async (folder) => {
      const all = [1, 2, 3].map(() => new Window(folder, 20));
      const roles = await Promise.all(all.map(({ lock }) => lock.start()));
      assert.equal(roles.filter((role) => role === "writer").length, 1);
      const waiting = all.filter(({ lock }) => lock.role === "reader");
      const holder = all.find(({ lock }) => lock.role === "writer");
      await holder?.lock.dispose();
      await Promise.race(waiting.map((window) => window.becomes("writer")));
      assert.equal(
        waiting.filter(({ lock }) => lock.role === "writer").length,
        1,
      );
    }),
  );

  it(
    "I7: the lock goes with a process that is killed, and history with it",
    alone(async (folder) => {
      const child = await startChild(folder, "alive");
      assert.equal((await child.lines.next()).value, "writer");
      const window = new Window(folder);
      assert.equal(await window.lock.start(), "reader");
      const taken = window.becomes("writer");
      child.process.kill("SIGKILL");
      await taken;
      const stale = holderAddress(folder);
      const store = await mustOpen(folder);
      assert.deepEqual(await store.commit([write.thread("t")], "full"), {
        ok: true,
      });
      await store.close();
      assert.ok(stale && fs.existsSync(stale.socket));
    }),
  );

  it(
    "I7: a process that tries its own lock again keeps it",
    alone(async (folder) => {
      const window = new Window(folder);
      assert.equal(await window.lock.start(), "writer");
      assert.equal(LockFile.take(folder).kind, "held");
      assert.equal(eraseFolder(folder), false);
      const child = await startChild(folder, "alive");
      assert.equal((await child.lines.next()).value, "reader");
    }),
  );

  it(
    "I7: a lost host in another process lets go, and takes nothing back",
    alone(async (folder) => {
      const child = await startChild(folder, "gone");
      assert.equal((await child.lines.next()).value, "writer");
      const window = new Window(folder);
      assert.equal(await window.lock.start(), "writer");
      assert.equal((await child.lines.next()).value, "reader");
      const reader = await openAt(folder, { mode: "read" });
      assert.equal(reader.ok, false);
    }),
  );

  it(
    "does not listen to strangers",
    alone(async (folder) => {
      const first = new Window(folder);
      await first.lock.start();
      first.alive = false;
      const address = holderAddress(folder);
      assert.ok(address);
      for (const line of [
        JSON.stringify({ ask: "release", token: "guess" }),
        "not json",
        "x".repeat(10_000),
      ]) {
        const socket = net.connect(address.socket);
        socket.on("error", () => undefined);
        socket.resume();
        socket.write(`${line}\n`);
        await once(socket, "close");
      }
      assert.equal(first.lock.role, "writer");
      assert.equal(first.released, 0);
    }),
  );

  it(
    "says why where no lock can be held",
    alone(async (folder) => {
      const file = path.join(folder, "file");
      fs.writeFileSync(file, "");
      const window = new Window(path.join(file, "below"));
      assert.equal(await window.lock.start(), "reader");
      assert.ok(window.lock.trouble);
    }),
  );

  it(
    "takes a lock whose file was filled with rubbish, or was removed",
    alone(async (folder) => {
      fs.writeFileSync(path.join(folder, "writer.lock"), "rubbish".repeat(99));
      const first = new Window(folder);
      assert.equal(await first.lock.start(), "writer");
      assert.equal(LockFile.take(folder).kind, "held");
      await first.lock.dispose();
      const taken = LockFile.take(folder);
      assert.ok(taken.kind === "taken");
      taken.lock.remove();
      assert.ok(!fs.existsSync(path.join(folder, "writer.lock")));
      const again = LockFile.take(folder);
      assert.ok(again.kind === "taken");
      again.lock.release();
    }),
  );

  it(
    "leaves no socket and no address behind",
    alone(async (folder) => {
      const window = new Window(folder);
      await window.lock.start();
      const address = holderAddress(folder);
      assert.ok(address);
      await window.lock.dispose();
      assert.equal(holderAddress(folder), undefined);
      assert.equal(fs.existsSync(address.socket), false);
    }),
  );
});
