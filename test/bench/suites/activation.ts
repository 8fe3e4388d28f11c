import { writeFileSync } from "node:fs";
import * as vscode from "vscode";

/** Times the activation of the packed bundles inside the extension host. */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension("turnline.turnline");
  const file = process.env["TURNLINE_FIGURE"];
  if (extension === undefined || file === undefined)
    throw new Error("Nothing to measure.");
  // Something else may have woken it, and then nothing is measured.
  if (extension.isActive) throw new Error("It was active before.");
  const start = performance.now();
  await extension.activate();
  writeFileSync(file, String(performance.now() - start));
}
