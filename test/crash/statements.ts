import assert from "node:assert/strict";
import fs from "node:fs/promises";
import * as z from "zod";
import { newFolder } from "../fakes/realStore.ts";
import { endOf, inPairs, started } from "./harness.ts";

export interface Deed {
  readonly name: "live" | "upgrade" | "adopt";
  /** Makes the files that it begins with. */
  prepare(root: string): Promise<void>;
  /** Checks all that must hold after a kill, told what was said before it. */
  verify(root: string, lines: readonly string[]): Promise<void>;
}

const counted = z.object({
  statements: z.number(),
  differing: z.array(z.number()),
});

/**
 * Kills a deed before every statement that finds other files, or more answered, than the one before it; where time
 * is no matter, before every statement.
 */
export async function killEverywhere(
  deed: Deed,
  every: boolean,
): Promise<{ readonly statements: number; readonly kills: number }> {
  const whole = await run(deed, "");
  assert.equal(whole.signal, null);
  const { statements, differing } = counted.parse(
    JSON.parse(whole.lines.at(-1) ?? ""),
  );
  const places = every
    ? Array.from({ length: statements }, (_, n) => n + 1)
    : differing;
  await inPairs(
    places.map((place) => async () => {
      const { signal } = await run(deed, String(place));
      assert.equal(signal, "SIGKILL", `${deed.name} at ${place}`);
    }),
  );
  return { statements, kills: places.length };
}

async function run(deed: Deed, killAt: string): ReturnType<typeof endOf> {
  const root = await newFolder();
  try {
    await deed.prepare(root);
    const death = await endOf(
      await started("test/crash/children/statementChild.ts", [
        ...[deed.name, root, killAt],
      ]),
    );
    await deed.verify(root, death.lines);
    return death;
  } finally {
    await fs.rm(root, { recursive: true });
  }
}
