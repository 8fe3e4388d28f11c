import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { databaseFile } from "../../src/history/databaseFiles.ts";
import { openDirect } from "../fakes/directStore.ts";
import { inFolder } from "../fakes/realStore.ts";
import { dump } from "../fakes/recordDump.ts";
import { randomFrom, scenario } from "../fakes/recordScenario.ts";
import { runs } from "../fakes/runs.ts";
import { prefixes, verify } from "./harness.ts";

/**
 * A power cut keeps what was synced and anything, or nothing, of the rest: here the log of changes is cut at any
 * byte after the last commit that was answered as durable, and what follows may be rubbish.
 */
describe("a file torn by a power cut", function () {
  this.timeout(180_000);

  it(
    "I3: opens with everything that was durably committed",
    inFolder(async (root) => {
      const random = randomFrom(5);
      const life = { seed: 21, length: 60 };
      const expected = await prefixes(scenario(life.seed, life.length));
      const folder = path.join(root, "whole");
      const log = `${databaseFile(folder)}-wal`;
      const whole = openDirect(folder);
      let durable = { commits: 0, bytes: fs.statSync(log).size };
      let commits = 0;
      let torn = 0;
      for (const { writes, durability } of scenario(life.seed, life.length)) {
        await whole.store.commit(writes, durability);
        commits += 1;
        const bytes = fs.statSync(log).size;
        if (durability === "full") durable = { commits, bytes };
        for (let n = 0; n < runs(2); n += 1) {
          const rest = bytes - durable.bytes;
          const cut = durable.bytes + Math.floor(random() * (rest + 1));
          const copy = path.join(root, `torn${torn}`);
          torn += 1;
          tear(folder, copy, cut, random() < 0.5 ? rest : 0);
          const held = openDirect(copy);
          const found = await dump(held.store);
          held.close();
          const index = expected.findLastIndex(
            (one, at) => at <= commits && same(one, found),
          );
          assert.ok(
            index >= durable.commits || same(expected[durable.commits], found),
            `${index} of ${durable.commits}…${commits}`,
          );
          const lines = Array<string>(Math.max(0, index)).fill("committed");
          await verify(copy, lines, expected);
          fs.rmSync(copy, { recursive: true });
        }
      }
      whole.close();
      assert.ok(torn >= 100);
    }),
  );
});

function tear(from: string, to: string, cut: number, rubbish: number): void {
  fs.mkdirSync(to);
  fs.copyFileSync(databaseFile(from), databaseFile(to));
  const log = fs.readFileSync(`${databaseFile(from)}-wal`).subarray(0, cut);
  fs.writeFileSync(
    `${databaseFile(to)}-wal`,
    Buffer.concat([log, Buffer.alloc(rubbish, 0xa5)]),
  );
}

function same(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
