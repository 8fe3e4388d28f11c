import assert from "node:assert/strict";
import { keepBytes } from "../../../src/host/keptBytes.ts";
import { InOrder } from "../../../src/host/inOrder.ts";
import { Submits } from "../../../src/host/submits.ts";
import type { NewAttachment } from "../../../src/protocol/newAttachment.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { World } from "../../fakes/world.ts";

/** One whose pictures are read when the test says so. */
class SlowPictures extends MemoryStore {
  readonly read = Promise.withResolvers<undefined>();

  override async blobs(
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    await this.read.promise;
    return super.blobs(hashes);
  }
}

describe("messages sent one after another", () => {
  it("I13: are accepted in that order, also when the first one's picture takes longer to read", async () => {
    const store = new SlowPictures();
    const world = await World.create({ store });
    const { engine, thread } = world;
    const other = await world.newThread();
    await engine.hold(thread);
    const submits = new Submits({
      ...{ engine, store },
      userName: () => Promise.resolve("alice"),
      book: { keep: () => Promise.resolve(undefined) },
      drafts: { clear: () => Promise.resolve() },
      home: { readOnly: null },
    });
    const take = (
      text: string,
      attachments: readonly NewAttachment[] = [],
      to = thread,
    ): Promise<{ readonly ok: boolean }> =>
      submits.take({
        ...{ type: "submit", requestId: text, thread: to, text },
        ...{ attachments: [...attachments], when: "next" },
      });
    const kept = await keepBytes(store, {
      ...{ name: "shot.png", mimeType: "image/png" },
      data: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0]),
    });
    assert.ok(kept.kind === "attachments");
    const first = take("look at this", kept.attachments);
    const second = take("and tell me what it is");
    // Another thread does not wait.
    assert.equal((await take("elsewhere", [], other)).ok, true);
    store.read.resolve(undefined);
    assert.ok((await first).ok && (await second).ok);
    assert.deepEqual(
      engine.snapshot(thread)?.queue.items.map(({ message }) => message.id),
      ["look at this", "and tell me what it is"],
    );
  });

  it("go on after one that failed", async () => {
    const order = new InOrder();
    const failed = order.run("a", () => Promise.reject(new Error("no")));
    const next = order.run("a", () => Promise.resolve("yes"));
    await assert.rejects(failed, /no/);
    assert.equal(await next, "yes");
  });
});
