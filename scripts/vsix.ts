import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fromRoot, root, run, type Say, tool, vsce } from "./tools.ts";

const out = fromRoot("dist", "turnline.vsix");
const stamp = fromRoot("out", "vsix.stamp");

/** Everything a package is made of. */
const inputs: readonly string[] = [
  ...["src/**/*", "webview/**/*", "media/**/*", "l10n/**/*"],
  ...["package.json", "package.nls*.json", "package-lock.json"],
  ...["esbuild.mjs", "tsconfig*.json", ".vscodeignore"],
  ...["README.md", "CHANGELOG.md", "LICENSE"],
];

/** The package as it is when nothing it is made of has changed since; otherwise a new one. */
export async function currentVsix(say: Say): Promise<string> {
  if (isCurrent({ inputs: inputsHash(root), vsix: out, stamp })) {
    say("nothing has changed since the last build.");
    return out;
  }
  say("building …");
  return packageVsix();
}

/** Builds for release and packs `dist/turnline.vsix`; a warning is an error. */
export async function packageVsix(): Promise<string> {
  const fresh = `${out}.${process.pid}`;
  const made = inputsHash(root);
  emptyDist();
  if (!(await run(process.execPath, [fromRoot("esbuild.mjs"), "--release"])))
    throw new Error(
      "The build failed; the errors are above. Mend them, then run the same command again.",
    );
  let said = "";
  const packed = await tool(
    vsce,
    ["package", "--no-dependencies", "--out", fresh],
    {},
    (text) => (said += text),
  );
  if (!packed || /warning/i.test(said))
    throw new Error(
      `The package could not be made without warnings:\n${said}\nMend what they name, then run the same command again.`,
    );
  // The last one stays until it is replaced whole: somebody may be installing it.
  renameSync(fresh, out);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, stampOf(made, out));
  return out;
}

/** Whether a package is there, unchanged, and made of these inputs. */
export function isCurrent(about: {
  readonly inputs: string;
  readonly vsix: string;
  readonly stamp: string;
}): boolean {
  return (
    existsSync(about.vsix) &&
    existsSync(about.stamp) &&
    readFileSync(about.stamp, "utf8") === stampOf(about.inputs, about.vsix)
  );
}

export function stampOf(made: string, vsix: string): string {
  return `${made} ${hash([readFileSync(vsix)])}\n`;
}

/** One hash over the names and contents of everything a package is made of. */
export function inputsHash(folder: string): string {
  const files = globSync([...inputs], { cwd: folder }).sort();
  return hash(
    files.flatMap((file) => {
      const full = path.join(folder, file);
      return statSync(full).isFile() ? [file, readFileSync(full)] : [];
    }),
  );
}

function hash(parts: readonly (string | Buffer)[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part).update("\0");
  return sum.digest("hex");
}

/** What an earlier build left must not get into the package. */
function emptyDist(): void {
  mkdirSync(fromRoot("dist"), { recursive: true });
  for (const name of readdirSync(fromRoot("dist")))
    if (name !== "turnline.vsix")
      rmSync(fromRoot("dist", name), { recursive: true, force: true });
}
