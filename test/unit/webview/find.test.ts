import assert from "node:assert/strict";
import type { FoundMessage } from "../../../src/protocol/reply.ts";
import { bare, finder, wordFinder } from "../../../src/util/findText.ts";
import { FindDesk, nearest, placeOf } from "../../../webview/chat/findDesk.ts";
import type { Marking } from "../../../webview/chat/spot.ts";

const hits = (text: string, wanted: RegExp | null): readonly string[] =>
  wanted === null ? [] : [...text.matchAll(wanted)].map(([hit]) => hit);

describe("What is looked for", () => {
  it("is found as typed, whatever its signs mean elsewhere", () => {
    assert.deepEqual(hits("a.b a+b", finder("a+b", false)), ["a+b"]);
    assert.deepEqual(hits("cart.ts cart-ts [x]", finder("[x]", false)), [
      "[x]",
    ]);
    assert.deepEqual(hits("well-known", finder("l-k", false)), ["l-k"]);
  });

  it("minds case only when told to", () => {
    assert.deepEqual(hits("Fix fix", finder("fix", false)), ["Fix", "fix"]);
    assert.deepEqual(hits("Fix fix", finder("fix", true)), ["fix"]);
  });

  it("takes any white space for any other, and nothing for nothing", () => {
    assert.deepEqual(hits("one\n two", finder("one two", false)), [
      "one\n two",
    ]);
    assert.equal(finder("  ", false), null);
  });

  it("marks words as a search finds them: whole, the last as a beginning, without accents", () => {
    const text = bare("The Déjà-vu bug; bugs and a debug.");
    assert.deepEqual(hits(text, wordFinder("deja bug")), [
      "Deja",
      "bug",
      "bug",
    ]);
    assert.equal(text.length, "The Déjà-vu bug; bugs and a debug.".length);
    assert.deepEqual(hits("在这里修复解析器", wordFinder("修复")), ["修复"]);
  });
});

const found: readonly FoundMessage[] = [
  { message: "a", at: "01", count: 2 },
  { message: "b", at: "03", count: 1 },
  { message: "q", at: null, count: 1 },
];

describe("The find box", () => {
  it("begins at the first place below the top of the view, else at the last above", () => {
    assert.equal(nearest(found, undefined), 0);
    assert.equal(nearest(found, "02"), 2);
    assert.equal(nearest(found, "09"), 3);
    assert.equal(nearest(found.slice(0, 2), "09"), 2);
    assert.equal(nearest([], "09"), -1);
  });

  it("counts places, not records", () => {
    assert.deepEqual(placeOf(found, 1), { hit: found[0], nth: 1 });
    assert.deepEqual(placeOf(found, 3), { hit: found[2], nth: 0 });
    assert.equal(placeOf(found, 4), undefined);
  });

  it("steps around both ends, and stays where it stands when the thread grows", async () => {
    let answer = found;
    const gone: string[] = [];
    let marking: Marking | undefined;
    const timers: (() => void)[] = [];
    const desk = new FindDesk({
      look: () => Promise.resolve({ found: answer, more: false }),
      top: () => "03",
      go: ({ message }, nth) => gone.push(`${message}${nth}`),
      mark: (next) => (marking = next),
      later: (run) => timers.push(run),
    });
    desk.open();
    desk.type("x");
    await Promise.resolve();
    await Promise.resolve();
    desk.step(1);
    desk.step(1);
    desk.step(-1);
    assert.deepEqual(gone, ["b0", "q0", "a0", "q0"]);
    assert.equal(desk.at.value, 3);
    answer = [{ message: "0", at: "00", count: 5 }, ...found];
    desk.changed();
    desk.changed();
    assert.equal(timers.length, 1);
    timers[0]?.();
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(desk.at.value, 8);
    assert.deepEqual(gone.length, 4);
    desk.close();
    assert.equal(marking, undefined);
  });
});
