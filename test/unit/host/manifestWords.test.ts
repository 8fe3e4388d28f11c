import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const read = (name: string): string =>
  readFileSync(path.join(root, name), "utf8");

describe("the words of package.json", () => {
  const manifest = read("package.json");
  const words = JSON.parse(read("package.nls.json")) as Readonly<
    Record<string, string>
  >;
  const named = [...manifest.matchAll(/"%([^%"]+)%"/gu)].map(
    ([, key]) => key ?? "",
  );

  it("are all in package.nls.json, and nothing there is unused", () => {
    assert.ok(named.length > 100);
    assert.deepEqual(
      [...new Set(named)].sort(),
      Object.keys(words).sort(),
      "node scripts/nls.ts brings the two together",
    );
  });

  it("are not empty and do not name themselves", () => {
    const bad = Object.entries(words).filter(
      ([, text]) => text.trim() === "" || /^%.*%$/u.test(text),
    );
    assert.deepEqual(bad, []);
  });
});
