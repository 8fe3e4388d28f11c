import { lstat, realpath } from "node:fs/promises";
import path from "node:path";

/** Where a path an agent named really leads. */
export type Place =
  | { readonly kind: "inside"; readonly file: string }
  /** Inside, but where editors and git take orders from. */
  | { readonly kind: "delicate"; readonly file: string }
  | { readonly kind: "outside"; readonly file: string }
  | { readonly kind: "unclear"; readonly why: string };

/** Links and `..` are followed first: what counts is where the bytes would go. */
export async function placeOf(
  named: string,
  folders: readonly string[],
): Promise<Place> {
  if (!path.isAbsolute(named) || named.includes("\0"))
    return { kind: "unclear", why: "The path must be absolute." };
  const file = await real(path.resolve(named));
  if (file === undefined)
    return { kind: "unclear", why: "The path leads nowhere." };
  for (const folder of folders) {
    const root = await real(path.resolve(folder));
    const below = root === undefined ? undefined : within(root, file);
    if (below !== undefined)
      return { kind: isDelicate(below) ? "delicate" : "inside", file };
  }
  return { kind: "outside", file };
}

/** The real path of a file that may not be there yet; undefined when a link on the way can't be followed. */
async function real(file: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = file; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ENOENT" || (await isLink(at))) return undefined;
      if (path.dirname(at) === at) return undefined;
      missing.unshift(path.basename(at));
    }
  }
}

/** A link to nothing is no missing file: writing it would create what it names. */
async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

function within(root: string, file: string): string | undefined {
  const below = path.relative(root, file);
  const leaves =
    below === ".." ||
    below.startsWith(`..${path.sep}`) ||
    path.isAbsolute(below);
  return leaves ? undefined : below;
}

/** Where git, the editor and containers take orders from. */
const delicate: ReadonlySet<string> = new Set([
  ".git",
  ".vscode",
  ".devcontainer",
  ".devcontainer.json",
  ".husky",
]);

function isDelicate(below: string): boolean {
  return below
    .toLowerCase()
    .split(path.sep)
    .some((name) => delicate.has(name) || name.endsWith(".code-workspace"));
}
