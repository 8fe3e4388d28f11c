import assert from "node:assert/strict";
import fc from "fast-check";
import { Lines } from "../../../src/agent/lines.ts";
import { OutputTail } from "../../../src/agent/outputTail.ts";
import { plainText } from "../../../src/agent/plainText.ts";

describe("terminal text", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["a title", "\u001b]0;owned\u0007shown", "shown"],
    ["a link", "\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["an unfinished string", "a\u001b]52;c;aGk=", "a"],
    ["an unfinished sequence", "a\u001b[12", "a"],
    ["8-bit controls", "\u009b2Ja\u009d0;t\u009cb", "ab"],
    ["a progress line", "10%\r50%\r100%\ndone", "100%\ndone"],
    ["DOS line ends", "a\r\nb\r\n", "a\nb\n"],
    ["bells and backspaces", "a\u0007\u0008b\u0000", "ab"],
    ["marks that reorder", "a\u202ecod\u202c.txt", "acod.txt"],
    ["tabs and letters of all kinds", "\tünï 漢字 🙂", "\tünï 漢字 🙂"],
  ];
  for (const [title, given, expected] of cases)
    it(`is plain: ${title}`, () => assert.equal(plainText(given), expected));

  it("no control is left, whatever was printed", () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        ..."ab[]0;m\\\u001b\u0007\u009b\u009c\u009d\r\n\t\u0008".split(""),
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(noise, (text) => {
        assert.doesNotMatch(plainText(text), /[^\P{Cc}\n\t]/u);
      }),
    );
  });
});

describe("lines of a stream", () => {
  it("come out whole, wherever the pieces were cut", () => {
    const text = fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), {
      maxLength: 8,
    });
    const cuts = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(text, cuts, (given, at) => {
        const clean = given.map((line) => line.replace(/[\r\n]/gu, ""));
        const bytes = Buffer.from(clean.map((line) => `${line}\n`).join(""));
        const lines = new Lines(1_000_000);
        const found: string[] = [];
        let start = 0;
        for (const end of [...at, bytes.length].sort((a, b) => a - b)) {
          found.push(...(lines.push(bytes.subarray(start, end)) ?? []));
          start = Math.min(end, bytes.length);
        }
        assert.deepEqual(found, clean);
        assert.equal(lines.flush(), "");
      }),
    );
  });
  it("one that is too long is refused", () => {
    const lines = new Lines(4);
    assert.deepEqual(lines.push(Buffer.from("abc\nab")), ["abc"]);
    assert.equal(lines.push(Buffer.from("cde")), undefined);
  });
});

describe("the tail of an output", () => {
  it("is the newest bytes, cut at a character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "é", "漢", "🙂") })),
        fc.integer({ min: 0, max: 30 }),
        (pieces, limit) => {
          const tail = new OutputTail(limit);
          for (const piece of pieces) tail.push(piece);
          const whole = pieces.join("");
          const kept = tail.text();
          assert.ok(whole.endsWith(kept));
          assert.ok(Buffer.byteLength(kept) <= limit);
          assert.ok(
            Buffer.byteLength(kept) > Math.min(limit, tail.bytes()) - 4,
          );
          assert.equal(tail.truncated(), Buffer.byteLength(whole) > limit);
        },
      ),
    );
  });
});
