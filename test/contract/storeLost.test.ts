import assert from "node:assert/strict";
import path from "node:path";
import { write } from "../fakes/recordBuilder.ts";
import { realHome } from "../fakes/realHome.ts";
import { inFolder } from "../fakes/realStore.ts";

describe("a history whose worker dies", () => {
  it(
    "I52: is opened again by itself, with all that was committed, and goes on",
    inFolder(async (root) => {
      // Enough to open and make the first commit, not enough for the second.
      const { home, stores } = await realHome(
        path.join(root, "home"),
        [],
        [{ endAtStatement: 80 }],
      );
      const taken = Promise.withResolvers<undefined>();
      const heard: string[] = [];
      await home.moveIn({
        windDown: () => Promise.resolve(),
        takeOver: () => Promise.resolve(heard.push("takeOver")),
        changed: () => taken.resolve(undefined),
      });
      const committed: string[] = [];
      for (let n = 0; ; n += 1) {
        const answer = await home.store.commit([write.thread(`t${n}`)], "full");
        if (!answer.ok) break;
        committed.push(`t${n}`);
      }
      await taken.promise;
      assert.ok(committed.length > 0);
      assert.deepEqual(heard, ["takeOver"]);
      assert.equal(stores.length, 2);
      assert.equal(home.readOnly, null);
      const there = (await home.store.threads()).map(({ id }) => id);
      for (const id of committed) assert.ok(there.includes(id), id);
      // What was in hand when it died is there whole, or not at all.
      assert.ok(there.length - committed.length <= 1);
      assert.ok((await home.store.commit([write.thread("new")], "full")).ok);
      await home.dispose();
    }),
  );
});
