import * as z from "zod/mini";
import { elicitationValues } from "./elicitation.ts";
import { newAttachments } from "./newAttachment.ts";
import { batchAction } from "./transcript.ts";
import { viewMemory } from "./viewState.ts";
import { count, id } from "./words.ts";

/** Something that is read only when it is chosen. */
export const contextPart = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("selection") }),
  z.strictObject({ kind: z.literal("problems") }),
  z.strictObject({ kind: z.literal("terminal") }),
  z.strictObject({ kind: z.literal("changes") }),
  z.strictObject({ kind: z.literal("thread"), id }),
]);
export type ContextPart = z.infer<typeof contextPart>;

const thread = id;

/** View → host. Everything is data: the host decides what, if anything, to do about it. */
export const toHost = z.discriminatedUnion("type", [
  /** Asks for a snapshot: at the start, and again after a gap (with the instance it had). */
  z.strictObject({
    type: z.literal("ready"),
    instance: z.optional(id),
    thread: z.optional(thread),
  }),
  /** A failure inside the view, for the log. */
  z.strictObject({
    type: z.literal("problem"),
    text: z.string().check(z.maxLength(10_000)),
  }),
  /** The keyboard is in the page from now on, or no longer. */
  z.strictObject({ type: z.literal("focus"), on: z.boolean() }),

  z.strictObject({
    type: z.literal("submit"),
    /** Made by the view once per message: asked twice, accepted once. */
    requestId: id,
    thread,
    text: z.string(),
    attachments: newAttachments,
    /** `now` stops the running turn and sends this one alone. */
    when: z.enum(["next", "now"]),
  }),
  z.strictObject({
    type: z.literal("draft"),
    thread,
    text: z.string(),
    attachments: newAttachments,
    /** The view's clock when it was typed. */
    at: z.number(),
  }),
  /** Where the user is, for the view's next life. */
  z.strictObject({ type: z.literal("memory"), thread, memory: viewMemory }),

  /** Bytes to hang on a message: the host keeps them and answers with what stands for them. */
  z.strictObject({
    type: z.literal("keepBytes"),
    name: z.string().check(z.maxLength(1_000)),
    mimeType: z.string().check(z.maxLength(200)),
    /** Base64. */
    data: z.string().check(z.maxLength(28_000_000)),
  }),
  /** Files and folders dropped from the editor. */
  z.strictObject({
    type: z.literal("takeUris"),
    uris: z.readonly(
      z.array(z.string().check(z.maxLength(8_192))).check(z.maxLength(200)),
    ),
  }),
  /** What the user said in a thread before a position. */
  z.strictObject({ type: z.literal("said"), thread, before: id }),
  /** What fits the word after `@`. */
  z.strictObject({
    type: z.literal("findContext"),
    query: z.string().check(z.maxLength(1_000)),
  }),
  z.strictObject({ type: z.literal("takeContext"), part: contextPart }),
  z.strictObject({
    type: z.literal("setOption"),
    thread,
    option: id,
    value: z.union([z.string(), z.boolean()]),
  }),

  z.strictObject({ type: z.literal("editBegin"), thread, id }),
  z.strictObject({
    type: z.literal("editSave"),
    thread,
    id,
    text: z.string(),
    /** What hangs on it and stays, by its place. */
    kept: z.readonly(z.array(count).check(z.maxLength(1_000))),
    /** Cuts the text at an offset; the rest becomes a new message beside it. */
    split: z.optional(z.strictObject({ offset: count, newId: id })),
  }),
  z.strictObject({ type: z.literal("editCancel"), thread, id }),
  z.strictObject({ type: z.literal("remove"), thread, id }),
  /** Takes removed or cancelled messages back into the queue. */
  z.strictObject({
    type: z.literal("restore"),
    thread,
    ids: z.readonly(z.array(id)),
  }),
  /** Puts an item before another, or last. */
  z.strictObject({
    type: z.literal("reorder"),
    thread,
    id,
    before: z.nullable(id),
  }),
  /** Joins an item with the one after it. */
  z.strictObject({ type: z.literal("merge"), thread, id, with: id }),
  z.strictObject({
    type: z.literal("separate"),
    thread,
    id,
    on: z.boolean(),
  }),
  z.strictObject({ type: z.literal("hold"), thread }),
  z.strictObject({ type: z.literal("resume"), thread }),
  /** One item, or the whole queue. */
  z.strictObject({
    type: z.literal("sendNow"),
    thread,
    id: z.optional(id),
  }),
  z.strictObject({ type: z.literal("stop"), thread }),
  z.strictObject({ type: z.literal("cancelAll"), thread }),

  z.strictObject({
    type: z.literal("answerPermission"),
    thread,
    permission: id,
    option: id,
  }),
  z.strictObject({
    type: z.literal("answerElicitation"),
    thread,
    elicitation: id,
    answer: z.discriminatedUnion("action", [
      z.strictObject({
        action: z.literal("accept"),
        values: elicitationValues,
      }),
      z.strictObject({ action: z.literal("decline") }),
      z.strictObject({ action: z.literal("cancel") }),
    ]),
  }),
  z.strictObject({
    type: z.literal("batchAction"),
    thread,
    batch: id,
    action: batchAction,
  }),

  /** Moves the window over a long thread. */
  z.strictObject({
    type: z.literal("page"),
    thread,
    to: z.enum(["before", "after", "latest", "around"]),
    /** The batch to stand in the middle, for `around`. */
    batch: z.optional(id),
  }),

  /** Where a thread holds a text, what the view has not loaded included. */
  z.strictObject({
    type: z.literal("find"),
    thread,
    text: z.string().check(z.maxLength(1_000)),
    matchCase: z.boolean(),
  }),

  /** Which records of all threads hold some words. */
  z.strictObject({
    type: z.literal("searchThreads"),
    text: z.string().check(z.maxLength(1_000)),
  }),
  /** Shows a thread at a record that was found, the words marked in it. */
  z.strictObject({
    type: z.literal("openFound"),
    thread,
    message: id,
    at: z.nullable(id),
    words: z.string().check(z.maxLength(1_000)),
  }),

  z.strictObject({ type: z.literal("openThread"), thread }),
  z.strictObject({
    type: z.literal("newThread"),
    agent: z.optional(id),
  }),
  z.strictObject({
    type: z.literal("renameThread"),
    thread,
    title: z.string().check(z.maxLength(1_000)),
  }),
  z.strictObject({
    type: z.literal("archiveThread"),
    thread,
    on: z.boolean(),
  }),
  z.strictObject({ type: z.literal("deleteThread"), thread }),
  /** Takes a deleted thread back. */
  z.strictObject({ type: z.literal("restoreThread"), thread }),
  z.strictObject({ type: z.literal("chooseAgent"), thread, agent: id }),

  z.strictObject({
    type: z.literal("openLink"),
    url: z.string().check(z.maxLength(8_192)),
  }),
  z.strictObject({
    type: z.literal("openFile"),
    thread,
    path: z.string().check(z.maxLength(8_192)),
    line: z.optional(count),
  }),
  /** What hangs on a message, by where it is recorded. */
  z.strictObject({
    type: z.literal("openAttachment"),
    thread,
    message: id,
    index: count,
  }),
  /** A change by where it is recorded, so that no text has to be trusted. */
  z.strictObject({
    type: z.literal("openDiff"),
    thread,
    message: id,
    index: count,
  }),
  /** The whole of what a tool was given or put out. */
  z.strictObject({
    type: z.literal("openOutput"),
    thread,
    message: id,
    part: z.union([count, z.enum(["input", "output"])]),
  }),
  z.strictObject({
    type: z.literal("openCode"),
    language: z.string().check(z.maxLength(100)),
    text: z.string(),
  }),
  z.strictObject({ type: z.literal("copy"), text: z.string() }),
  z.strictObject({ type: z.literal("insertCode"), text: z.string() }),

  z.strictObject({ type: z.literal("noticeAction"), notice: id, action: id }),
  z.strictObject({ type: z.literal("dismissNotice"), notice: id }),
  z.strictObject({ type: z.literal("showLog") }),
  z.strictObject({ type: z.literal("showTimeline") }),
  /** What the next turn would send, in an editor. */
  z.strictObject({ type: z.literal("previewNext"), thread }),
  /** What a turn was sent, in an editor. */
  z.strictObject({ type: z.literal("showSent"), thread, batch: id }),
  /** A new thread with everything up to and including a turn. */
  z.strictObject({ type: z.literal("forkTurn"), thread, batch: id }),
  z.strictObject({ type: z.literal("checkSetup") }),
  z.strictObject({ type: z.literal("blob"), blob: id }),
]);
export type ToHost = z.infer<typeof toHost>;
