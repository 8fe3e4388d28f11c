import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { Holder } from "../../src/history/holder.ts";
import { LockFile } from "../../src/history/lockFile.ts";
import { inFolder, mustOpen, newFolder, openAt } from "../fakes/realStore.ts";
import { write } from "../fakes/recordBuilder.ts";
import { dump } from "../fakes/recordDump.ts";
import { scenario } from "../fakes/recordScenario.ts";
import { withoutRoom } from "./openingChild.ts";

async function filled(folder: string): Promise<void> {
  const store = await mustOpen(folder);
  for (const { writes, durability } of scenario(7, 40))
    await store.commit(writes, durability);
  await store.close();
}

/** A database as a crash leaves it: the newest changes are only in the log beside it. */
async function crashed(folder: string, from: string): Promise<void> {
  const store = await mustOpen(from);
  for (const { writes, durability } of scenario(7, 40))
    await store.commit(writes, durability);
  fs.mkdirSync(folder, { recursive: true });
  for (const suffix of ["", "-wal"])
    fs.copyFileSync(databaseFile(from) + suffix, databaseFile(folder) + suffix);
  await store.close();
}

describe("opening where nothing can be written any more", () => {
  for (const [state, make] of [
    ["closed in order", (folder: string) => filled(folder)],
    [
      "left by a crash",
      (folder: string) => crashed(folder, path.join(folder, "first")),
    ],
  ] as const)
    it(
      `I6: a record ${state} is read, takes its lock, and refuses to accept`,
      inFolder(async (folder) => {
        await make(folder);
        assert.deepEqual(await withoutRoom(folder), {
          opened: { ok: true, readOnly: false },
          threads: true,
          answer: "failed",
          locked: "taken",
        });
        const again = await mustOpen(folder);
        assert.deepEqual(await again.commit([write.thread("new")], "full"), {
          ok: true,
        });
        await again.close();
      }),
    );

  it(
    "I6: where there is no record yet, that is answered",
    inFolder(async (folder) => {
      const answer = await withoutRoom(folder);
      assert.deepEqual(answer, { opened: { ok: false, reason: "failed" } });
    }),
  );
});

/** A small disk of its own; only some users may make one. */
function mounted(folder: string): boolean {
  const options = ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder];
  return (
    process.platform === "linux" &&
    process.getuid?.() === 0 &&
    spawnSync("mount", options).status === 0
  );
}

const trial = await newFolder();
const canMount = mounted(trial);
if (canMount) spawnSync("umount", [trial]);
fs.rmSync(trial, { recursive: true });

if (canMount)
  describe("a disk that is really full (where one can be mounted)", () => {
    const onDisk = (
      test: (disk: string, outside: string) => Promise<void>,
    ): (() => Promise<void>) =>
      inFolder(async (root) => {
        const disk = path.join(root, "disk");
        fs.mkdirSync(disk);
        assert.ok(mounted(disk));
        try {
          await test(disk, path.join(root, "outside"));
        } finally {
          // Lazily: a store may still have a file open.
          spawnSync("umount", ["-l", disk]);
        }
      });

    for (const state of ["closed in order", "left by a crash"] as const)
      it(
        `I6: a record ${state} is shown whole, refuses as full, and goes on when there is room`,
        onDisk(async (disk, outside) => {
          const folder = path.join(disk, "turnline");
          if (state === "closed in order") await filled(folder);
          else await crashed(folder, outside);
          const copy = path.join(outside, "copy");
          fs.cpSync(folder, copy, { recursive: true });
          const whole = await mustOpen(copy);
          const was = await dump(whole);
          await whole.close();
          const ballast = fill(disk);
          const lock = LockFile.take(folder);
          assert.ok(lock.kind === "taken");
          const store = await mustOpen(folder);
          assert.deepEqual(await dump(store), was);
          const answer = await store.commit([write.thread("new")], "full");
          assert.ok(!answer.ok && answer.reason === "full");
          fs.rmSync(ballast);
          assert.deepEqual(await store.commit([write.thread("new")], "full"), {
            ok: true,
          });
          await store.close();
          lock.lock.release();
        }),
      );

    it(
      "a window that cannot tell its address leaves no door open",
      onDisk(async (disk) => {
        const sockets = (): readonly string[] =>
          fs.readdirSync("/proc/self/fd").filter((fd) => {
            try {
              return fs
                .readlinkSync(`/proc/self/fd/${fd}`)
                .startsWith("socket");
            } catch {
              return false;
            }
          });
        fill(disk);
        const before = sockets().length;
        await assert.rejects(Holder.listen(disk, () => undefined));
        assert.equal(sockets().length, before);
        const opened = await openAt(path.join(disk, "none"));
        assert.ok(!opened.ok && opened.reason === "full");
      }),
    );
  });

function fill(disk: string): string {
  const file = path.join(disk, "ballast");
  const handle = fs.openSync(file, "a");
  try {
    for (;;) fs.writeSync(handle, Buffer.alloc(4096));
  } catch {
    // That was the last byte.
  } finally {
    fs.closeSync(handle);
  }
  return file;
}
