import type {
  TimelineBatch,
  TimelineThread,
} from "../../src/protocol/timeline.ts";

/** What is let through; null lets all through. */
export interface Filter {
  readonly thread: string | null;
  readonly agent: string | null;
  readonly type: TimelineBatch["type"] | null;
  readonly status: TimelineBatch["status"] | null;
  /** Batches that hold the text looked for. */
  readonly found: ReadonlySet<string> | null;
}

export const noFilter: Filter = {
  thread: null,
  agent: null,
  type: null,
  status: null,
  found: null,
};

export function passes(
  filter: Filter,
  batch: TimelineBatch,
  thread: TimelineThread,
): boolean {
  const { found } = filter;
  return (
    (filter.thread ?? thread.id) === thread.id &&
    (filter.agent ?? agentOf(batch, thread)) === agentOf(batch, thread) &&
    (filter.type ?? batch.type) === batch.type &&
    (filter.status ?? batch.status) === batch.status &&
    (found === null || found.has(batch.id))
  );
}

/** A queued message has no type, status or text here yet: asked for by these, it is not meant. */
export function queuePasses(filter: Filter, thread: TimelineThread): boolean {
  return (
    (filter.thread ?? thread.id) === thread.id &&
    (filter.agent ?? thread.agent) === thread.agent &&
    filter.type === null &&
    filter.status === null &&
    filter.found === null
  );
}

/** Before anyone was asked, it is the thread's. */
export function agentOf(batch: TimelineBatch, thread: TimelineThread): string {
  return batch.agent === "" ? thread.agent : batch.agent;
}
