import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Gives a folder these settings, and no others. */
export function folderSettings(
  folder: string,
  settings: Readonly<Record<string, unknown>>,
): void {
  const own = path.join(folder, ".vscode");
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, "settings.json"), JSON.stringify(settings));
}
