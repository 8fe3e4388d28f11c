import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";

const everyMs = 500;
const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
});

/** npm tells nothing while it works: what is in place of what the lockfile names is counted instead. The answer stops it. */
export function watchProgress(
  folder: string,
  progress: ((part: number) => void) | undefined,
): () => void {
  if (progress === undefined) return () => undefined;
  const places = placesIn(folder);
  const timer = setInterval(
    () => progress(partInPlace(folder, places)),
    everyMs,
  );
  return () => clearInterval(timer);
}

/** Where the packages for this system go. */
export function placesIn(
  folder: string,
  { os, cpu }: { readonly os: string; readonly cpu: string } = {
    os: process.platform,
    cpu: process.arch,
  },
): readonly string[] {
  const text = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  const { packages } = lockfile.parse(JSON.parse(text));
  return Object.entries(packages).flatMap(([place, needs]) =>
    place !== "" &&
    (needs.os?.includes(os) ?? true) &&
    (needs.cpu?.includes(cpu) ?? true)
      ? [place]
      : [],
  );
}

export function partInPlace(folder: string, places: readonly string[]): number {
  const there = places.filter((place) =>
    existsSync(path.join(folder, place, "package.json")),
  );
  return places.length === 0 ? 0 : there.length / places.length;
}
