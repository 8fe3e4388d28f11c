import * as vscode from "vscode";
import { missingSecret } from "./readyAgents.ts";
import type { Secrets } from "./secrets.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Secrets are typed in once, and named in the settings from then on. */
export function secretCommands(
  { engine }: Services,
  secrets: Secrets,
): Readonly<Record<string, (...args: readonly unknown[]) => unknown>> {
  return {
    setSecret: async (given) => {
      const name = typeof given === "string" ? given : await askName(secrets);
      if (name === undefined || name === "") return;
      const value = await vscode.window.showInputBox({
        title: t('Secret "{0}"', name),
        prompt: t(
          "Kept by VS Code in your keychain. Settings name it as ${secret:{0}}.",
          name,
        ),
        password: true,
        ignoreFocusOut: true,
      });
      if (value === undefined || value === "") return;
      await secrets.set(name, value);
      for (const { id } of engine.threads())
        if (missingSecret(engine.snapshot(id)?.queue.cause ?? "") === name)
          await engine.resume(id);
    },
    deleteSecret: async () => {
      const names = secrets.names();
      if (names.length === 0) {
        void vscode.window.showInformationMessage(t("No secret is set."));
        return;
      }
      const name = await vscode.window.showQuickPick([...names], {
        title: t("Delete which secret?"),
      });
      if (name !== undefined) await secrets.delete(name);
    },
  };
}

async function askName(secrets: Secrets): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: t("Name of the secret"),
    prompt: t(
      "Settings of agents and MCP servers use it as ${secret:NAME} in variables and headers.",
    ),
    placeHolder: secrets.names().join(", ") || "MY_TOKEN",
    validateInput: (typed) =>
      /^[\w.-]*$/u.test(typed.trim())
        ? undefined
        : t("Letters, digits, dots, dashes and underscores only."),
  });
  return name?.trim();
}
