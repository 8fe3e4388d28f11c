import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./tools.ts";

const patterns: readonly string[] = [
  "{src,webview,test,scripts,docs,l10n,media,.github,.vscode}/**/*.{ts,tsx,mjs,cjs,json,css,html,md,yml}",
  "{*,.*}.{mjs,cjs,json,md,yml}",
];

/** One hash over everything that lint reads or what it reads depends on. */
export function sourcesHash(): string {
  const sum = createHash("sha256").update(process.version);
  for (const file of globSync([...patterns], { cwd: root }).sort())
    sum
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  return sum.digest("hex").slice(0, 32);
}
