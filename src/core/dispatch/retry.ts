import type { Marks, Message } from "../message.ts";
import { blocksOf } from "../compile/pack.ts";
import type { Draft } from "./draft.ts";
import { goFirst, place } from "./queue.ts";
import type { ThreadState } from "./state.ts";
import { t } from "../../util/l10n.ts";

/** Copies go to the head as a batch of their own; the originals are superseded when the copies are sent. */
export function retry(draft: Draft, originals: readonly Message[]): void {
  const open = withoutCopy(draft.state, originals);
  if (open.length === 0) {
    draft.refuse("nothingToDo", t("There is nothing to retry."));
    return;
  }
  const first = draft.state.queue[0]?.rank ?? 1;
  const copies = open.map((original, index) => {
    const id = draft.context.uuid();
    place(draft, {
      id,
      sender: original.sender,
      blocks: blocksOf(original),
      marks: repeated(original.marks),
      rank: first - open.length + index,
      parentBatch: original.batch,
      retryOf: original.id,
    });
    draft.set({ originals: { ...draft.state.originals, [id]: original } });
    return id;
  });
  goFirst(draft, copies);
}

/** What was aborted and is not wanted any more. */
export function discard(draft: Draft, messages: readonly Message[]): void {
  const open = withoutCopy(draft.state, messages);
  const { turn } = draft.state;
  if (open.length === 0)
    draft.refuse("nothingToDo", t("There is nothing to discard."));
  else if (open.some(({ batch }) => batch === turn?.batch))
    draft.refuse(
      "running",
      t("Its turn goes on. Discard it when that has ended."),
    );
  else knowOriginals(draft, draft.become(open, "discarded"));
}

/** The copies are on their way: what they repeat is superseded now, and not before. */
export function supersede(draft: Draft, sent: readonly Message[]): void {
  const originals = { ...draft.state.originals };
  const repeated = sent.flatMap(({ id }) => originals[id] ?? []);
  const once = new Map(repeated.map((original) => [original.id, original]));
  const open = [...once.values()].filter(isAborted);
  for (const { id } of sent) Reflect.deleteProperty(originals, id);
  draft.set({ originals });
  knowOriginals(draft, draft.become(open, "superseded"));
}

function knowOriginals(draft: Draft, changed: readonly Message[]): void {
  if (changed.length === 0) return;
  const entries = Object.entries(draft.state.originals).map(
    ([copy, original]) =>
      [copy, changed.find(({ id }) => id === original.id) ?? original] as const,
  );
  draft.set({ originals: Object.fromEntries(entries) });
}

/** Aborted messages that no queued or claimed copy stands for. */
function withoutCopy(
  { queue, turn }: ThreadState,
  messages: readonly Message[],
): readonly Message[] {
  const copied = new Set(
    [...queue, ...(turn?.messages ?? [])].map(({ retryOf }) => retryOf),
  );
  return messages.filter(
    (message) => isAborted(message) && !copied.has(message.id),
  );
}

function isAborted(message: Message): boolean {
  return message.state === "seenAborted" || message.state === "uncertain";
}

/** What a copy is for stays; what happened to the original does not. */
function repeated({ separate, from }: Marks): Marks {
  return {
    ...(separate === true ? { separate } : {}),
    ...(from === undefined ? {} : { from }),
  };
}
