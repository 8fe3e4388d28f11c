import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { cacheFolder } from "../test/lab/cache.ts";
import { root, type Say } from "./tools.ts";

const patterns: readonly string[] = [
  "{src,webview,test,scripts,docs,l10n,media,.github,.vscode}/**/*.{ts,tsx,mjs,cjs,json,css,html,md,yml}",
  "{*,.*}.{mjs,cjs,json,md,yml}",
];

/** What passed before on exactly these sources need not be asked again. */
export async function unlessUnchanged(
  name: string,
  say: Say,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const passed = path.join(cacheFolder(), `${name}-${sourcesHash()}`);
  if (existsSync(passed)) {
    say(`  ${name} passed on the same files before.\n`);
    return true;
  }
  const well = await check();
  if (well) {
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(passed, "");
  }
  return well;
}

/** One hash over everything that lint reads or what it reads depends on. */
function sourcesHash(): string {
  const sum = createHash("sha256").update(process.version);
  for (const file of globSync([...patterns], { cwd: root }).sort())
    sum
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  return sum.digest("hex").slice(0, 32);
}
