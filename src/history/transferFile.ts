import * as z from "zod";
import type { Message } from "../core/message.ts";
import type { History } from "../core/recordPort.ts";
import type { Thread } from "../core/thread.ts";
import { plainText } from "../core/recordText.ts";
import { SnowflakeGenerator } from "../core/snowflake.ts";
import { rebuildFlat } from "../core/transferFlat.ts";
import type { FlatRow } from "../core/transferFlat.ts";
import { importRebuilt, importThread } from "../core/transferImport.ts";
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
import { flatRow, nameOf } from "./flatFile.ts";
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
  /** Who answers in a thread whose file names no agent. */
  agentHere = "builtin",
): Promise<ImportAnswer> {
  const parsed: TransferLine[] = [];
  const flat: FlatRow[] = [];
  let name = "";
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const read = readJson(line);
    const one = lineSchema.safeParse(read).data;
    const thread = parsed[0]?.kind === "thread" ? parsed[0].thread : undefined;
    name ||= thread?.id ?? nameOf(line);
    const count = parsed.length + flat.length + 1;
    const row =
      one === undefined || isUnplaced(one)
        ? flatRow(read, `${name}#${count}`, thread?.agent ?? agentHere)
        : undefined;
    if (row !== undefined) flat.push(row);
    else if (one === undefined)
      return {
        ok: false,
        reason: "broken",
        detail: t("Line {0} is not one of Turnline's.", count),
      };
    else
      parsed.push(
        one.kind === "thread"
          ? placed(one, folderHere(one.thread.folder))
          : one,
      );
  }
  return flat.length === 0
    ? importThread(store, parsed, bytesOf)
    : importFlat(store, parsed, flat, {
        ...{ id: name, agent: agentHere, folder: folderHere("") },
      });
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "base64");

/** Takes in records that lost their places, or never had any; repeated, it adds nothing. */
async function importFlat(
  store: History,
  lines: readonly TransferLine[],
  flat: readonly FlatRow[],
  about: Pick<Thread, "id" | "agent" | "folder">,
): Promise<ImportAnswer> {
  const now = Date.now();
  const told = lines.find((line) => line.kind === "thread")?.thread;
  const thread: Thread = told ?? {
    ...{ ...about, title: titleOf(flat), held: null, archived: false },
    ...{ createdAt: now, updatedAt: now },
  };
  const ids = new SnowflakeGenerator(() => now, await store.greatest());
  const rebuilt = rebuildFlat(thread.id, flat, () => ids.next());
  const blobs = lines.flatMap((line) =>
    line.kind === "blob" ? [{ ...line, data: bytesOf(line.data) }] : [],
  );
  const loose = lines.flatMap((line) =>
    line.kind === "message" ? [line.message] : [],
  );
  return importRebuilt(store, thread, { ...rebuilt, blobs }, loose);
}

/** A record without a place, though it belongs in a batch. */
function isUnplaced(line: TransferLine): boolean {
  if (line.kind !== "message") return false;
  const { position, batch, state } = line.message;
  return (
    (position === null || batch === null) &&
    state !== "queued" &&
    state !== "discarded"
  );
}

function titleOf(rows: readonly FlatRow[]): string {
  const said = rows.find(({ body }) => body.kind === "user")?.body;
  const text = said === undefined ? "" : plainText(said);
  return text.replace(/\s+/gu, " ").trim().slice(0, 60);
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
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
  position: snowflakeSchema.nullable().default(null),
  batch: snowflakeSchema.nullable().default(null),
  sequence: z.number().nullable().default(null),
  batchType: batchTypeSchema.nullable().default(null),
  parentBatch: snowflakeSchema.nullable().default(null),
  retryOf: z.string().nullable().default(null),
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
