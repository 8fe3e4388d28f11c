import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { brokenWall, noRow } from "../../scripts/walls.ts";

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

  const cases: readonly (readonly [string, string, RegExp | undefined])[] = [
    ["src/core/a.ts", "src/core/b.ts", undefined],
    ["src/core/a.ts", "src/util/b.ts", undefined],
    ["src/core/a.ts", "src/host/b.ts", /src\/core must not import/],
    ["src/agent/a.ts", "node:fs", undefined],
    ["src/agent/a.ts", "vscode", /must not import vscode/],
    ["src/protocol/a.ts", "src/core/b.ts", /only types/],
    ["src/extension.ts", "src/history/b.ts", undefined],
    ["webview/chat/a.tsx", "src/host/b.ts", /must not import/],
    ["test/unit/a.test.ts", "vscode", /only types from vscode/],
    ["test/contract/a.test.ts", "vscode", /only types from vscode/],
    ["test/integration/a.test.ts", "vscode", undefined],
    ["test/unit/a.test.ts", "src/host/b.ts", undefined],
  ];
  for (const [file, target, wrong] of cases)
    it(`of ${target} in ${file}: ${wrong === undefined ? "fine" : "not"}`, () => {
      const said = brokenWall(file, { target, isType: false });
      if (wrong === undefined) assert.equal(said, undefined);
      else assert.match(said ?? "", wrong);
    });

  it("of types go further", () => {
    for (const [file, target] of [
      ["src/protocol/a.ts", "src/core/b.ts"],
      ["test/unit/a.test.ts", "vscode"],
    ] as const)
      assert.equal(brokenWall(file, { target, isType: true }), undefined);
  });

  it("have a row in the table wherever the product has a file", () => {
    assert.match(noRow("src/another.ts") ?? "", /src\/another\.ts has no row/);
    const files = globSync("{src,webview}/**/*.{ts,tsx}", { cwd: root });
    assert.deepEqual(files.map(noRow).filter(Boolean), []);
  });
});
