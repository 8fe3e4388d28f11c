import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import {
  compactHistory,
  undoCompaction,
  type CompactPorts,
} from "./compactHistory.ts";
import { currentThread } from "./currentThread.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Of the budget, what stays whole when the user asks: the point is to have less to tell. */
const keptShare = 1 / 5;

/** Summarises a thread's oldest turns for agents that have to be told its history, and back. */
export function compactCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Readonly<Record<string, () => unknown>> {
  const ports = compactPorts(services);
  const about = (act: (thread: string) => Promise<string>) => async () => {
    const thread = currentThread(surfaces, services);
    if (thread === undefined) {
      void vscode.window.showInformationMessage(t("There is no thread yet."));
      return;
    }
    const said = await act(thread);
    if (said !== "") void vscode.window.showInformationMessage(said);
  };
  return {
    compactHistory: about(async (thread) => {
      const budget = services.settings().dispatch.contextBudgetTokens;
      const keep = Math.floor(budget * keptShare);
      const done = await compactHistory(ports, thread, { keep, budget });
      switch (done.kind) {
        case "nothing":
          return t(
            "There is nothing to compact: the whole thread is short enough.",
          );
        case "failed":
          return t("The thread could not be compacted. {0}", done.detail);
        case "done":
          void offerUndo(
            done.turns === 1
              ? t(
                  "A summary of ≈ {0} tokens now stands for the oldest turn that took ≈ {1}, whenever an agent has to be told the history. Nothing was deleted.",
                  done.after,
                  done.before,
                )
              : t(
                  "A summary of ≈ {0} tokens now stands for the {1} oldest turns that took ≈ {2}, whenever an agent has to be told the history. Nothing was deleted.",
                  done.after,
                  done.turns,
                  done.before,
                ),
            () => undoCompaction(ports, thread),
          );
          return "";
      }
    }),
    undoCompaction: about(async (thread) =>
      (await undoCompaction(ports, thread)) ? words.undone : words.none,
    ),
  };
}

export function compactPorts({
  store,
  undone,
}: Pick<Services, "store" | "undone">): CompactPorts {
  return { store, undone, uuid: randomUUID, now: Date.now };
}

const words = {
  undone: t("The newest summary is gone: agents are told the whole again."),
  none: t("No part of this thread is compacted."),
} as const;

async function offerUndo(
  said: string,
  undo: () => Promise<boolean>,
): Promise<void> {
  const back = t("Undo");
  const chosen = await vscode.window.showInformationMessage(said, back);
  if (chosen === back && (await undo()))
    void vscode.window.showInformationMessage(words.undone);
}
