import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { BatchAction } from "../protocol/transcript.ts";
import { actOnBatch } from "./batchActions.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import { batchJson, batchText, type Place } from "./inspectBatch.ts";
import { inspect, inspected } from "./inspector.ts";
import type { Services } from "./services.ts";
import type { TimelineSurfaces } from "./timelineSurfaces.ts";
import { t } from "../util/l10n.ts";

/** The timeline, and one turn of it whole. */
export function timelineCommands(
  timeline: TimelineSurfaces,
  surfaces: ChatSurfaces,
  services: Services,
): Readonly<Record<string, () => unknown>> {
  const { store } = services;
  const ports = { ...services, now: Date.now };
  /** The turn of the tab in front, else the newest of the thread in front. */
  const meant = async (): Promise<Place | undefined> => {
    const open = inspected();
    if (open !== undefined) return open;
    const thread = currentThread(surfaces, services);
    if (thread === undefined) return undefined;
    const [newest] = await store.batches({ thread, limit: 1 });
    return newest === undefined ? undefined : { thread, batch: newest.id };
  };
  const about = (act: (place: Place) => Promise<void>) => async () => {
    const place = await meant();
    if (place === undefined)
      void vscode.window.showInformationMessage(t("There is no turn yet."));
    else await act(place);
  };
  const decide = (action: BatchAction): (() => Promise<void>) =>
    about(async ({ thread, batch }) => {
      const reply = await actOnBatch(services, thread, batch, action);
      if (reply.ok) await surfaces.reveal(thread, { kind: "composer" });
      else void vscode.window.showInformationMessage(reply.detail);
    });
  return {
    showTimeline: () => timeline.show(),
    openTimelineInEditor: () => timeline.showInEditor(),
    inspectTurn: about(({ thread, batch }) => inspect(services, thread, batch)),
    retryInspected: decide("retry"),
    continueInspected: decide("continue"),
    copyTurn: about(async (place) => {
      await vscode.env.clipboard.writeText(
        (await batchText(ports, place)) ?? "",
      );
    }),
    exportTurn: about(async (place) => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const parent = folder?.uri.fsPath ?? os.homedir();
      const uri = await vscode.window.showSaveDialog({
        title: t("Export this turn"),
        defaultUri: vscode.Uri.file(path.join(parent, "turn.md")),
        filters: { Markdown: ["md"], JSON: ["json"] },
      });
      if (uri === undefined) return;
      const text = uri.path.endsWith(".json")
        ? await batchJson(ports, place)
        : await batchText(ports, place);
      if (text === undefined) return;
      await writeFile(uri.fsPath, services.hide(text));
      void vscode.window.showInformationMessage(
        t("Exported to {0}.", uri.fsPath),
      );
    }),
  };
}
