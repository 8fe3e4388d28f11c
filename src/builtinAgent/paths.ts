import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folders a session may touch, with every symlink in them resolved. The first is its working folder. */
export interface Scope {
  readonly roots: readonly [string, ...string[]];
}

export type Located =
  | { readonly kind: "found"; readonly path: string }
  /** Inside, but nothing is there: where it would be. */
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "outside" };

export async function openScope(
  cwd: string,
  extra: readonly string[],
): Promise<Scope> {
  const real = async (folder: string): Promise<string> =>
    (await realOrUndefined(folder)) ?? path.resolve(folder);
  return {
    roots: [await real(cwd), ...(await Promise.all(extra.map(real)))],
  };
}

/** Where a path the user wrote leads. What lies outside the scope is never named further. */
export async function locate(scope: Scope, written: string): Promise<Located> {
  const name = plainPath(written);
  if (name === undefined) return { kind: "outside" };
  let missing: string | undefined;
  let leadsOut = false;
  for (const root of scope.roots) {
    const place = await settle(path.resolve(root, name));
    if (!isInside(scope, place.path)) leadsOut ||= place.exists;
    else if (place.exists) return { kind: "found", path: place.path };
    else missing ??= place.path;
  }
  return missing === undefined || leadsOut
    ? { kind: "outside" }
    : { kind: "missing", path: missing };
}

export function isInside(scope: Scope, real: string): boolean {
  return scope.roots.some((root) => {
    const relative = path.relative(root, real);
    return (
      relative === "" ||
      (relative !== ".." &&
        !relative.startsWith(`..${path.sep}`) &&
        !path.isAbsolute(relative))
    );
  });
}

/** As the user would write it: relative inside the working folder, whole elsewhere. */
export function shown(scope: Scope, real: string): string {
  const relative = path.relative(scope.roots[0], real);
  if (relative === "") return ".";
  const whole = relative.startsWith("..") || path.isAbsolute(relative);
  return (whole ? real : relative).split(path.sep).join("/");
}

export function outsideSentence(written: string): string {
  return `${JSON.stringify(written)} is outside this chat's folders, so I leave it alone.`;
}

function plainPath(written: string): string | undefined {
  const name = written.trim();
  if (name.includes("\0") || name.startsWith("~")) return undefined;
  if (!/^file:/i.test(name)) return name;
  try {
    return fileURLToPath(name);
  } catch {
    return undefined;
  }
}

/** The real path; where nothing is, the real path of the nearest folder that exists, and the rest. */
async function settle(
  target: string,
  linksLeft = 32,
): Promise<{ readonly path: string; readonly exists: boolean }> {
  const rest: string[] = [];
  for (let at = target; ;) {
    const real = await realOrUndefined(at);
    if (real !== undefined)
      return { path: path.join(real, ...rest), exists: rest.length === 0 };
    // A dangling link would lead a write to wherever it points.
    const link = await fs.readlink(at).catch(() => undefined);
    if (link !== undefined && linksLeft > 0)
      return settle(
        path.join(path.resolve(path.dirname(at), link), ...rest),
        linksLeft - 1,
      );
    const parent = path.dirname(at);
    if (parent === at) return { path: target, exists: false };
    rest.unshift(path.basename(at));
    at = parent;
  }
}

async function realOrUndefined(target: string): Promise<string | undefined> {
  return fs.realpath(target).catch(() => undefined);
}
