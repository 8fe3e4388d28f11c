import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runInExtensionHost } from "../lab/vscode/extensionHost.ts";
import type { Figure } from "./figure.ts";

const few = 100;
const many = 10_000;

/** Whether the memory of the real extension host grows with the turns it has seen, the chat being open. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "turnline-bench-"));
  const file = path.join(folder, "heaps");
  try {
    const well = await runInExtensionHost("test/bench/suites/manyTurns.ts", {
      TURNLINE_FIGURE: file,
      TURNLINE_MINUTES: "30",
      TURNLINE_TURNS: `${few} ${many}`,
      TURNLINE_AGENT: path.join(
        ...[import.meta.dirname, "suites", "stampAgent.mjs"],
      ),
    });
    if (!well) throw new Error("The turns did not end well.");
    const heaps = JSON.parse(readFileSync(file, "utf8")) as readonly number[];
    const [first = NaN, last = NaN] = heaps;
    const growth = { value: last / first, unit: "×", limit: 1.2 };
    const each = (last - first) / (many - few);
    return [
      { name: "memory.host.growth", ...growth },
      { name: "memory.host.perTurn", value: each, unit: "B", limit: null },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
