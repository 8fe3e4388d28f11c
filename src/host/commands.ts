import * as vscode from "vscode";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { OutputLog } from "./log.ts";
import { errorText } from "../util/errorText.ts";

/** Commands by their names; menus give along what they were opened on. */
export type Commands = Readonly<
  Record<string, (...args: readonly unknown[]) => unknown>
>;

/** Registers commands; an error is told to the user and to the log, and the caller is answered false. */
export function registerCommands(
  log: OutputLog,
  commands: Commands,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(
        `turnline.${name}`,
        async (...args: readonly unknown[]) => {
          try {
            await run(...args);
            return true;
          } catch (error) {
            log.error("command.failed", { name, error: String(error) });
            void vscode.window.showErrorMessage(
              `Turnline: ${errorText(error)}`,
            );
            return false;
          }
        },
      ),
    ),
  );
}

/** The commands that need nothing but the panel: there even when history could not be opened. */
export function panelCommands(
  surfaces: ChatSurfaces,
  log: OutputLog,
): Readonly<Record<string, () => unknown>> {
  return {
    open: () => surfaces.show(),
    openInEditor: () => surfaces.showInEditor(),
    findInChat: () => surfaces.find(),
    // VS Code has uses of its own for these keys and would hear them too: so they come by way of commands.
    focusNextRegion: () => surfaces.revealHere({ kind: "region", back: false }),
    focusPreviousRegion: () =>
      surfaces.revealHere({ kind: "region", back: true }),
    focusQuestion: () => surfaces.revealHere({ kind: "permission" }),
    showLog: () => log.show(),
  };
}
