import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { ThreadMark, ThreadSummary } from "../protocol/viewState.ts";
import type { Outcome } from "./outcomes.ts";

/** A thread as the list of threads shows it. */
export function threadSummary(
  snapshot: ThreadSnapshot,
  {
    agent,
    unread,
    last,
  }: {
    /** As users know it. */
    readonly agent: string;
    readonly unread: boolean;
    /** How its last turn went. */
    readonly last: Outcome | undefined;
  },
): ThreadSummary {
  const { thread, queue, turn } = snapshot;
  return {
    id: thread.id,
    title: thread.title,
    agent,
    mark: markOf(snapshot, unread, last),
    unread,
    queued: queue.items.length,
    ...(turn?.startedAt === null || turn === null
      ? {}
      : { since: turn.startedAt }),
    ...(last === undefined || turn !== null ? {} : { last }),
    ...detailOf(snapshot),
    updatedAt: thread.updatedAt,
    archived: thread.archived,
  };
}

function markOf(
  snapshot: ThreadSnapshot,
  unread: boolean,
  last: Outcome | undefined,
): ThreadMark {
  if (snapshot.permissions.length + snapshot.elicitations.length > 0)
    return "needsYou";
  if (snapshot.status.state === "failed") return "failed";
  if (snapshot.turn !== null) return "working";
  if (snapshot.queue.held !== null && snapshot.queue.items.length > 0)
    return "held";
  if (last?.status === "interrupted") return "interrupted";
  return unread ? "unread" : "none";
}

function detailOf(snapshot: ThreadSnapshot): { readonly detail?: string } {
  const asked =
    snapshot.permissions[0]?.title ?? snapshot.elicitations[0]?.request.message;
  if (asked !== undefined) return { detail: asked };
  const { cause } = snapshot.queue;
  return cause === null ? {} : { detail: cause };
}
