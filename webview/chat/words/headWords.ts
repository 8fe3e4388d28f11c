import type { AgentState } from "../../../src/protocol/viewState.ts";
import { t } from "../../../src/util/l10n.ts";

/** The head of the chat, its threads, and what stands in place of a transcript. */
export const headWords = {
  head: {
    switchThread: t("Switch thread"),
    untitled: t("New thread"),
    timeline: t("Show timeline"),
    newThread: t("New thread"),
    more: t("More"),
    find: t("Find in chat"),
    rename: t("Rename"),
    archive: t("Archive"),
    unarchive: t("Unarchive"),
    delete: t("Delete"),
    showLog: t("Show log"),
    checkSetup: t("Check setup"),
    useAgent: (label: string): string => t("Use {0}", label),
    folder: (folder: string): string => t("Folder: {0}", folder),
    turn: (elapsed: string): string => t("turn {0}", elapsed),
    toQuestion: t("Go to the question (Alt+P)"),
  },

  status: {
    none: t("Not running"),
    starting: t("Starting"),
    ready: t("Ready"),
    busy: t("Working"),
    waiting: t("Needs you"),
    stuck: t("Not answering"),
    restarting: t("Restarting"),
    failed: t("Stopped"),
  } satisfies Record<AgentState, string>,

  sign: (ago: string): string => t("Last sign of life {0} ago", ago),

  unprobed: t("This agent answers no probes. Only its end would be noticed."),

  threads: {
    label: t("Threads"),
    search: t("Search threads"),
    archived: t("Archived"),
    unread: t("Unread"),
    queued: (n: number): string => t("{0} queued", n),
    held: (n: number): string =>
      n === 0 ? t("on hold") : t("on hold, {0} queued", n),
    working: (elapsed: string): string => t("working {0}", elapsed),
    needsYou: t("Needs you"),
    done: (duration: string): string => t("done in {0}", duration),
    stopped: t("stopped"),
    interrupted: t("interrupted"),
    failed: t("failed"),
    none: t("No threads yet."),
    said: t("In messages"),
    noMatch: t("No thread has that in its title or its messages."),
    renameLabel: t("Thread title"),
    deleted: (title: string): string => t('Deleted "{0}".', title),
  },

  find: {
    label: t("Find in chat"),
    placeholder: t("Find"),
    matchCase: t("Match case (Alt+C)"),
    count: (n: number, all: number, more: boolean): string =>
      t("{0} of {1}{2}", n === 0 ? "?" : n, all, more ? "+" : ""),
    none: t("No results"),
    previous: t("Previous match (Shift+Enter)"),
    next: t("Next match (Enter)"),
    close: t("Close (Escape)"),
  },

  hello: {
    title: t("Keep typing while it works"),
    text: t(
      "What you send while the agent is busy waits above the composer. Edit it, reorder it, hold it. It goes as one turn when the agent is ready.",
    ),
    choose: t("Choose an agent"),
    start: (label: string): string => t("Start with {0}", label),
  },

  readOnly: t("This window is read-only"),

  dismiss: t("Dismiss"),
} as const;
