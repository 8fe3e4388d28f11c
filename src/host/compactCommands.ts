import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import {
  compactHistory,
  undoCompaction,
  type CompactPorts,
} from "./compactHistory.ts";
import { oldest } from "./compactWhenLarge.ts";
import { currentThread } from "./currentThread.ts";
import type { Services } from "./services.ts";

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
      void vscode.window.showInformationMessage("There is no thread yet.");
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
          return "There is nothing to compact: the whole thread is short enough.";
        case "failed":
          return `The thread could not be compacted. ${done.detail}`;
        case "done":
          void offerUndo(
            `A summary of ≈ ${done.after} tokens now stands for the ${oldest(done.turns)} that took ≈ ${done.before}, whenever an agent has to be told the history. Nothing was deleted.`,
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
  undone: "The newest summary is gone: agents are told the whole again.",
  none: "No part of this thread is compacted.",
} as const;

async function offerUndo(
  said: string,
  undo: () => Promise<boolean>,
): Promise<void> {
  const back = "Undo";
  const chosen = await vscode.window.showInformationMessage(said, back);
  if (chosen === back && (await undo()))
    void vscode.window.showInformationMessage(words.undone);
}
