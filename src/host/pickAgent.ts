import * as vscode from "vscode";
import type { AgentChoice } from "../protocol/viewState.ts";
import type { AgentCatalog } from "./agentCatalog.ts";
import { t } from "../util/l10n.ts";

/** Lets the user choose an agent; undefined when they did not. */
export async function pickAgent(
  catalog: AgentCatalog,
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(items(catalog), {
    title: t("Choose the agent that answers in this thread"),
  });
  return picked?.id;
}

/** Among those that can be run. */
export async function pickReadyAgent(
  catalog: AgentCatalog,
  title: string,
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(items(catalog, isReady), {
    title,
  });
  return picked?.id;
}

type Item = vscode.QuickPickItem & { readonly id: string };

const isReady = ({ availability }: AgentChoice): boolean =>
  availability !== "notInstalled";

async function items(
  catalog: AgentCatalog,
  fits: (choice: AgentChoice) => boolean = () => true,
): Promise<readonly Item[]> {
  await catalog.lookFurther();
  return catalog
    .choices()
    .filter(fits)
    .map(({ id, label, detail }) => ({ id, label, description: detail }));
}
