import * as z from "zod";
import { toolKinds } from "../core/message.ts";
import type {
  Block,
  Body,
  Marks,
  ProcessIdentity,
  Sender,
  ToolContent,
} from "../core/message.ts";
import { isSnowflake } from "../core/snowflake.ts";

export const snowflakeSchema = z.string().refine(isSnowflake);

export const batchTypeSchema = z.enum([
  "user_request",
  "agent_to_agent",
  "system_trigger",
  "continuation",
]);

export const stateSchema = z.enum([
  "queued",
  "claimed",
  "sent",
  "delivered",
  "seenAborted",
  "uncertain",
  "superseded",
  "discarded",
]);

export const holdSchema = z.enum([
  "user",
  "restored",
  "cancelled",
  "signIn",
  "notInstalled",
  "startFailed",
  "failing",
  "notSaved",
]);

export const senderSchema: z.ZodType<Sender> = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("user"), name: z.string() }),
  z.looseObject({ kind: z.literal("agent"), id: z.string(), name: z.string() }),
  z.looseObject({
    kind: z.literal("trigger"),
    id: z.string(),
    name: z.string(),
  }),
]);

export const marksSchema: z.ZodType<Marks> = z.looseObject({
  separate: z.literal(true).exactOptional(),
  late: z.literal(true).exactOptional(),
  cut: z.number().exactOptional(),
  from: z.string().exactOptional(),
  merged: z.array(z.string()).exactOptional(),
  waited: z.enum(["turn", "collected", "held", "restored"]).exactOptional(),
});

export const processSchema: z.ZodType<ProcessIdentity> = z.looseObject({
  nonce: z.string(),
  pid: z.number(),
  startTime: z.string(),
});

const blockSchema: z.ZodType<Block> = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({
    type: z.literal("image"),
    mimeType: z.string(),
    blob: z.string(),
    bytes: z.number(),
    name: z.string().exactOptional(),
  }),
  z.looseObject({
    type: z.literal("resource"),
    uri: z.string(),
    mimeType: z.string().exactOptional(),
    text: z.string(),
  }),
  z.looseObject({
    type: z.literal("link"),
    uri: z.string(),
    name: z.string(),
    mimeType: z.string().exactOptional(),
  }),
]);

const toolContentSchema: z.ZodType<ToolContent> = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("text"),
    text: z.string(),
    cut: z.number().exactOptional(),
  }),
  z.looseObject({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.string().nullable(),
    newText: z.string(),
  }),
  z.looseObject({
    type: z.literal("terminal"),
    terminalId: z.string(),
    output: z.string(),
    exitCode: z.number().exactOptional(),
    cut: z.number().exactOptional(),
  }),
  z.looseObject({
    type: z.literal("block"),
    block: blockSchema,
    cut: z.number().exactOptional(),
  }),
]);

const usageSchema = z.looseObject({
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  totalTokens: z.number().exactOptional(),
  cachedReadTokens: z.number().exactOptional(),
  cost: z.object({ amount: z.number(), currency: z.string() }).exactOptional(),
});

const recipeSchema = z.looseObject({
  kind: z.enum(["full", "delta"]),
  packer: z.string(),
  positions: z.array(z.string()),
  fragments: z.array(
    z.looseObject({
      id: z.string(),
      hash: z.string(),
      changed: z.literal(true).exactOptional(),
    }),
  ),
  reason: z.string(),
  bytes: z.number(),
  hash: z.string(),
  form: z
    .looseObject({
      packing: z.enum(["tagged", "blocks"]),
      batch: z.number(),
      image: z.boolean(),
      embeddedContext: z.boolean(),
      alone: z.literal(true).exactOptional(),
      systemPrompt: z.string().exactOptional(),
      missing: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  omitted: z
    .looseObject({
      digested: z.array(z.string()).exactOptional(),
      leftOut: z.literal(true).exactOptional(),
      unchanged: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
});

/** Loose throughout: a field that this version does not know stays with its record. */
export const bodySchema: z.ZodType<Body> = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("user"), blocks: z.array(blockSchema) }),
  z.looseObject({
    kind: z.literal("agent"),
    text: z.string(),
    blocks: z.array(blockSchema).exactOptional(),
  }),
  z.looseObject({ kind: z.literal("thought"), text: z.string() }),
  z.looseObject({
    kind: z.literal("toolCall"),
    toolCallId: z.string(),
    title: z.string(),
    toolKind: z.enum(toolKinds),
    status: z.enum([
      "pending",
      "in_progress",
      "completed",
      "failed",
      "interrupted",
    ]),
    locations: z.array(
      z.looseObject({ path: z.string(), line: z.number().exactOptional() }),
    ),
    content: z.array(toolContentSchema),
    input: z.string().exactOptional(),
  }),
  z.looseObject({
    kind: z.literal("toolResult"),
    toolCallId: z.string(),
    status: z.enum(["completed", "failed", "interrupted"]),
    content: z.array(toolContentSchema),
    output: z.string().exactOptional(),
  }),
  z.looseObject({
    kind: z.literal("plan"),
    entries: z.array(
      z.looseObject({
        content: z.string(),
        priority: z.enum(["high", "medium", "low"]),
        status: z.enum(["pending", "in_progress", "completed"]),
      }),
    ),
  }),
  z.looseObject({
    kind: z.literal("permission"),
    toolCallId: z.string(),
    title: z.string(),
    options: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        kind: z.enum([
          "allow_once",
          "allow_always",
          "reject_once",
          "reject_always",
        ]),
      }),
    ),
    chosen: z.string().nullable().exactOptional(),
    decidedAt: snowflakeSchema.exactOptional(),
    asks: z.enum(["form", "page"]).exactOptional(),
    answer: z.string().exactOptional(),
  }),
  z.looseObject({
    kind: z.literal("turnStart"),
    agent: z.string(),
    session: z.string(),
    generation: z.number(),
    process: processSchema,
    recipe: recipeSchema,
  }),
  z.looseObject({
    kind: z.literal("turnEnd"),
    stop: z.enum([
      "end_turn",
      "max_tokens",
      "max_turn_requests",
      "refusal",
      "cancelled",
      "error",
      "stuck",
      "interrupted",
    ]),
    usage: usageSchema.exactOptional(),
    error: z.string().exactOptional(),
  }),
  z.looseObject({
    kind: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
  }),
]);
