import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { openStore } from "../../src/history/sqliteStore.ts";
import type {
  OpenAnswer,
  SqliteStore,
  StoreOptions,
} from "../../src/history/sqliteStore.ts";

const root = path.join(import.meta.dirname, "../..");
const stores = new Set<SqliteStore>();
const bundles = new Map<string, Promise<string>>();

/** Bundles a program the way it is shipped, once per run: it starts several times faster than from its sources. */
export function bundled(entry: string): Promise<string> {
  const known = bundles.get(entry);
  if (known !== undefined) return known;
  const outfile = path.join(scratch(), `${path.basename(entry, ".ts")}.cjs`);
  const built = build({
    entryPoints: [path.join(root, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    logLevel: "error",
  }).then(() => outfile);
  bundles.set(entry, built);
  return built;
}

/** A folder of this run's own, gone with it. */
export function scratch(): string {
  const folder = path.join(os.tmpdir(), `turnline-test-${process.pid}`);
  if (bundles.size === 0)
    process.once("exit", () =>
      rmSync(folder, { recursive: true, force: true }),
    );
  return folder;
}

export function storeWorker(): Promise<string> {
  return bundled("src/history/worker.ts");
}

export async function openAt(
  folder: string,
  options: Partial<StoreOptions> = {},
): Promise<OpenAnswer> {
  const worker = await storeWorker();
  const opened = await openStore({ folder, worker, ...options });
  if (opened.ok) stores.add(opened.store);
  return opened;
}

/** Opens a store that must open. */
export async function mustOpen(
  folder: string,
  options: Partial<StoreOptions> = {},
): Promise<SqliteStore> {
  const opened = await openAt(folder, options);
  assert.ok(opened.ok, JSON.stringify(opened));
  return opened.store;
}

export function newFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), "turnline-store-"));
}

/** Runs a test in a folder of its own, and leaves none behind. */
export function inFolder(
  test: (folder: string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const folder = await newFolder();
    try {
      await test(folder);
    } finally {
      for (const store of stores) await store.close();
      stores.clear();
      await fs.rm(folder, { recursive: true, force: true });
    }
  };
}
