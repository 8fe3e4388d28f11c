import * as vscode from "vscode";
import type { Engine } from "../core/engine.ts";
import { untrusted } from "./agentCatalog.ts";

export function isTrusted(): boolean {
  return vscode.workspace.isTrusted;
}

/** The user's trust is the word that what waited for it, and nothing else, was waiting for. */
export function resumeWhenTrusted(
  engine: Engine,
  then: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidGrantWorkspaceTrust(() => {
    for (const { id } of engine.threads())
      if (engine.snapshot(id)?.queue.cause?.includes(untrusted) === true)
        void engine.resume(id);
    then();
  });
}
