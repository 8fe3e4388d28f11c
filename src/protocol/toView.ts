import * as z from "zod/mini";
import { op } from "./ops.ts";
import { viewState } from "./viewState.ts";
import { count, id, time } from "./words.ts";

/** Host → view. Deltas are numbered from the snapshot's `n`, without holes, per instance of a view. */
export const toView = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    instance: id,
    n: count,
    /** The host's clock when it was taken, so that a view elsewhere counts the same seconds. */
    now: time,
    state: viewState,
  }),
  z.object({
    type: z.literal("delta"),
    instance: id,
    n: count,
    ops: z.readonly(z.array(op)),
  }),
  /** Something the user asked for outside the view: a palette command, a notification's button. */
  z.object({
    type: z.literal("reveal"),
    what: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("composer"), insert: z.optional(z.string()) }),
      /** With `edit`: that item, opened for editing; with `item`: that one in focus. */
      z.object({
        kind: z.literal("queue"),
        edit: z.optional(id),
        item: z.optional(id),
      }),
      z.object({ kind: z.literal("threads") }),
      z.object({ kind: z.literal("permission") }),
      /** The next or previous part of the page. */
      z.object({ kind: z.literal("region"), back: z.boolean() }),
      /** With `message`: that record of it, and the words that were looked for marked in it. */
      z.object({
        kind: z.literal("batch"),
        id,
        message: z.optional(id),
        words: z.optional(z.string()),
      }),
      z.object({ kind: z.literal("find") }),
    ]),
  }),
]);
export type ToView = z.infer<typeof toView>;
