import { factsOf, group } from "../core/batch.ts";
import type { BatchFacts } from "../core/batchFacts.ts";
import type { Snowflake } from "../core/message.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type { TimelineBatch, TimelineThread } from "../protocol/timeline.ts";
import { textOf } from "./projectMessage.ts";
import type { Services } from "./services.ts";

type Ends = Pick<Services, "engine" | "store" | "book" | "catalog">;

/** A batch as the timeline draws it. */
export function timelineBatch(
  facts: BatchFacts,
  label: (agent: string) => string,
): TimelineBatch {
  const { id, thread, type, parent, retry, status } = facts;
  const { times, usage, course } = facts;
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const tokens = usage.totalTokens ?? inputTokens + outputTokens;
  return {
    ...{ id, thread, type, parent, retry, status },
    typed: course.typed,
    parts: course.parts,
    claimed: times.claimed,
    turns: course.turns,
    agent: course.agent === null ? "" : label(course.agent),
    sent: course.sent,
    stop: course.stop,
    ...(tokens === 0 ? {} : { tokens }),
    tools: facts.counts.tools,
  };
}

/** Lanes, newest thread first. */
export function timelineThreads({
  engine,
  book,
}: Ends): readonly TimelineThread[] {
  return book.summaries().flatMap(({ id, title, agent, mark }) => {
    const queue = engine.snapshot(id)?.queue;
    if (queue === undefined) return [];
    return [
      {
        ...{ id, title, agent, mark },
        held: queue.held !== null && queue.items.length > 0,
        queued: queue.items.map(({ message }) =>
          snowflakeTime(message.arrived),
        ),
      },
    ];
  });
}

/** A change can touch the newest batch and those it retries or continues. */
const batchesPerChange = 4;
const pageSize = 500;
/** More than anyone looks at; older turns are in the chat and in search. */
export const mostBatches = 10_000;

/** What the past was told to be. */
export interface ToldPast {
  /** There is more than was told. */
  readonly older: boolean;
  /** How many batches of a thread are older than those told. */
  readonly before: Readonly<Record<string, number>>;
}

/** The past, of all threads or of one, newest first, in pages. */
export async function* pastBatches(
  { store, catalog }: Pick<Ends, "store" | "catalog">,
  of: { readonly thread?: string } = {},
  most = mostBatches,
): AsyncGenerator<readonly TimelineBatch[], ToldPast> {
  let before: Snowflake | undefined;
  const oldest = new Map<string, Snowflake>();
  for (let told = 0; told < most; told += pageSize) {
    const page = await store.batches({
      ...of,
      limit: Math.min(pageSize, most - told),
      ...(before === undefined ? {} : { before }),
    });
    for (const { thread, id } of page) oldest.set(thread, id);
    if (page.length > 0)
      yield page.map((facts) =>
        timelineBatch(facts, (id) => catalog.label(id)),
      );
    before = page.at(-1)?.id;
    if (page.length < Math.min(pageSize, most - told))
      return { older: false, before: {} };
  }
  const counts: Record<string, number> = {};
  for (const [thread, id] of oldest)
    counts[thread] = await store.batchesBefore(thread, id);
  return { older: true, before: counts };
}

/** The newest of a thread, and those of it that are named. */
export async function changedBatches(
  { store, catalog }: Pick<Ends, "store" | "catalog">,
  thread: string,
  named: ReadonlySet<Snowflake>,
): Promise<readonly TimelineBatch[]> {
  const newest = await store.batches({ thread, limit: batchesPerChange });
  const facts = [...newest];
  for (const id of named)
    if (!newest.some((one) => one.id === id))
      facts.push(...group(await store.batch(thread, id)).map(factsOf));
  return facts.map((one) => timelineBatch(one, (id) => catalog.label(id)));
}

const shownTexts = 4;
const shownLength = 120;

/** How a batch's messages begin. */
export async function saidIn(
  { store }: Pick<Ends, "store">,
  thread: string,
  batch: string,
): Promise<readonly string[]> {
  const rows = await store.batch(thread, batch);
  return rows
    .flatMap(({ body }) =>
      body.kind === "user"
        ? [textOf(body.blocks).trim().replace(/\s+/g, " ")]
        : [],
    )
    .slice(0, shownTexts)
    .map((text) =>
      text.length > shownLength ? `${text.slice(0, shownLength)}…` : text,
    );
}
