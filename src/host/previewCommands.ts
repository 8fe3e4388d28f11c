import * as vscode from "vscode";
import { blocksOf } from "../core/compile/pack.ts";
import type { BatchFacts } from "../core/batchFacts.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import { oneLine } from "./fragments/texts.ts";
import { textOf } from "./projectMessage.ts";
import type { Services } from "./services.ts";
import { statusWords } from "./batchWords.ts";
import { t } from "../util/l10n.ts";

/** Turns offered to look back at. */
const mostTurns = 50;

/** What goes to the agent and what went: each shown as it is. */
export function previewCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Readonly<Record<string, () => unknown>> {
  const { store, prompts } = services;
  const about = (act: (thread: string) => Promise<void>) => async () => {
    const thread = currentThread(surfaces, services);
    if (thread === undefined)
      void vscode.window.showInformationMessage(
        t("There is no thread yet. It begins with your first message."),
      );
    else await act(thread);
  };
  return {
    previewNextTurn: async () => {
      const thread = surfaces.thread() || services.book.newest();
      await prompts.show({ kind: "next", thread });
    },
    showSent: about(async (thread) => {
      const batches = await store.batches({ thread, limit: mostTurns });
      const sent = batches.filter(({ counts }) => counts.turns > 0);
      if (sent.length === 0) {
        void vscode.window.showInformationMessage(t("Nothing was sent yet."));
        return;
      }
      const picked = await vscode.window.showQuickPick(
        Promise.all(sent.map((facts) => itemOf(store, facts))),
        { title: t("What was sent in which turn?"), matchOnDetail: true },
      );
      if (picked !== undefined)
        await prompts.show({ kind: "sent", thread, batch: picked.batch });
    }),
    showSavings: () => prompts.show({ kind: "savings" }),
  };
}

async function itemOf(
  store: Services["store"],
  { id, thread, counts, status, times }: BatchFacts,
): Promise<vscode.QuickPickItem & { readonly batch: string }> {
  // A batch begins at its id, and whatever is shorter comes before it.
  const after = id.slice(0, -1);
  const { messages } = await store.page(thread, { after, limit: 1 });
  const said = messages.map((message) => textOf(blocksOf(message))).join("");
  const when = new Date(times.started ?? snowflakeTime(id));
  const count =
    counts.messages === 1 ? t("1 message") : t("{0} messages", counts.messages);
  return {
    batch: id,
    label: oneLine(said, 80) || t("(no text)"),
    description: when.toLocaleString(),
    detail: `${count}, ${statusWords[status]}`,
  };
}
