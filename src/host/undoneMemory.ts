import type * as vscode from "vscode";
import type { UndoneCompactions } from "./compactHistory.ts";

/** Kept with the workspace: a choice of the user's outlasts a reload. */
export class UndoneMemory implements UndoneCompactions {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  has(thread: string): boolean {
    return this.#memory.get(key(thread)) === true;
  }

  async set(thread: string, undone: boolean): Promise<void> {
    if (this.has(thread) !== undone)
      await this.#memory.update(key(thread), undone ? true : undefined);
  }
}

const key = (thread: string): string => `undone:${thread}`;
