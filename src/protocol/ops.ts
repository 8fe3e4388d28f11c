import * as z from "zod/mini";
import { viewBatch, viewMessage } from "./transcript.ts";
import { queueItem, viewState } from "./viewState.ts";
import { count, id } from "./words.ts";

/** The parts of a view's state that are replaced whole when they change. */
const part = z.partial(
  z.pick(viewState, {
    thread: true,
    threads: true,
    more: true,
    facts: true,
    status: true,
    permissions: true,
    elicitations: true,
    commands: true,
    usage: true,
    notices: true,
    readOnly: true,
    settings: true,
    agents: true,
    options: true,
  }),
);
export type Parts = z.infer<typeof part>;

/** One change of a view's state. */
export const op = z.discriminatedUnion("op", [
  /** Puts a record in its place by position, or replaces the one with its id. */
  z.object({ op: z.literal("message"), message: viewMessage }),
  z.object({ op: z.literal("messageGone"), id }),
  /** Appends to an agent text or thought; applies only where `offset` (UTF-16 units) is its length and it is open. */
  z.object({ op: z.literal("text"), id, offset: count, text: z.string() }),
  /** Appends to the text or terminal at `index` of a tool's content, under the same rule. */
  z.object({
    op: z.literal("output"),
    id,
    index: count,
    offset: count,
    text: z.string(),
  }),
  z.object({ op: z.literal("batch"), batch: viewBatch }),
  z.object({ op: z.literal("batchGone"), id }),
  /** Items that are new or changed. */
  z.object({ op: z.literal("queueItem"), item: queueItem }),
  /** Which items there are, in order. */
  z.object({ op: z.literal("queueOrder"), ids: z.readonly(z.array(id)) }),
  z.object({ op: z.literal("parts"), parts: part }),
]);
export type Op = z.infer<typeof op>;
