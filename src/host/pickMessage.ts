import * as vscode from "vscode";
import { blocksOf } from "../core/compile/pack.ts";
import type { QueueItem } from "../core/dispatch/changes.ts";
import type { Message } from "../core/message.ts";
import { textOf } from "./projectMessage.ts";
import { t } from "../util/l10n.ts";

/** Lets the user choose a queued message; undefined when they did not. */
export async function pickQueued(
  title: string,
  items: readonly QueueItem[],
): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    items.map((item, index) => ({
      ...entry(item.message, `${index + 1}: `),
      description: stateOf(item),
    })),
    { title, matchOnDetail: true },
  );
  return picked?.id;
}

/** Lets the user choose among removed messages; `none` when there are none. */
export async function pickDiscarded(
  messages: readonly Message[],
): Promise<readonly string[] | "none"> {
  if (messages.length === 0) return "none";
  const picked = await vscode.window.showQuickPick(
    messages.map((message) => ({
      ...entry(message),
      description: t("Removed"),
    })),
    { title: t("Restore which messages?"), canPickMany: true },
  );
  return (picked ?? []).map(({ id }) => id);
}

function entry(
  message: Message,
  before = "",
): { readonly id: string; readonly label: string; readonly detail?: string } {
  const text = textOf(blocksOf(message)).trim();
  const [line = "", ...rest] = text.split("\n");
  return {
    id: message.id,
    label: before + (line === "" ? t("Attachment") : line.slice(0, 120)),
    ...(rest.length === 0 ? {} : { detail: rest.join(" ").slice(0, 200) }),
  };
}

function stateOf(item: QueueItem): string {
  if (item.editing !== null) return t("being edited");
  if (item.waiting) return t("saved, waits for room");
  return item.alone ? t("queued, separate turn") : t("queued");
}
