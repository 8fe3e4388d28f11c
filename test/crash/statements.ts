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

const counted = z.object({ statements: z.number() });

/** Kills a deed before each of its statements, or every so manieth; answers how many there are. */
export async function killEverywhere(deed: Deed, every = 1): Promise<number> {
  const whole = await run(deed, "");
  assert.equal(whole.signal, null);
  const { statements } = counted.parse(JSON.parse(whole.lines.at(-1) ?? ""));
  await inPairs(
    Array.from(
      { length: Math.ceil(statements / every) },
      (_, n) => async () => {
        const at = n * every + 1;
        const { signal } = await run(deed, String(at));
        assert.equal(signal, "SIGKILL", `${deed.name} at ${at}`);
      },
    ),
  );
  return statements;
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
