// Measures, prints a table and writes dist/bench.json. Figures are ratios within one run wherever time is involved.
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Figure } from "../test/bench/figure.ts";
import { fromRoot } from "./tools.ts";
import { packageVsix } from "./vsix.ts";

/** Each file of test/bench exports `bench()`, which answers its figures. */
interface Bench {
  readonly bench: () => Promise<readonly Figure[]>;
}

await packageVsix();
const wanted = process.argv[2] ?? "";
const figures: Figure[] = [];
for (const file of globSync(fromRoot("test", "bench", "*.bench.ts")).sort()) {
  if (!file.includes(wanted)) continue;
  const { bench } = (await import(pathToFileURL(file).href)) as Bench;
  figures.push(...(await bench()));
}
for (const { name, value, unit, limit } of figures)
  console.log(
    [
      name.padEnd(30),
      shown(value).padStart(12),
      unit.padEnd(6),
      limit === null ? "" : `limit ${shown(limit)}`.padEnd(16),
      limit !== null && value > limit ? "OVER" : "",
    ].join(" "),
  );
mkdirSync(fromRoot("dist"), { recursive: true });
writeFileSync(
  fromRoot("dist", "bench.json"),
  `${JSON.stringify(figures, null, 2)}\n`,
);
process.exit(
  figures.some(({ value, limit }) => limit !== null && value > limit) ? 1 : 0,
);

function shown(value: number): string {
  return Number.isInteger(value)
    ? value.toLocaleString("en")
    : value.toPrecision(3);
}
