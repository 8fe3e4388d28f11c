import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../agentFeatures.ts";
import type { Body, PermissionOption, Snowflake } from "../message.ts";
import type { PermissionRequest } from "../agentPort.ts";
import { answerText } from "./answerText.ts";
import {
  markSeen,
  Pen,
  type Mint,
  type OpenElicitation,
  type Recorded,
  type Recording,
} from "./recording.ts";
import { recordTool, toolRow } from "./toolRows.ts";

const elicitationOptions: readonly PermissionOption[] = [
  { id: "accept", name: "Answered", kind: "allow_once" },
  { id: "decline", name: "Declined", kind: "reject_once" },
];

/** What the agent waits for the user to decide; recorded where it was asked, and again when it was answered. */
export function openPermission(
  recording: Recording,
  request: PermissionRequest,
  mint: Mint,
): Recorded {
  const pen = new Pen(recording, mint);
  recordTool(pen, request.tool);
  const { toolCallId } = request.tool;
  const call = toolRow(pen.recording, toolCallId)?.call;
  const body = call?.body.kind === "toolCall" ? call.body : undefined;
  const batch = call?.batch ?? pen.recording.batch;
  const title = body?.title ?? request.tool.title ?? toolCallId;
  const { options, id } = request;
  const input = body?.input ?? request.tool.input;
  const askedAt = openQuestion(pen, id, batch, {
    kind: "permission",
    toolCallId,
    title,
    options,
  });
  pen.changes.push({
    kind: "permissionOpened",
    permission: {
      id,
      batch,
      askedAt,
      toolCallId,
      ...(call === undefined ? {} : { message: call.id }),
      title,
      toolKind: body?.toolKind ?? request.tool.toolKind ?? "other",
      content: request.tool.content ?? body?.content ?? [],
      locations: request.tool.locations ?? body?.locations ?? [],
      ...(input === undefined ? {} : { input }),
      options,
    },
  });
  markSeen(pen);
  return pen.done();
}

/** Records what was chosen; null when it was cancelled or withdrawn. */
export function closePermission(
  recording: Recording,
  id: string,
  chosen: string | null,
  mint: Mint,
): Recorded {
  const pen = new Pen(recording, mint);
  closeQuestion(pen, id, chosen);
  return pen.done();
}

export interface RecordedElicitation extends Recorded {
  readonly opened: OpenElicitation;
}

/** A form or a page is recorded as a permission is: it waits for the user too. */
export function openElicitation(
  recording: Recording,
  request: ElicitationRequest,
  mint: Mint,
): RecordedElicitation {
  const pen = new Pen(recording, mint);
  const { toolCallId = "", message: title, mode } = request;
  const { batch } = recording;
  const askedAt = openQuestion(pen, elicited(request.id), batch, {
    kind: "permission",
    toolCallId,
    title,
    options: elicitationOptions,
    asks: mode === "url" ? "page" : "form",
  });
  markSeen(pen);
  return { ...pen.done(), opened: { request, batch, askedAt } };
}

/** Null when nobody answered. */
export function closeElicitation(
  recording: Recording,
  request: ElicitationRequest,
  answer: ElicitationAnswer | null,
  mint: Mint,
): Recorded {
  const pen = new Pen(recording, mint);
  const chosen =
    answer === null || answer.action === "cancel" ? null : answer.action;
  const said = answer === null ? "" : answerText(request, answer);
  closeQuestion(pen, elicited(request.id), chosen, said);
  return pen.done();
}

/** Forms and permissions are numbered apart. */
export function elicited(id: string): string {
  return `elicitation ${id}`;
}

/** A question without a batch has no row to keep it; it is open all the same. */
function openQuestion(
  pen: Pen,
  id: string,
  batch: Snowflake | null,
  body: Extract<Body, { kind: "permission" }>,
): Snowflake {
  const { late } = pen.recording;
  const message = batch === null ? null : pen.append(batch, body, late);
  pen.set({
    permissions: new Map(pen.recording.permissions).set(id, message),
  });
  pen.hurry("now");
  return message?.arrived ?? pen.mint.mint();
}

/** Null: cancelled, or withdrawn. */
export function closeQuestion(
  pen: Pen,
  id: string,
  chosen: string | null,
  answer = "",
): void {
  const message = pen.recording.permissions.get(id);
  if (message === undefined) return;
  if (message?.body.kind === "permission")
    pen.replace(message, {
      ...message.body,
      chosen,
      decidedAt: pen.mint.mint(),
      ...(answer === "" ? {} : { answer }),
    });
  const permissions = new Map(pen.recording.permissions);
  permissions.delete(id);
  pen.set({ permissions });
  pen.changes.push({ kind: "permissionClosed", id, chosen });
  pen.hurry("now");
}
