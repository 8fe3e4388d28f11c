import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./tools.ts";

const patterns: readonly string[] = [
  "{src,webview,test,scripts}/**/*.{ts,tsx,mjs,cjs,json}",
  "*.{mjs,cjs,json}",
];

/** One hash over everything a check with types can depend on. */
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
