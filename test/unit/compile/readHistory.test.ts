import assert from "node:assert/strict";
import { compile } from "../../../src/core/compile/compile.ts";
import { readHistory } from "../../../src/core/compile/readHistory.ts";
import type { Page } from "../../../src/core/writes.ts";
import {
  claude,
  inputFor,
  live,
  nothing,
  says,
  sessionOf,
  Story,
} from "./story.ts";

/** Pages as a store gives them, and counts the rows. */
function storeOf({ rows }: Story) {
  const read = { rows: 0 };
  const page = (
    _: string,
    { before = "~", limit }: { before?: string; limit: number },
  ): Promise<Page> => {
    const older = rows.filter(({ position }) => (position ?? "") < before);
    const messages = older.slice(Math.max(0, older.length - limit));
    read.rows += messages.length;
    return Promise.resolve({ messages, more: older.length > messages.length });
  };
  return { page, read };
}

function long(exchanges: number): Story {
  const story = new Story();
  for (let i = 0; i < exchanges; i += 1)
    story.exchange(claude, [`ask ${i}`], [says(`answer ${i}`)]);
  return story;
}

describe("reading what a prompt needs", () => {
  it("I41: gives a delta everything after the cursor, at a cost that history has no part in", async () => {
    for (const exchanges of [100, 400]) {
      const story = long(exchanges);
      const cursor = story.rows.at(-8)?.position ?? null;
      const [first] = story.claim(["next"]);
      const store = storeOf(story);
      const memory = live(sessionOf(claude, { cursor }));
      const before = first?.position ?? "";
      const input = { thread: "t", memory, before, budgetTokens: 1000 };
      const { history, truncated } = await readHistory(store, input);
      assert.deepEqual(history, story.rows.slice(-8, -1));
      assert.equal(truncated, false);
      assert.equal(store.read.rows, 50);
    }
  });

  it("gives a full compile what the budget could hold, and says that there is more", async () => {
    for (const exchanges of [200, 400]) {
      const story = long(exchanges);
      const batch = story.claim(["next"]);
      const store = storeOf(story);
      const before = batch[0]?.position ?? "";
      const input = { thread: "t", memory: nothing, before, budgetTokens: 200 };
      const read = await readHistory(store, input);
      assert.equal(read.truncated, true);
      assert.ok(store.read.rows <= 400, String(store.read.rows));
      const whole = compile(inputFor(story, batch, { budgetTokens: 200 }));
      const part = compile({
        ...inputFor(story, batch),
        ...read,
        budgetTokens: 200,
      });
      const digest = whole.notes.find(({ kind }) => kind === "digested");
      assert.deepEqual(
        part.notes.find(({ kind }) => kind === "digested"),
        digest,
      );
    }
  });

  it("stops where an archive begins, and reads a short thread whole", async () => {
    const story = long(40);
    const batches = [...new Set(story.rows.map(({ batch }) => batch ?? ""))];
    const archives = [
      {
        id: "a",
        thread: "t",
        batches: batches.slice(0, 30),
        text: "s",
        createdAt: 1,
      },
    ];
    const input = { thread: "t", memory: nothing, budgetTokens: 100_000 };
    const some = await readHistory(storeOf(story), { ...input, archives });
    assert.equal(some.truncated, false);
    assert.ok(some.history.length < story.rows.length / 2);
    const all = await readHistory(storeOf(story), input);
    assert.deepEqual(all, { history: story.rows, truncated: false });
    const none = await readHistory(storeOf(new Story()), input);
    assert.deepEqual(none, { history: [], truncated: false });
    const batch = story.claim(["next"]);
    const words = JSON.stringify(
      compile({ ...inputFor(story, batch), ...some, archives }).blocks,
    );
    assert.match(words, /ask 30/u);
    assert.doesNotMatch(words, /answer 29/u);
  });
});
