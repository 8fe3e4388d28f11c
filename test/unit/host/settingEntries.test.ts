import assert from "node:assert/strict";
import * as z from "zod";
import { readEntries } from "../../../src/host/settingEntries.ts";

describe("a setting with entries", () => {
  const entry = z.object({ command: z.string(), args: z.array(z.string()) });

  it("keeps those that are right, and names what is wrong with the others", () => {
    const right = { command: "a", args: [] };
    const { good, bad } = readEntries(
      { right, muddled: { command: "a", args: [1] }, none: 3 },
      entry,
    );
    assert.deepEqual(good, [["right", right]]);
    const words = new Map(bad);
    assert.match(words.get("muddled") ?? "", /^args\.0: .*string/);
    assert.match(words.get("none") ?? "", /object/);
  });

  it("is empty when it is no object", () => {
    for (const value of [undefined, null, "x", 1])
      assert.deepEqual(readEntries(value, entry), { good: [], bad: [] });
  });
});
