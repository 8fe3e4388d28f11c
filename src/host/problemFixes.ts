import * as vscode from "vscode";
import { Spot } from "./sendToChat.ts";
import { t } from "../util/l10n.ts";

const deeds = [
  [t("Fix with Turnline"), "turnline.fixSelection"],
  [t("Explain with Turnline"), "turnline.explainSelection"],
  [t("Add to Turnline Chat"), "turnline.sendProblems"],
] as const;

/** A problem's own menu, in the editor and in the list of problems, is its quick fixes. */
export function offerProblemFixes(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: "file" },
    {
      provideCodeActions: (document, _, { diagnostics }) => {
        const [first, ...more] = diagnostics;
        if (first === undefined) return [];
        const range = more.reduce(
          (all, one) => all.union(one.range),
          first.range,
        );
        return deeds.map(([title, command]) => {
          const action = new vscode.CodeAction(
            title,
            vscode.CodeActionKind.QuickFix,
          );
          action.diagnostics = [...diagnostics];
          action.command = {
            title,
            command,
            arguments: [new Spot(document.uri, range)],
          };
          return action;
        });
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}
