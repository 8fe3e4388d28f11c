import type { ThreadSummary } from "../protocol/viewState.ts";
import { t } from "../util/l10n.ts";

/** What the status bar says of all threads: what most wants the user first. */
export function statusText(threads: readonly ThreadSummary[]): {
  readonly text: string;
  readonly tooltip: string;
} {
  const count = (mark: ThreadSummary["mark"]): number =>
    threads.filter((thread) => thread.mark === mark).length;
  const queued = threads.reduce((sum, thread) => sum + thread.queued, 0);
  const [icon, state] =
    count("needsYou") > 0
      ? ["bell-dot", t("Waits for you")]
      : count("working") > 0
        ? ["loading~spin", t("Working")]
        : count("failed") > 0
          ? ["error", t("Stopped by an error")]
          : count("held") > 0
            ? ["debug-pause", t("On hold")]
            : ["comment-discussion", t("Ready")];
  return {
    text: `$(${icon}) Turnline${queued === 0 ? "" : ` ${queued}`}`,
    tooltip: queued === 0 ? state : t("{0}, {1} queued", state, queued),
  };
}
