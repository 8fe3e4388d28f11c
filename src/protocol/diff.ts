import type { Op, Parts } from "./ops.ts";
import type { ViewMessage } from "./transcript.ts";
import type { ViewState } from "./viewState.ts";

const parts = [
  "thread",
  "threads",
  "more",
  "facts",
  "status",
  "permissions",
  "elicitations",
  "commands",
  "usage",
  "notices",
  "readOnly",
  "settings",
  "agents",
  "options",
] as const satisfies readonly (keyof Parts)[];

/** The ops that turn one state of a view into the next; none where nothing changed. */
export function diff(from: ViewState, to: ViewState): Op[] {
  const ops: Op[] = [];
  for (const id of gone(from.messages, to.messages))
    ops.push({ op: "messageGone", id });
  for (const id of gone(from.batches, to.batches))
    ops.push({ op: "batchGone", id });
  for (const [old, batch] of changed(from.batches, to.batches))
    if (!same(old, batch)) ops.push({ op: "batch", batch });
  for (const [old, message] of changed(from.messages, to.messages)) {
    if (same(old, message)) continue;
    ops.push(grown(old, message) ?? { op: "message", message });
  }
  for (const [old, item] of changed(from.queue, to.queue))
    if (!same(old, item)) ops.push({ op: "queueItem", item });
  const ids = to.queue.map((item) => item.id);
  if (
    !same(
      from.queue.map((item) => item.id),
      ids,
    )
  )
    ops.push({ op: "queueOrder", ids });
  const news = Object.fromEntries(
    parts
      .filter((key) => !same(from[key], to[key]))
      .map((key) => [key, to[key]]),
  ) as Parts;
  if (Object.keys(news).length > 0) ops.push({ op: "parts", parts: news });
  return ops;
}

interface Named {
  readonly id: string;
}

function gone(from: readonly Named[], to: readonly Named[]): string[] {
  if (from === to) return [];
  const kept = new Set(to.map(({ id }) => id));
  return from.map(({ id }) => id).filter((id) => !kept.has(id));
}

function changed<T extends Named>(
  from: readonly T[],
  to: readonly T[],
): (readonly [T | undefined, T])[] {
  if (from === to) return [];
  const old = new Map(from.map((item) => [item.id, item]));
  return to
    .filter((item) => old.get(item.id) !== item)
    .map((item) => [old.get(item.id), item] as const);
}

/** A text that only grew is sent as what is new. */
function grown(old: ViewMessage | undefined, now: ViewMessage): Op | undefined {
  if (old === undefined) return undefined;
  const [a, b] = [old.body, now.body];
  if (a.kind !== "agent" && a.kind !== "thought") return undefined;
  if (b.kind !== a.kind || !a.open || !b.text.startsWith(a.text))
    return undefined;
  if (!same({ ...old, body: { ...a, text: b.text } }, now)) return undefined;
  const offset = a.text.length;
  return { op: "text", id: now.id, offset, text: b.text.slice(offset) };
}

/** Equal as data; an absent field and an undefined one are the same. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (a === null || b === null || Array.isArray(a) !== Array.isArray(b))
    return false;
  const [x, y] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return [...new Set([...x.keys(), ...y.keys()])].every((key) =>
    same(x.get(key), y.get(key)),
  );
}
