import * as z from "zod";
import type { Body, Message } from "../core/message.ts";
import type { Head } from "../core/recordTables.ts";
import type { Session, Thread } from "../core/thread.ts";
import type { Archive } from "../core/writes.ts";
import {
  batchTypeSchema,
  bodySchema,
  holdSchema,
  marksSchema,
  processSchema,
  senderSchema,
  snowflakeSchema,
  stateSchema,
} from "./bodySchema.ts";
import type { Row } from "./connection.ts";
import { fromText, unescaped } from "./plain.ts";

const text = readWith(fromText);
const json = readWith((value): unknown => JSON.parse(value));

const placeShape = {
  id: text,
  thread: text,
  rank: z.number().nullable(),
  position: snowflakeSchema.nullable(),
  batch: snowflakeSchema.nullable(),
  sequence: z.number().nullable(),
  batchType: batchTypeSchema.nullable(),
  parentBatch: snowflakeSchema.nullable(),
  state: stateSchema.nullable(),
};

const headSchema: z.ZodType<Head> = z.object({
  ...placeShape,
  kind: z.enum([
    "user",
    "agent",
    "thought",
    "toolCall",
    "toolResult",
    "plan",
    "permission",
    "turnStart",
    "turnEnd",
    "notice",
  ]),
});

const messageSchema = z.object({
  ...placeShape,
  arrived: snowflakeSchema,
  retryOf: text.nullable(),
  sender: json.pipe(senderSchema),
  marks: json.pipe(marksSchema),
});

const storedBody = z.object({
  body: json.pipe(bodySchema),
  text: readWith(unescaped).nullable(),
});

/** Only the id must be sound: a thread is never lost for a damaged title. */
const threadSchema: z.ZodType<Thread> = z.object({
  id: text,
  title: text.catch("(damaged)"),
  folder: text.catch(""),
  agent: text.catch(""),
  held: holdSchema.nullable().catch("user"),
  archived: z
    .number()
    .transform((value) => value === 1)
    .catch(false),
  createdAt: z.number().catch(0),
  updatedAt: z.number().catch(0),
});

const sessionSchema: z.ZodType<Session> = z.object({
  thread: text,
  agent: text,
  folder: text,
  generation: z.number(),
  sessionId: text.nullable(),
  state: z.enum(["starting", "live", "suspended", "lost"]),
  cursor: snowflakeSchema.nullable(),
  ledger: json.pipe(z.record(z.string(), z.string())),
  process: json.pipe(processSchema).nullable(),
});

const archiveSchema: z.ZodType<Archive> = z.object({
  id: text,
  thread: text,
  batches: json.pipe(z.array(snowflakeSchema)),
  text,
  createdAt: z.number(),
});

export const headColumns =
  "id, thread, kind, rank, position, batch, sequence, batchType, parentBatch, state";
export const messageColumns = `${headColumns}, arrived, retryOf, sender, marks, body, text`;
export const threadColumns =
  "id, title, folder, agent, held, archived, createdAt, updatedAt";
export const sessionColumns =
  "thread, agent, folder, generation, sessionId, state, cursor, ledger, process";
export const archiveColumns = "id, thread, batches, text, createdAt";

export const readHead = (row: Row): Head => headSchema.parse(row);
/** A row that cannot be read is no row: a lost session is rebuilt, a lost summary made again. */
export const readThread = (row: Row): readonly Thread[] =>
  sound(threadSchema.safeParse(row).data);
export const readSession = (row: Row): readonly Session[] =>
  sound(sessionSchema.safeParse(row).data);
export const readArchive = (row: Row): readonly Archive[] =>
  sound(archiveSchema.safeParse(row).data);
export const readMarks = (row: Row): Message["marks"] =>
  z.object({ marks: json.pipe(marksSchema) }).parse(row).marks;

export function readMessage(row: Row): Message {
  const parsed = messageSchema.safeParse(row);
  return parsed.success
    ? { ...parsed.data, body: readBody(row) }
    : damaged(row);
}

/** A body that cannot be read costs that body, never the page it is on. */
export function readBody(row: Row): Body {
  const parsed = storedBody.safeParse(row);
  if (!parsed.success) return unreadable;
  const { body, text: growing } = parsed.data;
  if (growing === null || (body.kind !== "agent" && body.kind !== "thought"))
    return body;
  return { ...body, text: growing };
}

/** What is left of a row whose columns are damaged: it is shown, where it stands, as such. */
function damaged(row: Row): Message {
  const id = String(row["id"]);
  const where = z
    .object({ position: snowflakeSchema, batch: snowflakeSchema })
    .safeParse(row).data;
  return {
    id,
    thread: String(row["thread"]),
    arrived: where?.position ?? "0".repeat(16),
    rank: null,
    position: where?.position ?? null,
    batch: where?.batch ?? null,
    sequence: z.number().safeParse(row["sequence"]).data ?? null,
    batchType: null,
    parentBatch: null,
    retryOf: null,
    sender: { kind: "trigger", id: "turnline", name: "Turnline" },
    state: null,
    marks: {},
    body: unreadable,
  };
}

const unreadable: Body = {
  kind: "notice",
  level: "error",
  code: "unreadable",
  text: "This record is damaged and cannot be shown.",
};

function sound<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function readWith<T>(read: (value: string) => T) {
  return z.string().transform((value, context): T => {
    try {
      return read(value);
    } catch (error) {
      context.addIssue(String(error));
      return z.NEVER;
    }
  });
}
