import assert from "node:assert/strict";
import { fit } from "../../../src/host/composerContextMatch.ts";
import {
  hits,
  mentionAt,
  withoutMention,
} from "../../../webview/chat/mention.ts";

describe("what @ finds", () => {
  const names = ["src/cart.ts", "src/checkout.ts", "docs/art.md", "README.md"];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["cart", ["src/cart.ts", "docs/art.md"]],
    ["art", ["docs/art.md", "src/cart.ts"]],
    ["sct", ["src/cart.ts", "src/checkout.ts"]],
    ["readme", ["README.md"]],
    ["zzz", []],
  ];
  for (const [query, wanted] of cases)
    it(query, () => {
      const found = names
        .flatMap((name) => {
          const score = fit(query, name);
          return score === null ? [] : [{ name, score }];
        })
        .sort((a, b) => b.score - a.score)
        .map(({ name }) => name);
      assert.deepEqual(found, wanted);
    });
});

describe("what is being named with @", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["@", ""],
    ["look at @che", "che"],
    ["a@b", undefined],
    ["@one two", undefined],
    ["", undefined],
  ];
  for (const [text, query] of cases)
    it(JSON.stringify(text), () => {
      const found = mentionAt(text, text.length);
      assert.equal(found?.query, query);
      if (found !== undefined)
        assert.equal(withoutMention(text, found).includes("@"), false);
    });
});

describe("what is marked in a name", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["che", "useCheckout", "use[Che]ckout"],
    ["che", "Git changes", "Git [ch]ang[e]s"],
    ["", "cart.ts", "cart.ts"],
    ["zz", "cart.ts", "cart.ts"],
  ];
  for (const [query, name, marked] of cases)
    it(`${query} in ${name}`, () => {
      const shown = hits(query, name)
        .map(({ text, hit }) => (hit ? `[${text}]` : text))
        .join("");
      assert.equal(shown, marked);
    });
});
