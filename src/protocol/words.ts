import * as z from "zod/mini";
import type {
  BatchStatus,
  BatchType,
  MessageState,
  PermissionKind,
  StopReason,
  ToolKind,
  ToolStatus,
} from "../core/message.ts";
import type { HoldReason } from "../core/thread.ts";

/** Each value under its own name: a word added to or taken from the core is a type error here. */
type Words<T extends string> = { readonly [K in T]: K };

export const messageState = z.enum({
  queued: "queued",
  claimed: "claimed",
  sent: "sent",
  delivered: "delivered",
  seenAborted: "seenAborted",
  uncertain: "uncertain",
  superseded: "superseded",
  discarded: "discarded",
} satisfies Words<MessageState>);

export const batchStatus = z.enum({
  collecting: "collecting",
  processing: "processing",
  completed: "completed",
  cancelled: "cancelled",
  failed: "failed",
  interrupted: "interrupted",
} satisfies Words<BatchStatus>);

export const batchType = z.enum({
  user_request: "user_request",
  agent_to_agent: "agent_to_agent",
  system_trigger: "system_trigger",
  continuation: "continuation",
} satisfies Words<BatchType>);

export const toolKind = z.enum({
  read: "read",
  edit: "edit",
  delete: "delete",
  move: "move",
  search: "search",
  execute: "execute",
  think: "think",
  fetch: "fetch",
  switch_mode: "switch_mode",
  other: "other",
} satisfies Words<ToolKind>);

export const toolStatus = z.enum({
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
  interrupted: "interrupted",
} satisfies Words<ToolStatus>);

export const permissionKind = z.enum({
  allow_once: "allow_once",
  allow_always: "allow_always",
  reject_once: "reject_once",
  reject_always: "reject_always",
} satisfies Words<PermissionKind>);

export const stopReason = z.enum({
  end_turn: "end_turn",
  max_tokens: "max_tokens",
  max_turn_requests: "max_turn_requests",
  refusal: "refusal",
  cancelled: "cancelled",
  error: "error",
  stuck: "stuck",
  interrupted: "interrupted",
} satisfies Words<StopReason>);

export const holdReason = z.enum({
  user: "user",
  restored: "restored",
  cancelled: "cancelled",
  signIn: "signIn",
  notInstalled: "notInstalled",
  startFailed: "startFailed",
  failing: "failing",
  notSaved: "notSaved",
} satisfies Words<HoldReason>);

/** An id of anything; long enough for every id there is, short enough to bound a hostile one. */
export const id = z.string().check(z.minLength(1), z.maxLength(512));

/** Milliseconds of the host's wall clock. */
export const time = z.number();

export const count = z.int().check(z.nonnegative());
