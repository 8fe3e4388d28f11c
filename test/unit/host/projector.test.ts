import assert from "node:assert/strict";
import type { Write } from "../../../src/core/writes.ts";
import { atRest, Projector } from "../../../src/host/projector.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { at, body, write } from "../../fakes/recordBuilder.ts";

/** What the one tool call of a batch looks like after these writes. */
async function statusAfter(...more: readonly Write[]): Promise<unknown> {
  const store = new MemoryStore();
  const batch = at(1);
  const writes = [
    write.thread("t"),
    write.accept("m", 1),
    write.claim(batch, [["m", 1]]),
    write.append("start", 2, batch, body.start([at(1)])),
    write.state("sent", "m"),
    write.append("call", 3, batch, body.call("tool")),
    ...more,
  ];
  for (const one of writes)
    assert.ok((await store.commit([one], "full")).ok, one.kind);
  const rows = await store.batch("t", batch);
  const { messages } = new Projector().project(rows, atRest);
  const tool = messages.find(({ id }) => id === "call")?.body;
  return tool?.kind === "tool" ? tool.status : undefined;
}

describe("a turn in the chat", () => {
  it("offers what can be decided once it is over, not while its batch goes on", async () => {
    const store = new MemoryStore();
    const batch = at(1);
    const actions = async (...writes: readonly Write[]) => {
      assert.deepEqual(await store.commit(writes, "full"), { ok: true });
      const rows = await store.batch("t", batch);
      return new Projector().project(rows, atRest).batches[0]?.actions;
    };
    const cut = await actions(
      write.thread("t"),
      write.accept("m", 1),
      write.claim(batch, [["m", 1]]),
      write.append("start", 2, batch, body.start([at(1)])),
      write.state("sent", "m"),
      write.append("end", 3, batch, body.end("error")),
      write.state("uncertain", "m"),
    );
    assert.deepEqual(cut, ["retry", "continue", "discard"]);
    const claimed = await actions(
      write.accept("more", 4),
      write.claim(batch, [["more", 5]]),
    );
    assert.deepEqual(claimed, []);
    const sent = await actions(
      write.append("again", 6, batch, body.start([at(5)])),
      write.state("sent", "more"),
    );
    assert.deepEqual(sent, []);
  });
});

describe("a tool call in the chat", () => {
  const end = [
    write.append("end", 4, at(1), body.end("cancelled")),
    write.state("delivered", "m"),
  ];

  it("runs while its turn does", async () => {
    assert.equal(await statusAfter(), "in_progress");
  });

  it("is interrupted when its turn ends without a word of it", async () => {
    assert.equal(await statusAfter(...end), "interrupted");
  });

  it("is what its result says, also a late one", async () => {
    assert.equal(
      await statusAfter(
        ...end,
        write.append("result", 5, at(1), body.result("tool"), { late: true }),
      ),
      "completed",
    );
  });
});
