import vm from "node:vm";
import type { FileEntry } from "./files.ts";
import { isObject } from "./record.ts";
import type { TextPattern } from "./request.ts";
import { readTextFile } from "./textFile.ts";

export interface Hit {
  readonly file: FileEntry;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Found {
  readonly hits: readonly Hit[];
  readonly searched: number;
  /** Why it is not everything; `pattern`: the expression takes forever on some line. */
  readonly stopped?: "count" | "time" | "cancelled" | "pattern";
}

export interface SearchLimits {
  readonly hits: number;
  readonly ms: number;
  readonly fileBytes: number;
}

export const searchLimits: SearchLimits = {
  hits: 500,
  ms: 10_000,
  fileBytes: 1024 * 1024,
};

export interface Matcher {
  readonly matches: (line: string) => boolean;
  /** A quick no for a whole file. */
  readonly mayBeIn?: (text: string) => boolean;
  /** Nobody knows how long a regular expression takes. */
  readonly guarded: boolean;
}

/** A literal written in lower case matches any case. Answers a sentence when the expression is none. */
export function matcherOf(pattern: TextPattern): Matcher | string {
  if (pattern.kind === "literal") {
    const wanted = pattern.text;
    const anyCase = wanted === wanted.toLowerCase();
    const matches = (text: string): boolean =>
      (anyCase ? text.toLowerCase() : text).includes(wanted);
    return { matches, mayBeIn: matches, guarded: false };
  }
  try {
    const regex = new RegExp(pattern.source, pattern.ignoreCase ? "i" : "");
    return { matches: (line) => regex.test(line), guarded: true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export async function searchText(
  files: readonly FileEntry[],
  matcher: Matcher,
  signal: AbortSignal,
  limits: SearchLimits = searchLimits,
): Promise<Found> {
  const deadline = performance.now() + limits.ms;
  const hits: Hit[] = [];
  let searched = 0;
  let stopped: Found["stopped"];
  for (let at = 0; at < files.length && stopped === undefined; at += atOnce) {
    const group = files.slice(at, at + atOnce);
    const texts = await Promise.all(
      group.map((file) => readTextFile(file.path, limits.fileBytes)),
    );
    const scan = (): void =>
      group.forEach((file, index) => {
        const read = texts[index];
        if (read?.kind !== "text") return;
        searched++;
        hits.push(...hitsIn(file, read.text, matcher, limits.hits));
      });
    const size = texts.reduce(
      (sum, read) => sum + (read.kind === "text" ? read.size : 0),
      0,
    );
    const inTime = matcher.guarded ? runsInTime(scan, size) : (scan(), true);
    if (signal.aborted) stopped = "cancelled";
    else if (!inTime) stopped = "pattern";
    else if (hits.length >= limits.hits) stopped = "count";
    else if (performance.now() > deadline) stopped = "time";
  }
  return {
    hits: hits.slice(0, limits.hits),
    searched,
    ...(stopped && { stopped }),
  };
}

const atOnce = 16;
const context = 2;
const longestLine = 4_000;

function hitsIn(
  file: FileEntry,
  text: string,
  matcher: Matcher,
  most: number,
): readonly Hit[] {
  if (matcher.mayBeIn?.(text) === false) return [];
  const lines = text.split(/\r?\n/);
  const hits: Hit[] = [];
  for (const [index, whole] of lines.entries()) {
    const line =
      whole.length > longestLine ? whole.slice(0, longestLine) : whole;
    if (!matcher.matches(line)) continue;
    hits.push({
      file,
      line: index + 1,
      text: line,
      before: lines.slice(Math.max(0, index - context), index),
      after: lines.slice(index + 1, index + 1 + context),
    });
    if (hits.length >= most) break;
  }
  return hits;
}

const room = vm.createContext({ job: () => undefined });
const script = new vm.Script("job()");

/** A regular expression can run for ever on the wrong line: this is the only way to stop one. */
function runsInTime(job: () => void, size: number): boolean {
  room["job"] = job;
  try {
    script.runInContext(room, { timeout: 300 + Math.ceil(size / 10_000) });
    return true;
  } catch (error) {
    // It comes from another realm, so it is no Error of ours.
    if (isObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return false;
    throw error;
  }
}
