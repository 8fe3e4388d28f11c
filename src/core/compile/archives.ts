import type { Archive } from "../writes.ts";
import { archiveId, leftOutId, type Draft } from "./assemble.ts";
import { leftOutLine, shortened } from "./digest.ts";
import { tokensOf } from "./tokens.ts";

/** Of the room, what summaries may take: what was said last matters more. */
export const archivesShare = 1 / 4;
/** Room for saying that something is left out. */
const noteTokens = 20;

export interface ChosenArchives {
  /** Oldest first. */
  readonly fragments: Draft["fragments"];
  readonly tokens: number;
  /** True when batches are there in no form at all, not even by their summary. */
  readonly leftOut: boolean;
}

/** The newest summaries that fit; of the first that does not, its newest lines; nothing of those before it. */
export function archivesWithin(
  archives: readonly Archive[],
  room: number,
): ChosenArchives {
  const newestFirst = archives.toSorted((one, other) =>
    edgeOf(one) < edgeOf(other) ? 1 : -1,
  );
  const kept: { readonly id: string; readonly text: string }[] = [];
  let left = Math.floor(room * archivesShare);
  let leftOut = false;
  for (const { id, text } of newestFirst) {
    const part = shortened(text, left);
    leftOut ||= part !== text;
    if (part === null) break;
    kept.unshift({ id: `${archiveId}:${id}`, text: part });
    left -= tokensOf(part.length);
    if (leftOut) break;
  }
  if (leftOut && room >= noteTokens)
    kept.unshift({ id: leftOutId, text: leftOutLine });
  const tokens = kept.reduce((sum, { text }) => sum + tokensOf(text.length), 0);
  return { fragments: kept, tokens, leftOut };
}

function edgeOf({ batches }: Archive): string {
  return batches.at(-1) ?? "";
}
