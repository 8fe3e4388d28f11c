import path from "node:path";
import { compileGlob, isGlob, matchesGlob } from "./glob.ts";
import { type Scope, shown } from "./paths.ts";
import { walk, type Walked } from "./walk.ts";

/** A file by its real path and by the name it is shown with. */
export interface FileEntry {
  readonly path: string;
  readonly name: string;
}

export interface FileList {
  readonly files: readonly FileEntry[];
  readonly stopped?: Walked["stopped"];
}

/** Every file of the scope that the project does not ignore. */
export async function listFiles(
  scope: Scope,
  signal: AbortSignal,
): Promise<FileList> {
  const found = new Map<string, FileEntry>();
  let stopped: Walked["stopped"];
  for (const root of scope.roots) {
    const walked = await walk(root, signal);
    stopped ??= walked.stopped;
    for (const file of walked.files) {
      const whole = path.join(root, file);
      found.set(whole, { path: whole, name: shown(scope, whole) });
    }
  }
  return { files: [...found.values()], ...(stopped && { stopped }) };
}

/** Files whose name fits a pattern or contains a text, the closest first. */
export function matchFiles(
  files: readonly FileEntry[],
  pattern: string,
): readonly FileEntry[] {
  const plain = pattern.replace(/^\.\//, "");
  if (isGlob(plain)) {
    const glob = compileGlob(plain.includes("/") ? plain : `**/${plain}`);
    return files.filter((file) => matchesGlob(glob, file.name));
  }
  const wanted = plain.toLowerCase().replace(/\/$/, "");
  return files
    .map((file) => ({ file, rank: rankOf(file.name.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < notAtAll)
    .sort((a, b) => a.rank - b.rank || a.file.name.length - b.file.name.length)
    .map(({ file }) => file);
}

/** Files a path that leads nowhere could have meant: the end of their path, or their name without extension. */
export function guessFiles(
  files: readonly FileEntry[],
  written: string,
): readonly FileEntry[] {
  const wanted = written.toLowerCase().replace(/^(?:\.?\/)+/, "");
  const ends = files.filter((file) => {
    const name = file.name.toLowerCase();
    return name === wanted || name.endsWith(`/${wanted}`);
  });
  if (ends.length > 0) return ends;
  return files.filter(
    (file) =>
      path.posix.parse(file.name.toLowerCase()).name === wanted &&
      wanted !== "",
  );
}

const notAtAll = 9;

function rankOf(name: string, wanted: string): number {
  const base = path.posix.basename(name);
  if (base === wanted || name === wanted) return 0;
  if (path.posix.parse(base).name === wanted) return 1;
  if (base.startsWith(wanted)) return 2;
  if (base.includes(wanted)) return 3;
  return name.includes(wanted) ? 4 : notAtAll;
}
