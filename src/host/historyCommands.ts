import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as vscode from "vscode";
import type { Reply } from "../core/dispatch/events.ts";
import type { Message } from "../core/message.ts";
import type { History, Statistics } from "../core/recordPort.ts";
import type { Thread } from "../core/thread.ts";
import type { ImportAnswer } from "../core/transferImport.ts";
import { allMessages } from "../core/transferLines.ts";
import { threadMarkdown } from "../core/transferMarkdown.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import type { Services } from "./services.ts";
import { deleteThread, restoreThread } from "./threadDeeds.ts";
import { t } from "../util/l10n.ts";

/** What only the record's own folder can do. */
export interface HistoryTools {
  exportLines(thread: Thread): AsyncIterable<string>;
  importLines(lines: AsyncIterable<string>): Promise<ImportAnswer>;
  /** Deletes this workspace's record; nothing can be written afterwards. The answer says why it was not done. */
  eraseHere(): Promise<string | null>;
  /** Also every other workspace's; answers how many stay because they are open elsewhere, this one perhaps among them. */
  eraseEverywhere(): Promise<{
    readonly inUse: number;
    /** Why this workspace's own was not deleted. */
    readonly here: string | null;
  }>;
}

type Commands = Readonly<Record<string, () => unknown>>;

/** Threads as things to keep, name, take along and throw away. */
export function historyCommands(
  surfaces: ChatSurfaces,
  services: Services,
  tools: HistoryTools,
): Commands {
  const { engine, book, store } = services;
  const about = (act: (thread: Thread) => Promise<void>) => async () => {
    const id = currentThread(surfaces, services);
    const thread = id === undefined ? undefined : engine.snapshot(id)?.thread;
    if (thread === undefined)
      void vscode.window.showInformationMessage(
        t("There is no thread yet. Send a message first."),
      );
    else await act(thread);
  };
  return {
    switchThread: async () => {
      const picked = await vscode.window.showQuickPick(
        book.summaries().map(({ id, title, agent, archived }) => ({
          id,
          label: title || t("New thread"),
          description: archived ? t("{0}, archived", agent) : agent,
        })),
        { title: t("Open a thread"), placeHolder: t("Newest first") },
      );
      if (picked !== undefined)
        await surfaces.ask(() => ({ type: "openThread", thread: picked.id }));
    },
    renameThread: about(async ({ id, title }) => {
      const named = await vscode.window.showInputBox({
        title: t("Rename this thread"),
        value: title,
      });
      if (named !== undefined) said(await engine.rename(id, named));
    }),
    archiveThread: about(async ({ id, title, archived }) => {
      const answer = await engine.archive(id, !archived);
      if (!said(answer)) return;
      const name = title || t("New thread");
      const undo = await vscode.window.showInformationMessage(
        archived ? t('Unarchived "{0}".', name) : t('Archived "{0}".', name),
        t("Undo"),
      );
      if (undo !== undefined) said(await engine.archive(id, archived));
    }),
    deleteThread: about(async ({ id, title }) => {
      if (!told(await deleteThread(services, id))) return;
      const undo = await vscode.window.showInformationMessage(
        t('Deleted "{0}".', title || t("New thread")),
        t("Undo"),
      );
      if (undo === undefined) return;
      if (told(await restoreThread(services, id)))
        await surfaces.ask(() => ({ type: "openThread", thread: id }));
    }),
    exportThread: about(async (thread) => {
      const file = await askWhere(thread, "jsonl", t("Turnline thread"));
      if (file === undefined) return;
      const lines = Readable.from(
        withEnds(tools.exportLines(thread), services.hide),
      );
      await pipeline(lines, createWriteStream(file));
      exported(file);
    }),
    exportMarkdown: about(async (thread) => {
      const file = await askWhere(thread, "md", "Markdown");
      if (file === undefined) return;
      const messages: Message[] = [];
      for await (const page of allMessages(store, thread.id))
        messages.push(...page);
      const time = (ms: number): string => new Date(ms).toLocaleString();
      await writeFile(
        file,
        services.hide(threadMarkdown(thread, messages, time)),
      );
      exported(file);
    }),
    importThread: async () => {
      const [picked] =
        (await vscode.window.showOpenDialog({
          title: t("Import a thread"),
          filters: { [t("Turnline thread")]: ["jsonl"] },
        })) ?? [];
      if (picked === undefined) return;
      const lines = createInterface({ input: createReadStream(picked.fsPath) });
      const answer = await tools.importLines(lines);
      if (!answer.ok) {
        void vscode.window.showErrorMessage(
          t(
            "{0} was not imported. {1}",
            path.basename(picked.fsPath),
            answer.detail,
          ),
        );
        return;
      }
      await engine.openThread(answer.thread);
      book.look(answer.thread);
      await surfaces.ask(() => ({
        type: "openThread",
        thread: answer.thread,
      }));
      void vscode.window.showInformationMessage(
        answer.added === 0
          ? t("This thread was here already; nothing was added.")
          : answer.added === 1
            ? t("Imported 1 message.")
            : t("Imported {0} messages.", answer.added),
      );
    },
    deleteWorkspaceData: async () => {
      const { notOurs } = services.home;
      const wanted =
        notOurs === null &&
        (await sure(
          t("Delete all Turnline history of this workspace?"),
          store,
        ));
      if (notOurs === null && !wanted) return;
      const refused = notOurs ?? (await tools.eraseHere());
      if (refused === null) {
        await services.drafts.forgetAll();
        await reload();
      } else
        void vscode.window.showWarningMessage(
          t("Nothing was deleted. {0}", refused),
        );
    },
    deleteAllData: async () => {
      if (
        !(await sure(
          t("Delete all Turnline history of every workspace?"),
          store,
        ))
      )
        return;
      const { inUse, here } = await tools.eraseEverywhere();
      if (inUse > 0)
        await vscode.window.showWarningMessage(
          inUse === 1
            ? t("The history of 1 workspace was not deleted.")
            : t("The history of {0} workspaces was not deleted.", inUse),
          {
            modal: true,
            detail: [
              ...(here === null ? [] : [here]),
              t(
                "Close the other windows that have them open, then run this again.",
              ),
            ].join(" "),
          },
        );
      if (here !== null) return;
      await services.drafts.forgetAll();
      await reload();
    },
  };
}

async function* withEnds(
  lines: AsyncIterable<string>,
  hide: (text: string) => string,
): AsyncGenerator<string> {
  for await (const line of lines) yield `${hide(line)}\n`;
}

async function askWhere(
  { title, folder }: Thread,
  extension: string,
  kind: string,
): Promise<string | undefined> {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "thread";
  const parent = folder === "" ? os.homedir() : folder;
  const uri = await vscode.window.showSaveDialog({
    title: t("Export this thread"),
    defaultUri: vscode.Uri.file(path.join(parent, `${name}.${extension}`)),
    filters: { [kind]: [extension] },
  });
  return uri?.fsPath;
}

/** True when it was done; a refusal is told. */
function told(why: string | undefined): boolean {
  if (why !== undefined) void vscode.window.showWarningMessage(why);
  return why === undefined;
}

const said = (answer: Reply): boolean =>
  told(answer.ok ? undefined : answer.detail);

function exported(file: string): void {
  void vscode.window.showInformationMessage(t("Exported to {0}.", file));
}

async function sure(question: string, store: History): Promise<boolean> {
  const here = await store.statistics().catch(() => undefined);
  const answer = await vscode.window.showWarningMessage(
    question,
    {
      modal: true,
      detail: [
        ...(here === undefined ? [] : [extent(here)]),
        t("Running turns are stopped. This cannot be undone."),
      ].join(" "),
    },
    t("Delete"),
  );
  return answer === t("Delete");
}

/** How much there is to lose. */
export function extent({ threads, messages, bytes }: Statistics): string {
  return t(
    "This workspace has {0} with {1}, {2} MB.",
    threads === 1 ? t("1 thread") : t("{0} threads", threads),
    messages === 1 ? t("1 record") : t("{0} records", messages),
    (bytes / 1_000_000).toFixed(1),
  );
}

async function reload(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.reloadWindow");
}
