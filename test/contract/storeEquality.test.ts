import assert from "node:assert/strict";
import fs from "node:fs/promises";
import fc from "fast-check";
import { group, flaws } from "../../src/core/batch.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { dump } from "../fakes/recordDump.ts";
import { scenario } from "../fakes/recordScenario.ts";
import { runs } from "../fakes/runs.ts";

describe("the stores in memory and on disk", function () {
  // Each commit waits for the disk, which others may be using too.
  this.timeout(120_000);

  it("I4: I12: give the same answers and hold the same, also when opened again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(60), async (seed, length) => {
        const folder = await newFolder();
        const memory = new MemoryStore();
        let disk = await mustOpen(folder);
        try {
          for (const { writes, durability } of scenario(seed, length))
            assert.deepEqual(
              await disk.commit(writes, durability),
              await memory.commit(writes, durability),
            );
          const held = await dump(memory);
          assert.deepEqual(await dump(disk), held);
          for (const text of ["parser", "fix the", "déj", "日", "line"]) {
            const query = { text, limit: 7 };
            assert.deepEqual(
              await disk.search(query),
              await memory.search(query),
            );
          }
          await disk.close();
          disk = await mustOpen(folder);
          assert.deepEqual(await dump(disk), held);
          assert.deepEqual(await dump(disk), held);
          for (const batch of group(held.messages))
            assert.deepEqual(flaws(batch), []);
          assert.equal(await disk.integrity(), "ok");
        } finally {
          await disk.close();
          await fs.rm(folder, { recursive: true });
        }
      }),
      { numRuns: runs(15) },
    );
  });
});
