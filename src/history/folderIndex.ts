import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { readJson, writeAtomically } from "./atomicFile.ts";
import { databaseFiles, namesIn } from "./databaseFiles.ts";

const entrySchema = z.object({
  /** The folder a database lives in. */
  storage: z.string(),
  /** The workspace folders it belongs to. */
  folders: z.array(z.string()),
  usedAt: z.number(),
});
export type IndexEntry = Readonly<z.infer<typeof entrySchema>>;

/**
 * Knows which database belongs to which workspace folders, since VS Code's own id of a workspace changes when it is
 * moved, saved or given another folder. One small file for each database: windows never write the same one.
 */
export class FolderIndex {
  readonly #folder: string;

  constructor(globalStorage: string) {
    this.#folder = path.join(globalStorage, "folders");
  }

  note(entry: IndexEntry): void {
    fs.mkdirSync(this.#folder, { recursive: true });
    writeAtomically(this.#file(entry.storage), JSON.stringify(entry));
  }

  forget(storage: string): void {
    fs.rmSync(this.#file(storage), { force: true });
  }

  /** Newest first. */
  all(): readonly IndexEntry[] {
    return namesIn(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        const file = path.join(this.#folder, name);
        const parsed = entrySchema.safeParse(readJson(file));
        return parsed.success ? [parsed.data] : [];
      })
      .sort((a, b) => b.usedAt - a.usedAt);
  }

  /** Databases of these workspace folders that live elsewhere: what an empty workspace can be offered. */
  elsewhere(
    storage: string,
    folders: readonly string[],
  ): readonly IndexEntry[] {
    return this.all().filter(
      (entry) =>
        entry.storage !== storage &&
        databaseFiles(entry.storage).length > 0 &&
        entry.folders.some((folder) => folders.includes(folder)),
    );
  }

  #file(storage: string): string {
    const name = createHash("sha256").update(storage).digest("hex");
    return path.join(this.#folder, `${name.slice(0, 32)}.json`);
  }
}
