import type { Block, Marks, Message } from "../message.ts";
import { blocksOf } from "../compile/pack.ts";
import { isLeased, laneOf } from "./claim.ts";
import type { Draft } from "./draft.ts";
import type { Request } from "./events.ts";
import { discardQueued, isEmpty, place, renumber, writeEdit } from "./queue.ts";
import { timing } from "./settings.ts";
import { t } from "../../util/l10n.ts";

type Of<K extends Request["kind"]> = Extract<Request, { kind: K }>;

/** Takes the lease: the item and what follows it stay behind until it ends. */
export function editBegin(draft: Draft, { id, holder }: Of<"editBegin">): void {
  if (find(draft, id, holder) === undefined) return;
  endLease(draft, id);
  const lease = { id, holder, until: draft.at + timing.leaseMs };
  draft.set({ leases: [...draft.state.leases, lease] });
}

/** Saves new words, perhaps as two messages: in one step, for nothing holds the item back once it is saved. */
export function editSave(draft: Draft, event: Of<"editSave">): void {
  const message = find(draft, event.id, event.holder);
  if (message === undefined) return;
  const blocks = edited(blocksOf(message), event);
  if (isEmpty(blocks)) {
    draft.refuse("nothingToDo", t("There would be nothing left to send."));
    return;
  }
  const { split } = event;
  if (split === undefined)
    change(draft, { ...message, body: { kind: "user", blocks } });
  else if (message.retryOf !== null) {
    draft.refuse("notSplittable", t("What is sent again is sent as it was."));
    return;
  } else {
    const [first, second] = cutText(blocks, split.offset);
    if (first.length === 0 || second.length === 0) {
      draft.refuse("nothingToDo", t("There is nothing to split off there."));
      return;
    }
    change(draft, { ...message, body: { kind: "user", blocks: first } });
    placeBehind(draft, message, split.newId, second);
  }
  endLease(draft, event.id);
}

/** New words over what hung on the message before; words that are the same leave it as it was put together. */
function edited(
  before: readonly Block[],
  { blocks, kept = [] }: Of<"editSave">,
): readonly Block[] {
  const attached = before.filter(({ type }) => type !== "text");
  const stay = new Set(kept.map((index) => attached[index]));
  const added = blocks.filter(({ type }) => type !== "text");
  const same = wordsIn(blocks) === wordsIn(before);
  return same
    ? [...before.filter((b) => b.type === "text" || stay.has(b)), ...added]
    : [
        ...blocks.filter(({ type }) => type === "text"),
        ...attached.filter((block) => stay.has(block)),
        ...added,
      ];
}

const wordsIn = (blocks: readonly Block[]): string =>
  blocks.flatMap((b) => (b.type === "text" ? [b.text] : [])).join("\n\n");

export function editCancel(
  draft: Draft,
  { id, holder }: Of<"editCancel">,
): void {
  for (const lease of draft.state.leases)
    if (lease.holder === holder && (id === undefined || id === lease.id))
      endLease(draft, lease.id);
}

/** Puts an item before another, or last. */
export function reorder(draft: Draft, { id, before }: Of<"reorder">): void {
  const { queue } = draft.state;
  const moved = queue.find((message) => message.id === id);
  const rest = queue.filter((message) => message.id !== id);
  const place = rest.findIndex((message) => message.id === before);
  if (moved === undefined || (before !== null && place === -1)) {
    notQueued(draft);
    return;
  }
  renumber(
    draft,
    rest.toSpliced(before === null ? rest.length : place, 0, moved),
  );
}

export function separate(draft: Draft, { id, on }: Of<"separate">): void {
  const message = find(draft, id, null);
  if (message === undefined) return;
  const marks = without(message.marks, "separate");
  change(draft, {
    ...message,
    marks: on ? { ...marks, separate: true } : marks,
  });
}

/** The first keeps its id and place and remembers both; the second is emptied, so that nothing can bring its words back twice. */
export function merge(draft: Draft, event: Of<"merge">): void {
  const first = find(draft, event.id, null);
  const second = find(draft, event.with, null);
  if (first === undefined || second === undefined || first === second) return;
  const plain = [first, second].every(
    ({ retryOf, parentBatch }) => retryOf === null && parentBatch === null,
  );
  if (!plain || laneOf(first) !== laneOf(second)) {
    draft.refuse("notMergeable", t("These two cannot become one message."));
    return;
  }
  const merged = [
    ...(first.marks.merged ?? []),
    second.id,
    ...(second.marks.merged ?? []),
  ];
  change(draft, {
    ...first,
    marks: { ...first.marks, merged },
    body: { kind: "user", blocks: [...blocksOf(first), ...blocksOf(second)] },
  });
  const emptied: Message = { ...second, body: { kind: "user", blocks: [] } };
  change(draft, emptied);
  discardQueued(draft, [emptied]);
  draft.set({
    discarded: draft.state.discarded.filter(({ id }) => id !== second.id),
  });
}

/** What was cut off becomes a message of its own, right behind; attachments stay with the first. */
function placeBehind(
  draft: Draft,
  message: Message,
  newId: string,
  blocks: readonly Block[],
): void {
  const rank = (message.rank ?? 0) + 1;
  const { queue } = draft.state;
  const behind = queue.findIndex((other) => other.id === message.id) + 1;
  const shifted = queue.map((other, index): Message =>
    index < behind ? other : { ...other, rank: (other.rank ?? 0) + 1 },
  );
  if (shifted.length > behind)
    draft.write({
      kind: "rank",
      ranks: shifted
        .slice(behind)
        .map((other) => ({ id: other.id, rank: other.rank ?? rank })),
    });
  draft.set({ queue: shifted });
  place(draft, {
    id: newId,
    sender: message.sender,
    blocks,
    marks: without(message.marks, "merged"),
    rank,
    parentBatch: message.parentBatch,
    retryOf: null,
  });
}

/** The queued item, unless it is gone or someone else is editing it. */
function find(
  draft: Draft,
  id: string,
  holder: string | null,
): Message | undefined {
  const { queue, leases } = draft.state;
  const message = queue.find((other) => other.id === id);
  if (message === undefined) {
    notQueued(draft);
    return undefined;
  }
  const taken =
    isLeased(draft.state, id, draft.at) &&
    leases.some((lease) => lease.id === id && lease.holder !== holder);
  if (taken) {
    draft.refuse("beingEdited", t("It is being edited elsewhere."));
    return undefined;
  }
  return message;
}

function change(draft: Draft, message: Message): void {
  draft.set({
    queue: draft.state.queue.map((other) =>
      other.id === message.id ? message : other,
    ),
  });
  writeEdit(draft, message);
}

function without(marks: Marks, key: keyof Marks): Marks {
  const rest = { ...marks };
  Reflect.deleteProperty(rest, key);
  return rest;
}

function endLease(draft: Draft, id: string): void {
  const { leases } = draft.state;
  if (leases.some((lease) => lease.id === id))
    draft.set({ leases: leases.filter((lease) => lease.id !== id) });
}

function notQueued(draft: Draft): void {
  draft.refuse("notQueued", t("It is no longer in the queue."));
}

/** Cuts at an offset into the texts, counted as if blank lines joined them. */
function cutText(
  blocks: readonly Block[],
  offset: number,
): readonly [readonly Block[], readonly Block[]] {
  const first: Block[] = [];
  const second: Block[] = [];
  let start = 0;
  for (const block of blocks) {
    if (block.type !== "text") {
      first.push(block);
      continue;
    }
    const cut = Math.min(Math.max(offset - start, 0), block.text.length);
    const head = block.text.slice(0, cut);
    const tail = block.text.slice(cut);
    if (head.trim() !== "") first.push({ type: "text", text: head });
    if (tail.trim() !== "") second.push({ type: "text", text: tail });
    start += block.text.length + 2;
  }
  return [first, second];
}
