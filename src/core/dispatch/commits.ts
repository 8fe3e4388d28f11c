import type { Draft } from "./draft.ts";
import type { InnerEvent, ThreadEvent } from "./events.ts";
import { timing } from "./settings.ts";
import { t } from "../../util/l10n.ts";

type Failed = Extract<InnerEvent, { kind: "commitFailed" }>;

/**
 * A commit failed, so the state is still the old one. What happened is kept and stepped again later;
 * until then nothing is dispatched.
 */
export function commitFailed(draft: Draft, { failed, detail }: Failed): void {
  const { stalled, counters } = draft.state;
  const delays = timing.retryCommitMs;
  const delay =
    delays[Math.min(counters.failedCommits, delays.length - 1)] ?? 0;
  draft.count({ failedCommits: counters.failedCommits + 1 });
  draft.set({
    stalled: {
      events: [...(stalled?.events ?? []), ...kept(failed)],
      retryAt: draft.at + delay,
      detail,
    },
  });
  if (counters.failedCommits === 0)
    draft.notice("error", "notSaved", t("Could not be saved: {0}", detail));
}

/** Comes behind what was kept, so everything is stored when nothing is stalled any more. */
export function commitsAgain(draft: Draft): void {
  const { counters, stalled } = draft.state;
  if (counters.failedCommits === 0 || stalled !== null) return;
  draft.count({ failedCommits: 0 });
  draft.notice("info", "saved", t("Everything is saved again."));
}

/** While commits fail, what the agent does is kept in order behind what could not be stored. */
export function keepForLater(draft: Draft, event: ThreadEvent): boolean {
  const { stalled } = draft.state;
  if (stalled === null) return false;
  // Both come again behind what is kept.
  if (event.kind === "flush" || event.kind === "dispatch") return true;
  if (kept(event).length === 0) return false;
  draft.set({ stalled: { ...stalled, events: [...stalled.events, event] } });
  return true;
}

const kinds: readonly ThreadEvent["kind"][] = [
  "agentStarted",
  "agentFailed",
  "sessionOpened",
  "sessionFailed",
  "turnEnded",
  "agentEnded",
  "agentGone",
  "title",
  "compacted",
  "shutdown",
];

/** Those whose news would be lost; the others come again by themselves. */
function kept(event: ThreadEvent): readonly ThreadEvent[] {
  return kinds.includes(event.kind) ? [event] : [];
}
