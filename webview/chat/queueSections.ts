import type {
  AgentStatus,
  QueueFacts,
  QueueItem,
} from "../../src/protocol/viewState.ts";
import { running } from "./format.ts";
import { words } from "./strings.ts";

/** Messages that will go together; the first section is the next turn. */
export interface Section {
  readonly kind: "next" | "then" | "waits";
  readonly items: readonly QueueItem[];
}

/** The queue as the host plans to send it; what the plan does not reach yet comes last. */
export function sections(
  items: readonly QueueItem[],
  plan: QueueFacts["plan"],
): readonly Section[] {
  const rest = new Map(items.map((item) => [item.id, item]));
  const made: Section[] = [];
  for (const ids of plan) {
    const together = ids.flatMap((id) => rest.get(id) ?? []);
    for (const id of ids) rest.delete(id);
    if (together.length > 0)
      made.push({ kind: made.length === 0 ? "next" : "then", items: together });
  }
  if (rest.size > 0) made.push({ kind: "waits", items: [...rest.values()] });
  return made;
}

/** What the next turn waits for. */
export function waitsFor(
  facts: QueueFacts,
  status: AgentStatus,
  agent: string,
  now: number,
  /** There is a turn, if only one that waits for its agent. */
  turn: boolean,
): string {
  if (facts.held !== null) return words.queue.held[facts.held];
  if (facts.gated) return words.queue.gated;
  if (facts.collectingUntil !== null && facts.collectingUntil > now)
    return words.queue.goesIn(running(facts.collectingUntil - now + 999));
  switch (status.state) {
    case "busy":
    case "stuck":
      return words.queue.goes;
    case "waiting":
      return turn ? words.queue.goes : (status.text ?? words.queue.goes);
    case "starting":
      return turn ? words.queue.goes : words.queue.goesWhenReady(agent);
    case "restarting":
    case "failed":
      return words.queue.goesWhenBack(agent);
    case "none":
    case "ready":
      return words.queue.goesNow;
  }
}

/** The item before which one lands when it moves by one place; undefined when it is at the end already. */
export function moved(
  ids: readonly string[],
  id: string,
  by: -1 | 1,
): { readonly before: string | null; readonly place: number } | undefined {
  const at = ids.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return undefined;
  const before = by < 0 ? ids[to] : ids[to + 1];
  return { before: before ?? null, place: to + 1 };
}
