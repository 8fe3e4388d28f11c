import vm from "node:vm";
import type { FileEntry } from "./files.ts";
import { isObject } from "./record.ts";
import type { TextPattern } from "./request.ts";
import { breathe } from "./stream.ts";
import { readTextFile } from "./textFile.ts";
import { errorText } from "../util/errorText.ts";

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
  /** For a slice of text, a moment's work unless the expression is a trap. */
  readonly sliceMs: number;
}

export const searchLimits: SearchLimits = {
  hits: 500,
  ms: 10_000,
  fileBytes: 1024 * 1024,
  sliceMs: 250,
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
    return errorText(error);
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
    const texts = await Promise.all(
      files.slice(at, at + atOnce).map(async (file) => {
        const read = await readTextFile(file.path, limits.fileBytes);
        return read.kind === "text" ? [{ file, text: read.text }] : [];
      }),
    );
    searched += texts.flat().length;
    const scan = scanned(texts.flat(), matcher, limits.hits, hits);
    const next = (): boolean => scan.next().done === true;
    let over: boolean | "late" = false;
    while (over === false && stopped === undefined) {
      over = matcher.guarded ? inTime(next, limits.sliceMs) : next();
      // A cancel that has come meanwhile is heard before the next slice.
      await breathe(0);
      if (signal.aborted) stopped = "cancelled";
      else if (over === "late") stopped = "pattern";
      else if (hits.length >= limits.hits) stopped = "count";
      else if (performance.now() > deadline) stopped = "time";
    }
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
/** So much text is looked at in one go. */
const sliceChars = 64 * 1024;

/** Looks through the texts line by line and stops after each slice. */
function* scanned(
  texts: readonly { readonly file: FileEntry; readonly text: string }[],
  matcher: Matcher,
  most: number,
  hits: Hit[],
): Generator<undefined, void> {
  let seen = 0;
  for (const { file, text } of texts) {
    const none = matcher.mayBeIn?.(text) === false;
    const lines = none ? [] : text.split(/\r?\n/);
    if (none) seen += text.length;
    if (seen > sliceChars) {
      yield;
      seen = 0;
    }
    let found = 0;
    for (const [index, whole] of lines.entries()) {
      if (seen > sliceChars) {
        yield;
        seen = 0;
      }
      seen += whole.length + 1;
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
      if (++found >= most) break;
    }
  }
}

const room = vm.createContext({ job: () => undefined });
const script = new vm.Script("job()");

/** A regular expression can run for ever on the wrong line: this is the only way to stop one. */
function inTime(job: () => boolean, timeout: number): boolean | "late" {
  room["job"] = job;
  try {
    return script.runInContext(room, { timeout }) === true;
  } catch (error) {
    // It comes from another realm, so it is no Error of ours.
    if (isObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return "late";
    throw error;
  }
}
