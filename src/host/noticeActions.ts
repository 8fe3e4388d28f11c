import * as vscode from "vscode";
import type { Reply } from "../protocol/reply.ts";
import { assertNever } from "../util/assertNever.ts";
import { t } from "../util/l10n.ts";
import { chooseAgent } from "./agentChoice.ts";
import type { ChatView } from "./chatView.ts";
import { undoCompaction } from "./compactHistory.ts";
import { isNoticeAction, type NoticeAction } from "./notices.ts";
import { pickAgent } from "./pickAgent.ts";
import { missingSecret } from "./readyAgents.ts";
import { refused, told } from "./replies.ts";
import type { Services } from "./services.ts";

/** Does what the button of a notice says. */
export async function actOnNotice(
  services: Services,
  view: ChatView,
  action: string,
  notice = "",
): Promise<Reply | undefined> {
  const { engine } = services;
  const { thread } = view;
  if (!isNoticeAction(action))
    return refused(t("That is not possible any more."));
  const known: NoticeAction = action;
  switch (known) {
    case "retry":
    case "goOn":
      return told(await engine.resume(thread));
    // What is sent at once does not wait for the next try.
    case "restartNow":
      return told(await engine.sendNow(thread, null));
    case "stop":
      return told(await engine.cancel(thread));
    case "letRun":
      view.shown.dismiss(notice);
      return undefined;
    case "endLeft":
      await engine.endLeft(thread);
      return undefined;
    case "review":
      view.reveal({ kind: "queue" });
      return undefined;
    case "chooseAgent": {
      const agent = await pickAgent(services.catalog);
      return agent === undefined
        ? undefined
        : chooseAgent(services, view.shown, thread, agent);
    }
    case "showLog":
      await vscode.commands.executeCommand("turnline.showLog");
      return undefined;
    case "signIn":
      await vscode.commands.executeCommand("turnline.signIn");
      return undefined;
    case "setSecret":
      await vscode.commands.executeCommand(
        "turnline.setSecret",
        missingSecret(engine.snapshot(thread)?.queue.cause ?? ""),
      );
      return undefined;
    case "checkSetup":
      await vscode.commands.executeCommand("turnline.checkSetup");
      return undefined;
    case "undoCompaction":
      view.shown.dismiss(notice);
      return (await undoCompaction(services, thread))
        ? undefined
        : refused(t("No part of this thread is compacted."));
    case "reload":
      await vscode.commands.executeCommand("workbench.action.reloadWindow");
      return undefined;
    case "openAgain":
      await services.home.openAgain();
      return undefined;
    case "keepElsewhere":
      await services.home.keepElsewhere();
      return undefined;
    case "manageTrust":
      await vscode.commands.executeCommand("workbench.trust.manage");
      return undefined;
    default:
      return assertNever(known);
  }
}
