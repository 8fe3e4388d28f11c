import { archivesShare } from "../core/compile/archives.ts";
import {
  archiveOf,
  digestTokensFor,
  selectForArchive,
  structuralDigest,
} from "../core/compile/compaction.ts";
import {
  historyExceeds,
  readHistory,
  tokensIn,
} from "../core/compile/readHistory.ts";
import { tokensOf } from "../core/compile/tokens.ts";
import type { History } from "../core/recordPort.ts";
import { refusalOf, type Archive } from "../core/writes.ts";

export type Compacted =
  | {
      readonly kind: "done";
      readonly archive: string;
      readonly turns: number;
      /** Estimates: what they took, and what their summary takes. */
      readonly before: number;
      readonly after: number;
    }
  /** Too little is there, or what there is has not ended. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly detail: string };

export interface CompactPorts {
  readonly store: Pick<History, "page" | "archives" | "commit">;
  /** Threads whose summary the user took away: that is not to be done again without being asked for. */
  readonly undone: UndoneCompactions;
  readonly uuid: () => string;
  readonly now: () => number;
}

export interface UndoneCompactions {
  has(thread: string): boolean;
  set(thread: string, undone: boolean): Promise<void>;
}

/** In estimated tokens. */
export interface CompactSizes {
  /** The newest turns that take this stay whole. */
  readonly keep: number;
  /** What a whole request may take: a summary gets its share. */
  readonly budget: number;
}

/**
 * Lets a summary stand for the oldest turns wherever history has to be told again, all but the newest.
 * No message is changed, and taking the summary away brings everything back.
 */
export async function compactHistory(
  ports: CompactPorts,
  thread: string,
  { keep, budget }: CompactSizes,
): Promise<Compacted> {
  const { store, uuid, now } = ports;
  const archives = await store.archives(thread);
  const { history } = await readHistory(store, {
    ...toldTo(thread, archives),
    budgetTokens: Infinity,
  });
  const archived = new Set(archives.flatMap(({ batches }) => batches));
  const selection = selectForArchive(history, archived, keep);
  const text = structuralDigest(selection, digestTokensFor(budget));
  const archive = archiveOf(selection, text, {
    id: uuid(),
    thread,
    createdAt: now(),
  });
  if (archive === null) return { kind: "nothing" };
  const answer = await store.commit([{ kind: "archive", archive }], "full");
  if (!answer.ok) return { kind: "failed", detail: refusalOf(answer).detail };
  await ports.undone.set(thread, false);
  return {
    kind: "done",
    archive: archive.id,
    turns: archive.batches.length,
    before: tokensIn(selection.rows.flat()),
    after: tokensOf(text.length),
  };
}

/** Whether telling all of a thread would take more than this. Reads no more than it needs to tell. */
export async function takesMoreThan(
  store: Pick<History, "page" | "archives">,
  thread: string,
  tokens: number,
): Promise<boolean> {
  const archives = await store.archives(thread);
  const summaries = archives.reduce(
    (sum, { text }) => sum + tokensOf(text.length),
    0,
  );
  const left = tokens - Math.min(summaries, tokens * archivesShare);
  if (left < 0) return true;
  return historyExceeds(store, toldTo(thread, archives), left);
}

/** Takes the newest summary away: what it stood for is told again whole. False when there is none. */
export async function undoCompaction(
  { store, undone }: Pick<CompactPorts, "store" | "undone">,
  thread: string,
): Promise<boolean> {
  const archives = await store.archives(thread);
  const newest = archives.reduce<Archive | undefined>(
    (found, one) =>
      found === undefined || one.createdAt >= found.createdAt ? one : found,
    undefined,
  );
  if (newest === undefined) return false;
  const { ok } = await store.commit(
    [{ kind: "unarchive", id: newest.id }],
    "full",
  );
  if (ok) await undone.set(thread, true);
  return ok;
}

/** As an agent that knows nothing is told it. */
function toldTo(thread: string, archives: readonly Archive[]) {
  return { thread, archives, memory: { kind: "none", why: "new" } } as const;
}
