import * as z from "zod/mini";
import { batchStatus, batchType } from "./words.ts";

/** What a user chose in the timeline, kept while it is hidden or the window reloads. */
export const savedView = z.object({
  thread: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  type: z.nullable(batchType),
  status: z.nullable(batchStatus),
  text: z.string(),
  range: z.object({ from: z.number(), to: z.number() }),
  /** What the range goes along with: the newest turns, all there is, or the end of it. */
  follows: z.enum(["newest", "all", "end", "nothing"]),
  table: z.boolean(),
  period: z.enum(["day", "week", "all"]),
  /** What the sums beside the chart are told by. */
  sums: z.enum(["day", "thread"]),
});
export type SavedView = z.infer<typeof savedView>;
