import { t } from "../../../src/util/l10n.ts";

/** An agent's steps within a turn. */
export const stepWords = {
  thought: {
    thinking: t("Thinking"),
    thought: t("Thought"),
    thoughtFor: (duration: string): string => t("Thought for {0}", duration),
  },

  tool: {
    status: {
      pending: t("Waiting"),
      in_progress: t("Running"),
      completed: t("Done"),
      failed: t("Failed"),
      interrupted: t("Interrupted"),
    },
    doneIn: (duration: string): string => t("Done in {0}", duration),
    exit: (code: number): string => t("Exit code {0}", code),
    change: (path: string): string => t("Change in {0}", path),
    output: t("Output"),
    input: t("Input"),
    raw: t("Raw input and output"),
    openDiff: t("Open diff"),
    openFile: (path: string): string => t("Open {0}", path),
    noPreview: t("The change is too large to preview."),
    cut: (size: string): string =>
      t("Shortened. The whole output is {0}.", size),
    hiddenLines: (n: number): string =>
      n === 1 ? t("1 more line.") : t("{0} more lines.", n),
    beginningHidden: t("The beginning is left out here."),
    openWhole: t("Open all of it"),
  },

  plan: (done: number, all: number): string =>
    t("Plan, {0} of {1} done", done, all),

  decision: {
    allow_once: t("Allowed"),
    allow_always: t("Always allowed"),
    reject_once: t("Rejected"),
    reject_always: t("Always rejected"),
    none: t("Not answered"),
  },

  answered: {
    allow_once: t("Answered"),
    allow_always: t("Answered"),
    reject_once: t("Declined"),
    reject_always: t("Declined"),
    none: t("Not answered"),
  },

  permission: {
    execute: t("Run this command?"),
    edit: t("Make this change?"),
    delete: t("Delete this?"),
    move: t("Move this?"),
    fetch: t("Fetch this?"),
    read: t("Read this?"),
    other: t("Allow this?"),
    note: t("Queued messages do not answer this."),
    label: (what: string): string => t("Permission: {0}", what),
    places: t("Files"),
  },

  code: {
    copy: t("Copy"),
    copied: t("Copied"),
    insert: t("Insert at cursor"),
    open: t("Open as file"),
    plain: t("text"),
  },
} as const;
