import assert from "node:assert/strict";
import fc from "fast-check";
import type { Block } from "../../../src/core/message.ts";
import {
  bytesOf,
  estimateTokens,
  utf8Length,
} from "../../../src/core/compile/tokens.ts";
import { anyText } from "../../fakes/anyText.ts";

const text = (length: number): Block => ({
  type: "text",
  text: "x".repeat(length),
});
const image: Block = {
  type: "image",
  mimeType: "image/png",
  blob: "00",
  bytes: 10,
};

describe("the token estimate", () => {
  const cases: readonly [string, readonly Block[], number, number][] = [
    ["nothing", [], 0, 0],
    ["four characters", [text(4)], 1, 4],
    ["five characters", [text(5)], 2, 5],
    ["two texts are one sum", [text(2), text(2)], 1, 4],
    ["an image", [image], 1500, 10],
    ["an image and a text", [image, text(1)], 1501, 11],
    ["a resource", [{ type: "resource", uri: "f:a", text: "abcde" }], 2, 8],
    ["a link", [{ type: "link", uri: "f:a", name: "a" }], 1, 4],
  ];
  for (const [name, blocks, tokens, bytes] of cases)
    it(name, () => {
      assert.equal(estimateTokens(blocks), tokens);
      assert.equal(bytesOf(blocks), bytes);
    });

  it("counts UTF-8 as an encoder does", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        assert.equal(utf8Length(value), new TextEncoder().encode(value).length);
      }),
    );
    assert.equal(utf8Length("\ud800x"), 4);
  });
});
