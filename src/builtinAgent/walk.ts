import fs from "node:fs/promises";
import path from "node:path";
import {
  type IgnoreRules,
  isIgnored,
  parseIgnore,
  skippedFolders,
} from "./ignore.ts";

export interface Walked {
  /** Relative to the root, with `/`, sorted. */
  readonly files: readonly string[];
  readonly folders: number;
  /** Why it is not everything. */
  readonly stopped?: "count" | "time" | "cancelled";
}

export interface WalkLimits {
  readonly files: number;
  readonly ms: number;
}

export const walkLimits: WalkLimits = { files: 50_000, ms: 5_000 };

/**
 * Files below a folder, nearest first, without what `.gitignore` names and without following links:
 * what a link leads to is listed where it really is, or not at all.
 */
export async function walk(
  root: string,
  signal: AbortSignal,
  limits: WalkLimits = walkLimits,
): Promise<Walked> {
  const deadline = performance.now() + limits.ms;
  const files: string[] = [];
  let level: Folder[] = [{ name: "", rules: [] }];
  let folders = 0;
  const over = (): Walked["stopped"] =>
    signal.aborted
      ? "cancelled"
      : files.length >= limits.files
        ? "count"
        : performance.now() > deadline
          ? "time"
          : undefined;
  let stopped: Walked["stopped"];
  while (level.length > 0 && stopped === undefined) {
    const next: Folder[] = [];
    for (let at = 0; at < level.length && stopped === undefined; at += atOnce) {
      const found = await Promise.all(
        level.slice(at, at + atOnce).map((folder) => list(root, folder)),
      );
      for (const one of found) {
        files.push(...one.files);
        next.push(...one.folders);
      }
      stopped = over();
    }
    folders += next.length;
    level = next;
  }
  return {
    files: files.slice(0, limits.files).sort(),
    folders,
    ...(stopped && { stopped }),
  };
}

interface Folder {
  readonly name: string;
  readonly rules: IgnoreRules;
}

const atOnce = 16;
const maxIgnoreBytes = 64 * 1024;

async function list(
  root: string,
  folder: Folder,
): Promise<{ readonly files: string[]; readonly folders: Folder[] }> {
  const here = path.join(root, folder.name);
  const entries = await fs
    .readdir(here, { withFileTypes: true })
    .catch(() => []);
  const ignoreFile = entries.find(
    (entry) => entry.name === ".gitignore" && entry.isFile(),
  );
  const own = ignoreFile
    ? parseIgnore(await readIgnore(path.join(here, ".gitignore")), folder.name)
    : [];
  const rules = own.length > 0 ? [...folder.rules, ...own] : folder.rules;
  const files: string[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const name =
      folder.name === "" ? entry.name : `${folder.name}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !isIgnored(rules, name, true))
        folders.push({ name, rules });
    } else if (entry.isFile() && !isIgnored(rules, name, false))
      files.push(name);
  }
  return { files, folders };
}

async function readIgnore(file: string): Promise<string> {
  const text = await fs.readFile(file, "utf8").catch(() => "");
  return text.slice(0, maxIgnoreBytes);
}
