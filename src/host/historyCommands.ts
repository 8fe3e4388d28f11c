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
        "There is no thread yet. Send a message first.",
      );
    else await act(thread);
  };
  return {
    switchThread: async () => {
      const picked = await vscode.window.showQuickPick(
        book.summaries().map(({ id, title, agent, archived }) => ({
          id,
          label: title || "New thread",
          description: archived ? `${agent}, archived` : agent,
        })),
        { title: "Open a thread", placeHolder: "Newest first" },
      );
      if (picked !== undefined)
        await surfaces.ask(() => ({ type: "openThread", thread: picked.id }));
    },
    renameThread: about(async ({ id, title }) => {
      const named = await vscode.window.showInputBox({
        title: "Rename this thread",
        value: title,
      });
      if (named !== undefined) said(await engine.rename(id, named));
    }),
    archiveThread: about(async ({ id, title, archived }) => {
      const answer = await engine.archive(id, !archived);
      if (!said(answer)) return;
      const name = title || "New thread";
      const undo = await vscode.window.showInformationMessage(
        archived ? `Unarchived "${name}".` : `Archived "${name}".`,
        "Undo",
      );
      if (undo !== undefined) said(await engine.archive(id, archived));
    }),
    deleteThread: about(async ({ id, title }) => {
      if (!told(await deleteThread(services, id))) return;
      const undo = await vscode.window.showInformationMessage(
        `Deleted "${title || "New thread"}".`,
        "Undo",
      );
      if (undo === undefined) return;
      if (told(await restoreThread(services, id)))
        await surfaces.ask(() => ({ type: "openThread", thread: id }));
    }),
    exportThread: about(async (thread) => {
      const file = await askWhere(thread, "jsonl", "Turnline thread");
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
          title: "Import a thread",
          filters: { "Turnline thread": ["jsonl"] },
        })) ?? [];
      if (picked === undefined) return;
      const lines = createInterface({ input: createReadStream(picked.fsPath) });
      const answer = await tools.importLines(lines);
      if (!answer.ok) {
        void vscode.window.showErrorMessage(
          `${path.basename(picked.fsPath)} was not imported. ${answer.detail}`,
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
          ? "This thread was here already; nothing was added."
          : `Imported ${answer.added} messages.`,
      );
    },
    deleteWorkspaceData: async () => {
      const { notOurs } = services.home;
      const wanted =
        notOurs === null &&
        (await sure("all Turnline history of this workspace", store));
      if (notOurs === null && !wanted) return;
      const refused = notOurs ?? (await tools.eraseHere());
      if (refused === null) {
        await services.drafts.forgetAll();
        await reload();
      } else
        void vscode.window.showWarningMessage(
          `Nothing was deleted. ${refused}`,
        );
    },
    deleteAllData: async () => {
      if (!(await sure("all Turnline history of every workspace", store)))
        return;
      const { inUse, here } = await tools.eraseEverywhere();
      if (inUse > 0)
        await vscode.window.showWarningMessage(
          inUse === 1
            ? "The history of 1 workspace was not deleted."
            : `The history of ${inUse} workspaces was not deleted.`,
          {
            modal: true,
            detail: `${here === null ? "" : `${here} `}Close the other windows that have them open, then run this again.`,
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
    title: "Export this thread",
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
  void vscode.window.showInformationMessage(`Exported to ${file}.`);
}

async function sure(what: string, store: History): Promise<boolean> {
  const here = await store.statistics().catch(() => undefined);
  const answer = await vscode.window.showWarningMessage(
    `Delete ${what}?`,
    {
      modal: true,
      detail: `${here === undefined ? "" : `${extent(here)} `}Running turns are stopped. This cannot be undone.`,
    },
    "Delete",
  );
  return answer === "Delete";
}

/** How much there is to lose. */
export function extent({ threads, messages, bytes }: Statistics): string {
  const many = (n: number, what: string): string =>
    `${n} ${what}${n === 1 ? "" : "s"}`;
  return `This workspace has ${many(threads, "thread")} with ${many(messages, "record")}, ${(bytes / 1_000_000).toFixed(1)} MB.`;
}

async function reload(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.reloadWindow");
}
