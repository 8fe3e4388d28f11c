import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bytes,
  clip,
  code,
  count,
  fence,
  listing,
  plain,
} from "../../../src/builtinAgent/markdown.ts";
import { Output } from "../../../src/builtinAgent/output.ts";
import { pieces } from "../../../src/builtinAgent/stream.ts";

describe("built-in agent: text", () => {
  it("pieces make up the text again, and are never very many", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 20_000 }),
        (text) => {
          const all = pieces(text);
          assert.equal(all.join(""), text);
          assert.ok(all.length <= 150 && !all.includes(""));
          assert.ok(all.every((piece) => piece.isWellFormed()));
        },
      ),
    );
  });

  const written: readonly (readonly [string, string])[] = [
    [code("a"), "`a`"],
    [code("a`b"), "`` a`b ``"],
    [code("a\nb"), "`a b`"],
    [fence("x\n", "ts"), "```ts\nx\n```"],
    [fence("```\nx"), "````\n```\nx\n````"],
    [plain("*a* <b>\n[c]"), "\\*a\\* \\<b\\> \\[c\\]"],
    [count(1, "file"), "1 file"],
    [count(1204, "match", "matches"), "1,204 matches"],
    [bytes(12), "12 bytes"],
    [bytes(2048), "2.0 KB"],
    [bytes(3 * 1024 * 1024), "3.0 MB"],
    [listing(["a"]), "a"],
    [listing(["a", "b", "c"]), "a, b and c"],
    [clip("abc", 3), "abc"],
    [clip("abcd", 3), "ab…"],
    [clip("a😀b", 3), "a…"],
  ];
  for (const [actual, expected] of written)
    it(JSON.stringify(expected), () => {
      assert.equal(actual, expected);
    });

  it("output is plain, and only its end when there is much", () => {
    const output = new Output();
    output.add("\u001B[31mred\u001B[0m\r\n10%\r50%\rdone\n");
    assert.equal(output.text, "red\ndone");
    for (let line = 0; line < 50_000; line++) output.add(`${String(line)}\n`);
    assert.ok(output.text.startsWith("…\n"));
    assert.ok(output.text.endsWith("\n49999"));
    assert.ok(output.text.length < 33_000);
  });
});
