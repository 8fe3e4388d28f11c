import { existsSync, readFileSync } from "node:fs";

/** What a stage's runner counted, over all its lines. */
export function counted(file: string): { passed: number; failed: number } {
  const all = { passed: 0, failed: 0 };
  if (!existsSync(file)) return all;
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const one = JSON.parse(line) as typeof all;
    all.passed += one.passed;
    all.failed += one.failed;
  }
  return all;
}
