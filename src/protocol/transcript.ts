import * as z from "zod/mini";
import {
  batchStatus,
  batchType,
  count,
  id,
  messageState,
  permissionKind,
  stopReason,
  time,
  toolKind,
  toolStatus,
} from "./words.ts";

/** What hangs on a message. Image bytes are asked for by `blob` when they are to be shown. */
export const attachment = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("image"),
    name: z.string(),
    mimeType: z.string(),
    blob: id,
    bytes: count,
  }),
  z.object({
    kind: z.literal("file"),
    uri: z.string(),
    name: z.string(),
    detail: z.optional(z.string()),
  }),
]);
export type Attachment = z.infer<typeof attachment>;

export const location = z.object({
  path: z.string(),
  line: z.optional(count),
});

export const toolContent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    text: z.string(),
    cut: z.optional(count),
  }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.nullable(z.string()),
    newText: z.string(),
  }),
  z.object({
    type: z.literal("terminal"),
    terminalId: z.string(),
    output: z.string(),
    exitCode: z.optional(z.number()),
    cut: z.optional(count),
  }),
  z.object({ type: z.literal("attachment"), attachment }),
]);
export type ViewToolContent = z.infer<typeof toolContent>;

export const planEntry = z.object({
  content: z.string(),
  priority: z.enum(["high", "medium", "low"]),
  status: z.enum(["pending", "in_progress", "completed"]),
});

export const permissionOption = z.object({
  id,
  name: z.string(),
  kind: permissionKind,
});

export const usage = z.object({
  inputTokens: z.optional(z.number()),
  outputTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedReadTokens: z.optional(z.number()),
  cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
});

/** `open` is true while text may still be appended; a closed text never changes again by a text op. */
export const viewBody = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("user"),
    text: z.string(),
    attachments: z.readonly(z.array(attachment)),
  }),
  z.object({
    kind: z.literal("agent"),
    text: z.string(),
    open: z.boolean(),
    attachments: z.optional(z.readonly(z.array(attachment))),
  }),
  z.object({
    kind: z.literal("thought"),
    text: z.string(),
    open: z.boolean(),
    durationMs: z.optional(z.number()),
  }),
  /** A call and its result are one card. */
  z.object({
    kind: z.literal("tool"),
    toolCallId: z.string(),
    title: z.string(),
    toolKind,
    status: toolStatus,
    locations: z.readonly(z.array(location)),
    content: z.readonly(z.array(toolContent)),
    input: z.optional(z.string()),
    output: z.optional(z.string()),
    startedAt: z.optional(time),
    durationMs: z.optional(z.number()),
  }),
  z.object({
    kind: z.literal("plan"),
    entries: z.readonly(z.array(planEntry)),
  }),
  /** A question that was decided. `option` is absent when it was cancelled. */
  z.object({
    kind: z.literal("decision"),
    title: z.string(),
    option: z.optional(permissionOption),
    /** A form or a page rather than a permission. */
    asks: z.optional(z.enum(["form", "page"])),
    answer: z.optional(z.string()),
  }),
  z.object({
    kind: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
  }),
]);
export type ViewBody = z.infer<typeof viewBody>;

export const viewSender = z.object({
  kind: z.enum(["user", "agent", "trigger"]),
  name: z.string(),
});

/** One record of the transcript, ordered by its batch and, within, by position. */
export const viewMessage = z.object({
  id,
  /** Null for what belongs to no turn: it stands alone at its position. */
  batch: z.nullable(id),
  position: id,
  at: time,
  sender: viewSender,
  /** Of submitted messages only. */
  state: z.nullable(messageState),
  late: z.optional(z.boolean()),
  /** The size in bytes of the whole where the record was shortened. */
  cut: z.optional(count),
  retryOf: z.optional(id),
  body: viewBody,
});
export type ViewMessage = z.infer<typeof viewMessage>;

export const batchAction = z.enum(["retry", "continue", "discard"]);
export type BatchAction = z.infer<typeof batchAction>;

export const viewBatch = z.object({
  id,
  /** Which turn of the thread it is, from 1; absent when unknown. */
  number: z.optional(count),
  status: batchStatus,
  type: batchType,
  /** Submitted messages in it. */
  messages: count,
  startedAt: time,
  endedAt: z.optional(time),
  stop: z.optional(stopReason),
  /** One sentence on why it failed or was interrupted. */
  why: z.optional(z.string()),
  usage: z.optional(usage),
  /** How the prompt was compiled, and its size. */
  compiled: z.optional(
    z.object({
      kind: z.enum(["full", "delta"]),
      bytes: count,
      reason: z.optional(z.string()),
    }),
  ),
  /** Why the history was sent again, when it was: one sentence. */
  rebuilt: z.optional(z.string()),
  /** The end of the turn could not be written; the text on screen is all there is. */
  notSaved: z.optional(z.boolean()),
  parent: z.optional(id),
  /** What the user may do about it now. */
  actions: z.readonly(z.array(batchAction)),
});
export type ViewBatch = z.infer<typeof viewBatch>;
