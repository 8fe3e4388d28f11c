import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import { bundled, newFolder, storeWorker } from "../fakes/realStore.ts";
import type { Figure } from "./figure.ts";

/** Whether the host's memory grows with the turns it has seen. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = await newFolder();
  try {
    const [few = NaN, many = NaN] = await heaps(folder);
    const value = many / few;
    return [{ name: "memory.host.growth", value, unit: "×", limit: 1.2 }];
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

/** Bytes in use after a collection, after 100 turns and after 10 000. */
async function heaps(folder: string): Promise<readonly number[]> {
  const child = spawn(
    process.execPath,
    [
      ...["--expose-gc", await bundled("test/bench/suites/manyTurns.ts")],
      ...[folder, await storeWorker(), "100", "10000"],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let said = "";
  child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`The turns ended with ${code}: ${said}`);
  return said.trim().split("\n").map(Number);
}
