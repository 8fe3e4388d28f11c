import { createHash } from "node:crypto";
import * as z from "zod";
import type { Body, Message, Sender } from "../core/message.ts";
import type { FlatRow } from "../core/transferFlat.ts";
import {
  bodySchema,
  marksSchema,
  senderSchema,
  stateSchema,
} from "./bodySchema.ts";

const roles = { user: "user", assistant: "agent", agent: "agent" } as const;

const flatMessage = z.looseObject({
  id: z.string().exactOptional(),
  sender: senderSchema.exactOptional(),
  state: stateSchema.nullish(),
  retryOf: z.string().nullish(),
  marks: marksSchema.exactOptional(),
  body: bodySchema,
});

/** Who said something, and what, as many tools write it. */
const spoken = z.looseObject({
  role: z.enum(["user", "assistant", "agent"]).exactOptional(),
  kind: z.enum(["user", "agent"]).exactOptional(),
  text: z.string().exactOptional(),
  content: z.string().exactOptional(),
});

/** A line of a flat file: a record without its place, a body, or a role and a text; undefined when it is none of them. */
export function flatRow(
  line: unknown,
  id: string,
  agent: string,
): FlatRow | undefined {
  const wrapped = z
    .object({ kind: z.literal("message"), message: flatMessage })
    .safeParse(line).data?.message;
  const body = wrapped?.body ?? plainBody(line);
  if (body === undefined) return undefined;
  return {
    id: wrapped?.id ?? id,
    sender: wrapped?.sender ?? senderOf(body, agent),
    state: body.kind === "user" ? settled(wrapped?.state) : null,
    retryOf: wrapped?.retryOf ?? null,
    marks: wrapped?.marks ?? {},
    body,
  };
}

/** Names a conversation by how it begins: the same file makes the same thread, also when it has grown. */
export function nameOf(firstLine: string): string {
  const hash = createHash("sha256").update(firstLine).digest("hex");
  return `file-${hash.slice(0, 32)}`;
}

function plainBody(line: unknown): Body | undefined {
  const said = spoken.safeParse(line).data;
  const kind = said?.role === undefined ? said?.kind : roles[said.role];
  const text = said?.text ?? said?.content;
  if (kind !== undefined && text !== undefined)
    return kind === "agent"
      ? { kind, text }
      : { kind, blocks: [{ type: "text", text }] };
  return bodySchema.safeParse(line).data;
}

function senderOf({ kind }: Body, agent: string): Sender {
  return kind === "user"
    ? { kind: "user", name: "user" }
    : { kind: "agent", id: agent, name: agent };
}

/** What was under way there, nobody here will hear of. */
function settled(state: Message["state"] | undefined): Message["state"] {
  if (state === "claimed" || state === "sent") return "uncertain";
  return state === undefined || state === null || state === "queued"
    ? "delivered"
    : state;
}
