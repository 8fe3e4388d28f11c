import { globSync, statSync } from "node:fs";
import path from "node:path";
import type { Figure } from "./figure.ts";

const dist = path.resolve(import.meta.dirname, "..", "..", "dist");

/** What users download. */
export function bench(): Promise<readonly Figure[]> {
  const bytes = (
    name: string,
    file: string,
    limit: number | null = null,
  ): Figure => ({
    name,
    value: statSync(file).size,
    unit: "bytes",
    limit,
  });
  const bundles = globSync(["*.cjs", "webview/*.{js,css,ttf}"], {
    cwd: dist,
  }).sort();
  return Promise.resolve([
    bytes("vsix.bytes", path.join(dist, "turnline.vsix"), 800_000),
    ...bundles.map((file) =>
      bytes(`bundle.${path.basename(file)}.bytes`, path.join(dist, file)),
    ),
  ]);
}
