import { compileGlob, type Glob, matchesGlob } from "./glob.ts";

/** Rules of the `.gitignore` files met on the way down; the last that matches decides. */
export type IgnoreRules = readonly IgnoreRule[];

interface IgnoreRule {
  /** Folder of the file that holds the rule, relative to the root; "" for the root. */
  readonly base: string;
  readonly glob: Glob;
  readonly not: boolean;
  readonly folderOnly: boolean;
}

/** Folders that hold copies, caches or history, whatever a project ignores. */
export const skippedFolders: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".next",
  ".nuxt",
  ".turbo",
  ".cache",
  ".parcel-cache",
  ".terraform",
  ".vscode-test",
]);

export function parseIgnore(text: string, base: string): IgnoreRules {
  return text
    .split(/\r?\n/)
    .slice(0, maxRules)
    .map((line) => line.replace(/(?<!\\)\s+$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const not = line.startsWith("!");
      const body = not ? line.slice(1) : line;
      const folderOnly = body.endsWith("/");
      const trimmed = folderOnly ? body.slice(0, -1) : body;
      const anchored = trimmed.includes("/");
      return {
        base,
        not,
        folderOnly,
        glob: compileGlob(anchored ? trimmed : `**/${trimmed}`),
      };
    });
}

export function isIgnored(
  rules: IgnoreRules,
  file: string,
  isFolder: boolean,
): boolean {
  const rule = rules.findLast((one) => {
    if (one.folderOnly && !isFolder) return false;
    if (one.base === "") return matchesGlob(one.glob, file);
    return (
      file.startsWith(`${one.base}/`) &&
      matchesGlob(one.glob, file.slice(one.base.length + 1))
    );
  });
  return rule !== undefined && !rule.not;
}

const maxRules = 500;
