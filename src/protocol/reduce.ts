import { assertNever } from "../util/assertNever.ts";
import type { Op } from "./ops.ts";
import type { ViewBatch, ViewMessage, ViewToolContent } from "./transcript.ts";
import type { QueueItem, ViewState } from "./viewState.ts";

/** One change applied. `"gap"` means that something before it is missing: only a new snapshot helps. */
export function reduce(state: ViewState, op: Op): ViewState | "gap" {
  switch (op.op) {
    case "message":
      return { ...state, messages: placed(state.messages, op.message) };
    case "messageGone":
      return { ...state, messages: without(state.messages, op.id) };
    case "text":
      return append(state, op.id, (message) => grownText(message, op));
    case "output":
      return append(state, op.id, (message) => grownOutput(message, op));
    case "batch":
      return { ...state, batches: placedBatch(state.batches, op.batch) };
    case "batchGone":
      return { ...state, batches: without(state.batches, op.id) };
    case "queueItem":
      return { ...state, queue: replaced(state.queue, op.item) };
    case "queueOrder":
      return reordered(state, op.ids);
    case "parts":
      return { ...state, ...defined(op.parts) };
    default:
      return assertNever(op);
  }
}

/** The order of a transcript: by batch, then by position; what has no batch stands at its own position. */
export function comesBefore(a: ViewMessage, b: ViewMessage): boolean {
  const [ga, gb] = [a.batch ?? a.position, b.batch ?? b.position];
  return ga === gb ? a.position < b.position : ga < gb;
}

type Grown = ViewMessage | "late" | "gap";

function append(
  state: ViewState,
  id: string,
  grow: (message: ViewMessage) => Grown,
): ViewState | "gap" {
  const at = state.messages.findLastIndex((message) => message.id === id);
  const message = state.messages[at];
  if (message === undefined) return "gap";
  const grown = grow(message);
  if (grown === "gap") return "gap";
  if (grown === "late") return state;
  return { ...state, messages: state.messages.with(at, grown) };
}

/** A piece fits only at the end of a text that is open; an earlier one has been said already. */
function fits(length: number, offset: number): "yes" | "late" | "gap" {
  if (offset === length) return "yes";
  return offset < length ? "late" : "gap";
}

function grownText(
  message: ViewMessage,
  { offset, text }: { offset: number; text: string },
): Grown {
  const { body } = message;
  if (body.kind !== "agent" && body.kind !== "thought") return "late";
  if (!body.open) return "late";
  const fit = fits(body.text.length, offset);
  if (fit !== "yes") return fit;
  return { ...message, body: { ...body, text: body.text + text } };
}

function grownOutput(
  message: ViewMessage,
  piece: { index: number; offset: number; text: string },
): Grown {
  const { body } = message;
  if (body.kind !== "tool") return "late";
  const content = body.content[piece.index];
  if (content === undefined) return "gap";
  const text = outputOf(content);
  if (text === undefined) return "late";
  const fit = fits(text.length, piece.offset);
  if (fit !== "yes") return fit;
  const grown = withOutput(content, text + piece.text);
  return {
    ...message,
    body: { ...body, content: body.content.with(piece.index, grown) },
  };
}

/** The text of a content that can grow. */
export function outputOf(content: ViewToolContent): string | undefined {
  if (content.type === "text") return content.text;
  return content.type === "terminal" ? content.output : undefined;
}

function withOutput(content: ViewToolContent, text: string): ViewToolContent {
  if (content.type === "text") return { ...content, text };
  return content.type === "terminal" ? { ...content, output: text } : content;
}

function placed(
  messages: readonly ViewMessage[],
  message: ViewMessage,
): readonly ViewMessage[] {
  const at = messages.findLastIndex((other) => other.id === message.id);
  const old = messages[at];
  if (old?.batch === message.batch && old.position === message.position)
    return messages.with(at, message);
  const rest = old === undefined ? messages : messages.toSpliced(at, 1);
  const after = rest.findLastIndex((other) => comesBefore(other, message));
  return rest.toSpliced(after + 1, 0, message);
}

function placedBatch(
  batches: readonly ViewBatch[],
  batch: ViewBatch,
): readonly ViewBatch[] {
  const at = batches.findLastIndex((other) => other.id === batch.id);
  if (at >= 0) return batches.with(at, batch);
  const after = batches.findLastIndex((other) => other.id < batch.id);
  return batches.toSpliced(after + 1, 0, batch);
}

function replaced<T extends { readonly id: string }>(
  items: readonly T[],
  item: T,
): readonly T[] {
  const at = items.findIndex((other) => other.id === item.id);
  return at < 0 ? [...items, item] : items.with(at, item);
}

function without<T extends { readonly id: string }>(
  items: readonly T[],
  id: string,
): readonly T[] {
  return items.filter((item) => item.id !== id);
}

function reordered(
  state: ViewState,
  ids: readonly string[],
): ViewState | "gap" {
  const byId = new Map(state.queue.map((item) => [item.id, item]));
  const queue: QueueItem[] = [];
  for (const id of ids) {
    const item = byId.get(id);
    if (item === undefined) return "gap";
    queue.push(item);
  }
  return { ...state, queue };
}

/** A part that is present but undefined says nothing. */
function defined<T extends object>(
  parts: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  ) as { [K in keyof T]: Exclude<T[K], undefined> };
}
