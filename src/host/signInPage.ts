import * as vscode from "vscode";
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../core/agentFeatures.ts";
import { t } from "../util/l10n.ts";
import { hostOf } from "./projectThread.ts";

/** A page that an agent wants visited while it signs in: opened once the user has seen where it leads. */
export async function askPage(
  label: string,
  request: ElicitationRequest,
  openLink: (url: string) => Promise<boolean>,
): Promise<ElicitationAnswer> {
  const host = request.mode === "url" ? hostOf(request.url) : "";
  if (request.mode !== "url" || host === "") return { action: "decline" };
  const open = t("Open page");
  const answer = await vscode.window.showInformationMessage(
    request.message,
    { modal: true, detail: t("{0} asks you to visit {1}.", label, host) },
    open,
  );
  return answer === open && (await openLink(request.url))
    ? { action: "accept", values: {} }
    : { action: "cancel" };
}
