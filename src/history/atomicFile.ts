import { randomBytes } from "node:crypto";
import fs from "node:fs";

/** Readers see the old file or the new one, never half of one. */
export function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    fs.writeFileSync(draft, text, { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** The JSON in a file; undefined when there is none, or no sound one. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
