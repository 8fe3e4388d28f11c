import type { Log } from "../core/ports.ts";
import type { WorkspaceFolders } from "./workspaceFolders.ts";

interface NoteEnds {
  readonly index: {
    note(entry: { storage: string; folders: string[]; usedAt: number }): void;
  };
  readonly storage: string;
  readonly folders: Pick<WorkspaceFolders, "roots">;
  readonly log: Log;
}

/** Notes which folders the record belongs to now, so that it is found again when VS Code calls the workspace otherwise. */
export function noteFolders({ index, storage, folders, log }: NoteEnds): void {
  // Not worth a failed start: a disk may be full, or not ours to write to.
  try {
    const usedAt = Date.now();
    index.note({ storage, folders: [...folders.roots()], usedAt });
  } catch (error) {
    log.warn("folders.notNoted", { error: String(error) });
  }
}
