import { t } from "../../../src/util/l10n.ts";
import { messages } from "./counts.ts";

/** What a screen reader says when it happens. */
export const saidWords = {
  say: {
    started: t("Turn started."),
    ended: (duration: string): string => t("Turn ended after {0}.", duration),
    stopped: t("Turn stopped."),
    failed: (why: string): string => t("Turn failed. {0}", why),
    interrupted: t("Turn interrupted."),
    queued: (n: number): string => t("{0} in the next turn.", n),
    queuedLater: t("Queued for a later turn."),
    restoredQueue: (n: number): string =>
      t("Restored {0}. Nothing was sent.", messages(n)),
    held: t("Queue on hold."),
    resumed: t("Queue resumed."),
    moved: (n: number, all: number): string => t("Now {0} of {1}.", n, all),
    removed: t("Removed."),
    restored: t("Restored."),
    threadDeleted: t("Thread deleted."),
    archived: t("Thread archived."),
    unarchived: t("Thread taken out of the archive."),
    restarting: t("Restarting the agent."),
    silent: t("Silent for 30 seconds."),
    permission: (title: string): string => t("Permission asked: {0}", title),
    elicitation: (title: string): string => t("The agent asks: {0}", title),
    claimedAlready: t("It has been sent already."),
  },
} as const;
