import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");

/** What each file imports at run time from files of ours; types alone tie nothing. */
function imports(): ReadonlyMap<string, readonly string[]> {
  const files = globSync("{src,webview}/**/*.{ts,tsx}", { cwd: root });
  return new Map(
    files.map((file) => {
      const text = readFileSync(path.join(root, file), "utf8");
      const found = text.matchAll(
        /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm,
      );
      return [
        file,
        [...found].map(([, source]) =>
          path.join(path.dirname(file), source ?? ""),
        ),
      ];
    }),
  );
}

function cycleFrom(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (
    file: string,
    trail: readonly string[],
  ): readonly string[] | undefined => {
    if (trail.includes(file))
      return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  return [...graph.keys()]
    .map((file) => walk(file, []))
    .find((cycle) => cycle !== undefined);
}

describe("imports", () => {
  it("run in no circle", () => {
    assert.deepEqual(cycleFrom(imports()), undefined);
  });

  it("would be seen if they did", () => {
    const circle = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b"]],
    ]);
    assert.deepEqual(cycleFrom(circle), ["b", "c", "b"]);
  });
});
