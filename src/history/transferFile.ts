import * as z from "zod";
import type { Message } from "../core/message.ts";
import type { History } from "../core/recordPort.ts";
import type { Thread } from "../core/thread.ts";
import { importThread } from "../core/transferImport.ts";
import type { ImportAnswer } from "../core/transferImport.ts";
import { exportThread } from "../core/transferLines.ts";
import type { TransferLine } from "../core/transferLines.ts";
import {
  batchTypeSchema,
  bodySchema,
  holdSchema,
  marksSchema,
  senderSchema,
  snowflakeSchema,
  stateSchema,
} from "./bodySchema.ts";
import { t } from "../util/l10n.ts";

/** A thread as lines of JSON, without their line ends. */
export async function* exportLines(
  store: History,
  thread: Thread,
): AsyncGenerator<string> {
  const base64 = (data: Uint8Array): string =>
    Buffer.from(data).toString("base64");
  for await (const line of exportThread(store, thread, base64))
    yield JSON.stringify(line);
}

/**
 * Takes in what `exportLines` gave, from a file that may be anything. The folder it names may be another machine's:
 * `folderHere` answers which one the thread is to work in.
 */
export async function importLines(
  store: History,
  lines: AsyncIterable<string> | Iterable<string>,
  folderHere: (folder: string) => string = (folder) => folder,
): Promise<ImportAnswer> {
  const parsed: TransferLine[] = [];
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const one = parseLine(line);
    if (one === undefined)
      return {
        ok: false,
        reason: "broken",
        detail: t("Line {0} is not one of Turnline's.", parsed.length + 1),
      };
    parsed.push(
      one.kind === "thread" ? placed(one, folderHere(one.thread.folder)) : one,
    );
  }
  return importThread(store, parsed, (text) => Buffer.from(text, "base64"));
}

function placed(
  line: Extract<TransferLine, { kind: "thread" }>,
  folder: string,
): TransferLine {
  return { ...line, thread: { ...line.thread, folder } };
}

const threadSchema: z.ZodType<Thread> = z.looseObject({
  id: z.string(),
  title: z.string(),
  folder: z.string(),
  agent: z.string(),
  held: holdSchema.nullable(),
  archived: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
});

const messageSchema: z.ZodType<Message> = z.looseObject({
  id: z.string(),
  thread: z.string(),
  arrived: snowflakeSchema,
  rank: z.number().nullable(),
  position: snowflakeSchema.nullable(),
  batch: snowflakeSchema.nullable(),
  sequence: z.number().nullable(),
  batchType: batchTypeSchema.nullable(),
  parentBatch: snowflakeSchema.nullable(),
  retryOf: z.string().nullable(),
  sender: senderSchema,
  state: stateSchema.nullable(),
  marks: marksSchema,
  body: bodySchema,
});

const lineSchema: z.ZodType<TransferLine> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("thread"),
    turnline: z.number(),
    thread: threadSchema,
  }),
  z.object({
    kind: z.literal("blob"),
    hash: z.string(),
    mimeType: z.string(),
    data: z.string(),
  }),
  z.object({ kind: z.literal("message"), message: messageSchema }),
  z.object({
    kind: z.literal("archive"),
    archive: z.object({
      id: z.string(),
      thread: z.string(),
      batches: z.array(snowflakeSchema),
      text: z.string(),
      createdAt: z.number(),
    }),
  }),
  z.object({ kind: z.literal("end"), messages: z.number() }),
]);

function parseLine(line: string): TransferLine | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
