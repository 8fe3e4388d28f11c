import * as z from "zod/mini";
import { newAttachment, newAttachments } from "./newAttachment.ts";
import { contextPart } from "./toHost.ts";
import { count, id } from "./words.ts";

/** Something `@` can bring along: a file at once, a part of the editor when it is chosen. */
export const contextItem = z.strictObject({
  kind: z.enum([
    "file",
    "folder",
    "editor",
    "selection",
    "problems",
    "terminal",
    "symbol",
    "changes",
    "thread",
  ]),
  name: z.string(),
  detail: z.string(),
  attachment: z.optional(newAttachment),
  part: z.optional(contextPart),
});
export type ContextItem = z.infer<typeof contextItem>;

/** A record that holds what was looked for; `at` is where it stands in the transcript, null for the queue. */
export const foundMessage = z.strictObject({
  message: id,
  at: z.nullable(id),
  count,
});
export type FoundMessage = z.infer<typeof foundMessage>;

/** A record of any thread that holds the words looked for, with a line around them. */
export const foundText = z.strictObject({
  thread: id,
  message: id,
  at: z.nullable(id),
  excerpt: z.string(),
});
export type FoundText = z.infer<typeof foundText>;

/** What a request is answered with: always, and once. */
export const reply = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("done") }),
  /** A typed no: a full disk, a read-only window, an item already claimed. One sentence for the user. */
  z.strictObject({ kind: z.literal("refused"), message: z.string() }),
  /** The other end threw, went away, or did not understand. */
  z.strictObject({ kind: z.literal("failed"), message: z.string() }),
  z.strictObject({
    kind: z.literal("blob"),
    mimeType: z.string(),
    /** Base64. */
    data: z.string(),
  }),
  z.strictObject({
    kind: z.literal("context"),
    items: z.readonly(z.array(contextItem)),
  }),
  z.strictObject({
    kind: z.literal("found"),
    /** First to last, the queue at the end. */
    found: z.readonly(z.array(foundMessage)),
    /** There is more than is told. */
    more: z.boolean(),
  }),
  /** Newest first; `before` is where to go on. */
  z.strictObject({
    kind: z.literal("said"),
    texts: z.readonly(z.array(z.string())),
    before: z.nullable(id),
  }),
  z.strictObject({
    kind: z.literal("attachments"),
    attachments: newAttachments,
  }),
  z.strictObject({
    kind: z.literal("texts"),
    /** Newest first. */
    texts: z.readonly(z.array(foundText)),
  }),
]);
export type Reply = z.infer<typeof reply>;

export const done: Reply = { kind: "done" };
