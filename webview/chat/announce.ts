import type { ViewBatch } from "../../src/protocol/transcript.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { took } from "../../src/util/took.ts";
import { sections } from "./queueSections.ts";
import { words } from "./strings.ts";

export interface Said {
  readonly polite: readonly string[];
  readonly assertive: readonly string[];
}

/** What a screen reader is told when one state follows another of the same thread. */
export function announce(before: ViewState, after: ViewState): Said {
  if (before.thread?.id !== after.thread?.id)
    return { polite: [], assertive: [] };
  const polite: string[] = [];
  const assertive: string[] = [];
  const old = new Map(before.batches.map((batch) => [batch.id, batch.status]));
  for (const batch of after.batches) {
    const was = old.get(batch.id);
    if (was === batch.status || (was === undefined && over(batch))) continue;
    if (batch.status === "failed")
      assertive.push(words.say.failed(batch.why ?? ""));
    else polite.push(...turnSaid(batch, after));
  }
  polite.push(...queueSaid(before, after));
  if (before.facts.held !== after.facts.held)
    if (before.facts.held === null) polite.push(words.say.held);
    else if (after.facts.held === null) polite.push(words.say.resumed);
  const { state } = after.status;
  if (state === "restarting" && before.status.state !== state)
    polite.push(words.say.restarting);
  const open = new Set(before.permissions.map(({ id }) => id));
  for (const asked of after.permissions)
    if (!open.has(asked.id)) assertive.push(words.say.permission(asked.title));
  const asking = new Set(before.elicitations.map(({ id }) => id));
  for (const asked of after.elicitations)
    if (!asking.has(asked.id))
      assertive.push(words.say.elicitation(asked.message));
  return { polite, assertive };
}

/** How many go together next, or that what is new goes later. */
function queueSaid(before: ViewState, after: ViewState): readonly string[] {
  if (after.queue.length <= before.queue.length) return [];
  const old = new Set(before.queue.map(({ id }) => id));
  const [next] = sections(after.queue, after.facts.plan);
  const together = next?.kind === "next" ? next.items : [];
  return together.some(({ id }) => !old.has(id))
    ? [words.say.queued(together.length)]
    : [words.say.queuedLater];
}

/** What is told when a thread is opened: what a crash or a restart left waiting. */
export function greet({ facts, queue }: ViewState): string {
  return facts.held === "restored" && queue.length > 0
    ? words.say.restoredQueue(queue.length)
    : "";
}

const over = (batch: ViewBatch): boolean =>
  batch.status !== "processing" && batch.status !== "collecting";

/** The answer is read once, when its turn ends. */
function turnSaid(batch: ViewBatch, state: ViewState): readonly string[] {
  switch (batch.status) {
    case "collecting":
    case "failed":
      return [];
    case "processing":
      return [words.say.started];
    case "cancelled":
      return [words.say.stopped];
    case "interrupted":
      return [words.say.interrupted];
    case "completed": {
      const elapsed = (batch.endedAt ?? batch.startedAt) - batch.startedAt;
      return [words.say.ended(took(elapsed)), answerOf(batch, state)];
    }
  }
}

const longestAnswer = 2_000;

function answerOf(batch: ViewBatch, state: ViewState): string {
  const last = state.messages.findLast(
    ({ body, batch: of }) => of === batch.id && body.kind === "agent",
  );
  return last?.body.kind === "agent"
    ? last.body.text.slice(0, longestAnswer)
    : "";
}
