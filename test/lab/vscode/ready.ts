import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import path from "node:path";

const out = path.resolve(import.meta.dirname, "..", "..", "..", "out", "lab");

/**
 * An extensions folder into which VS Code itself installed a VSIX, once per content.
 * Many runs copy it rather than install anew.
 */
export async function installedOnce(
  vsix: string,
  install: (data: string) => Promise<void>,
): Promise<string> {
  const content = await readFile(vsix);
  const key = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const folder = await once(`vsix-${key}`, install);
  await forgetOld("vsix-", path.basename(folder));
  return path.join(folder, "extensions");
}

/**
 * VS Code's built-in extensions without those that run code (Git, language servers, sign-in …):
 * they take seconds of every start, and nothing here is about them.
 */
export async function quietBuiltins(server: string): Promise<string> {
  const all = path.join(server, "extensions");
  const key = createHash("sha256").update(server).digest("hex").slice(0, 16);
  return once(`builtins-${key}`, async (work) => {
    for (const name of await readdir(all)) {
      const manifest = path.join(all, name, "package.json");
      if (!existsSync(manifest)) continue;
      const { main, browser } = JSON.parse(
        await readFile(manifest, "utf8"),
      ) as { main?: string; browser?: string };
      if (main === undefined && browser === undefined)
        await cp(path.join(all, name), path.join(work, name), {
          recursive: true,
        });
    }
  });
}

/** It appears whole or not at all; of two that make it at once, one is kept. */
async function once(
  name: string,
  make: (work: string) => Promise<void>,
): Promise<string> {
  const target = path.join(out, name);
  if (existsSync(target)) return target;
  const work = `${target}.${process.pid}`;
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  await make(work);
  try {
    await rename(work, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

/** Another run may still copy one that is not an hour old. */
async function forgetOld(prefix: string, keep: string): Promise<void> {
  for (const name of await readdir(out)) {
    if (!name.startsWith(prefix) || name === keep) continue;
    const folder = path.join(out, name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > 3_600_000)
      await rm(folder, { recursive: true, force: true });
  }
}
