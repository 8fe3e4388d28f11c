import type { Group } from "./groups.ts";
import type { Keeper } from "./keeper.ts";
import type { Store } from "./store.ts";

/** A place of the transcript that is to come into view. */
export interface Spot {
  /** The group it stands in; null for the queue. */
  readonly key: string | null;
  readonly message?: string;
  /** Which of the marked places in the message. */
  readonly nth?: number;
  readonly focus: boolean;
}

/** What is marked: in one record or in all, without accents where words were looked for. */
export interface Marking {
  readonly wanted: RegExp;
  readonly bare: boolean;
  readonly only?: string;
  /** The one the user stands at. */
  readonly current?: { readonly message: string; readonly nth: number };
}

/** Rows shown of a batch before the rest is asked for. */
export const rowsAtFirst = 60;
/** Characters shown of a user's message before the rest is asked for. */
export const longestSaid = 4_000;

/** Opens what hides a record: earlier steps, a fold, a shortened text. */
export function unfold(
  group: Group,
  message: string,
  wanted: RegExp | undefined,
  { store, keeper }: { readonly store: Store; readonly keeper: Keeper },
): void {
  const body = store.message(message)?.peek().body;
  const row = group.rows.findIndex(({ ids }) => ids.includes(message));
  const open = (id: string): void => {
    if (!keeper.isOpen(id, false)) keeper.fold(id, true);
  };
  if (body?.kind !== "user" && row < group.rows.length - rowsAtFirst)
    open(group.key);
  if (body?.kind === "thought") open(message);
  if (body?.kind === "user" && body.text.length > longestSaid) open(message);
  if (body?.kind === "tool" && body.title.search(wanted ?? /^/u) < 0)
    open(message);
}
