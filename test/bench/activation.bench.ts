import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runInExtensionHost } from "../lab/vscode/extensionHost.ts";
import type { Figure } from "./figure.ts";

/** How long `activate()` takes in a real extension host, bundles loaded and all. */
export async function bench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "turnline-bench-"));
  const file = path.join(folder, "activation");
  try {
    const well = await runInExtensionHost("test/bench/suites/activation.ts", {
      TURNLINE_FIGURE: file,
    });
    if (!well) throw new Error("The extension could not be activated.");
    const value = Number(readFileSync(file, "utf8"));
    return [{ name: "activation.ms", value, unit: "ms", limit: null }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
