import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fromRoot } from "../../scripts/tools.ts";
import { gatherWords } from "../../scripts/words.ts";

describe("words in the reader's language", () => {
  it("are gathered for translators", () => {
    const bundle = JSON.parse(
      readFileSync(fromRoot("l10n", "bundle.l10n.json"), "utf8"),
    ) as Readonly<Record<string, string>>;
    assert.deepEqual(
      bundle,
      Object.fromEntries(gatherWords().map((word) => [word, word])),
      "npm run l10n gathers them",
    );
  });
});
