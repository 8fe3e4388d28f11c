import * as z from "zod/mini";
import type { PartKind } from "../core/batchCourse.ts";
import {
  batchStatus,
  batchType,
  count,
  id,
  stopReason,
  time,
} from "./words.ts";
import { threadMark } from "./viewState.ts";

const partKind = z.enum({
  compile: "compile",
  think: "think",
  tool: "tool",
  permission: "permission",
} satisfies { readonly [K in PartKind]: K });

export const timelinePart = z.object({
  kind: partKind,
  from: time,
  /** Null while it goes on. */
  to: z.nullable(time),
});
export type TimelinePart = z.infer<typeof timelinePart>;

/** One turn line of the picture: a batch without its texts. */
export const timelineBatch = z.object({
  id,
  thread: id,
  type: batchType,
  parent: z.nullable(id),
  /** Its messages are those of its parent, sent again. */
  retry: z.boolean(),
  status: batchStatus,
  /** When its messages were typed, in the order they were sent. */
  typed: z.readonly(z.array(time)),
  parts: z.readonly(z.array(timelinePart)),
  claimed: time,
  /** What was sent in each; none before the first is. */
  turns: z.readonly(
    z.array(
      z.object({
        messages: count,
        claimed: time,
        firstOutput: z.nullable(time),
      }),
    ),
  ),
  /** As users know it. */
  agent: z.string(),
  sent: z.nullable(z.object({ kind: z.enum(["full", "delta"]), bytes: count })),
  stop: z.nullable(stopReason),
  tokens: z.optional(count),
  tools: count,
});
export type TimelineBatch = z.infer<typeof timelineBatch>;

export const timelineThread = z.object({
  id,
  title: z.string(),
  agent: z.string(),
  mark: threadMark,
  held: z.boolean(),
  /** When each queued message was typed. */
  queued: z.readonly(z.array(time)),
});
export type TimelineThread = z.infer<typeof timelineThread>;

/** Host → timeline. */
export const toTimeline = z.discriminatedUnion("type", [
  /** All threads there are; what is known of others does not count any more. */
  z.object({
    type: z.literal("threads"),
    now: time,
    threads: z.readonly(z.array(timelineThread)),
  }),
  /** New or different ones. */
  z.object({
    type: z.literal("batches"),
    batches: z.readonly(z.array(timelineBatch)),
  }),
  /** The past is told from here on, newest first. */
  z.object({ type: z.literal("begin") }),
  /** The past has been told: what was not told since it began is gone. */
  z.object({
    type: z.literal("complete"),
    /** There is more than was told. */
    older: z.boolean(),
    /** How many turns of a thread are older than those told; none where it is not named. */
    before: z.record(z.string(), count),
  }),
  /** The batches with this text in them; `more` when there are others. */
  z.object({
    type: z.literal("found"),
    text: z.string(),
    batches: z.readonly(z.array(id)),
    more: z.boolean(),
  }),
  /** Estimated bytes that deltas did not carry again, by batch. */
  z.object({
    type: z.literal("notResent"),
    bytes: z.record(z.string(), count),
  }),
  /** How the messages of a batch begin. */
  z.object({
    type: z.literal("said"),
    batch: id,
    texts: z.readonly(z.array(z.string())),
  }),
]);
export type ToTimeline = z.infer<typeof toTimeline>;

/** Timeline → host. */
export const fromTimeline = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({
    type: z.literal("problem"),
    text: z.string().check(z.maxLength(10_000)),
  }),
  /** Shows a batch in the chat; without one, its thread. */
  z.strictObject({
    type: z.literal("open"),
    thread: id,
    batch: z.optional(id),
  }),
  z.strictObject({ type: z.literal("inspect"), thread: id, batch: id }),
  /** Asks how its messages begin. */
  z.strictObject({ type: z.literal("tell"), thread: id, batch: id }),
  z.strictObject({
    type: z.literal("find"),
    text: z.string().check(z.maxLength(1_000)),
  }),
  /** Saves what is shown. */
  z.strictObject({
    type: z.literal("export"),
    format: z.enum(["csv", "json"]),
    text: z.string(),
  }),
]);
export type FromTimeline = z.infer<typeof fromTimeline>;
