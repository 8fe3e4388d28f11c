import * as z from "zod/mini";
import { batchStatus, batchType } from "./words.ts";

/** What a user chose in the timeline, kept while it is hidden or the window reloads. */
export const savedView = z.object({
  thread: z.nullable(z.string()),
  agent: z.nullable(z.string()),
  type: z.nullable(batchType),
  status: z.nullable(batchStatus),
  text: z.string(),
  /** Null while the view goes along with what happens. */
  range: z.nullable(z.object({ from: z.number(), to: z.number() })),
  table: z.boolean(),
  period: z.enum(["day", "week", "all"]),
  /** What the sums beside the chart are told by. */
  sums: z.enum(["day", "thread"]),
});
export type SavedView = z.infer<typeof savedView>;
