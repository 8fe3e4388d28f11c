import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import {
  compactHistory,
  type CompactPorts,
} from "../../../src/host/compactHistory.ts";
import { World } from "../../fakes/world.ts";

describe("a compaction that cannot be stored", () => {
  const sizes = { keep: 0, budget: 100_000 };

  it("I45: archives nothing, changes no message, forgets no undo, and can be done later", async () => {
    const world = await World.create({ compile });
    for (const text of ["one", "two", "three"]) {
      await world.say(text);
      world.agents.turn.say(`re ${text}`);
      await world.endTurn();
    }
    const { store, thread } = world;
    const undone = new Map([[thread, true]]);
    const ports: CompactPorts = {
      store,
      undone: {
        has: (of) => undone.get(of) === true,
        set: (of, on) => Promise.resolve(void undone.set(of, on)),
      },
      uuid: () => "archive",
      now: () => 1,
    };
    const rows = async (): Promise<unknown> =>
      (await store.page(thread, { limit: 1000 })).messages;
    const before = await rows();
    const full: CompactPorts = {
      ...ports,
      store: {
        page: store.page.bind(store),
        archives: store.archives.bind(store),
        commit: () =>
          Promise.resolve({ ok: false, reason: "full", detail: "no room" }),
      },
    };
    assert.deepEqual(await compactHistory(full, thread, sizes), {
      kind: "failed",
      detail: "no room",
    });
    assert.deepEqual(await store.archives(thread), []);
    assert.deepEqual(await rows(), before);
    assert.equal(undone.get(thread), true);
    const later = await compactHistory(ports, thread, sizes);
    assert.equal(later.kind, "done");
    assert.equal((await store.archives(thread)).length, 1);
    assert.equal(undone.get(thread), false);
  });
});
