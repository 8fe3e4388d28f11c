import { assertNever } from "../../util/assertNever.ts";
import type { Message, Sender, Snowflake } from "../message.ts";
import type { AgentBlock, AgentUpdate } from "../agentPort.ts";
import type { Write } from "../writes.ts";
import {
  closeText,
  markSeen,
  Pen,
  textOf,
  writeBuffered,
  type Mint,
  type Recorded,
  type Recording,
} from "./recording.ts";
import { closeQuestion } from "./questions.ts";
import {
  endTools,
  forgetFinished,
  recordTool,
  rememberTools,
} from "./toolRows.ts";

/** Turns what an agent says into rows, and into what a view shows at once. Pure. */
export function record(
  recording: Recording,
  update: AgentUpdate,
  mint: Mint,
): Recorded {
  const pen = new Pen(recording, mint);
  add(pen, update);
  return pen.done();
}

/** What was left unheard of a turn that was cut off. */
export interface Missed {
  readonly batch: Snowflake;
  readonly session: string;
  readonly speaker: Sender;
  /** What is stored of the batch. */
  readonly rows: readonly Message[];
  readonly updates: readonly AgentUpdate[];
}

/** Told by the session itself when it is opened again. */
export function recordMissed(
  recording: Recording,
  { rows, updates, ...turn }: Missed,
  mint: Mint,
): Recorded {
  const pen = new Pen({ ...recording, ...turn, late: true }, mint);
  rememberTools(pen, rows);
  for (const update of updates) add(pen, update);
  closeText(pen);
  pen.hurry("now");
  return pen.done();
}

/** A prompt is about to be written: what comes after it belongs to its batch. */
export function beginTurn(
  recording: Recording,
  batch: Snowflake,
  speaker: Sender,
  mint: Mint,
  session: string | null = null,
): Recorded {
  const pen = new Pen(recording, mint);
  closeText(pen);
  forgetFinished(pen);
  pen.set({
    ...{ batch, speaker, session, late: false, seen: false, plan: null },
    compactions: new Map(),
  });
  return pen.done();
}

/** The response is there, or will never come: open questions are void, what follows is late. */
export function endTurn(recording: Recording, mint: Mint): Recorded {
  const pen = new Pen(recording, mint);
  closeText(pen);
  for (const id of recording.permissions.keys()) closeQuestion(pen, id, null);
  endTools(pen);
  pen.set({ late: true, plan: null });
  return pen.done();
}

/** Everything that is to be stored; it stays at hand until the commit is known to have succeeded. */
export function take(
  recording: Recording,
  mint: Mint,
): { readonly recording: Recording; readonly writes: readonly Write[] } {
  const pen = new Pen(recording, mint);
  writeBuffered(pen);
  const writes = [...recording.taken, ...pen.recording.pending];
  return {
    recording: { ...pen.recording, taken: writes, pending: [] },
    writes,
  };
}

export function stored(recording: Recording): Recording {
  const { pending, open } = recording;
  const changed = new Set(pending.map(rowOf));
  if (open !== null && open.buffered !== "") changed.add(open.message.id);
  const tail = new Map([...recording.tail].filter(([id]) => changed.has(id)));
  return { ...recording, taken: [], tail };
}

export function notStored(recording: Recording): Recording {
  const { taken, pending } = recording;
  return { ...recording, taken: [], pending: [...taken, ...pending] };
}

export function hasPending({ pending, open }: Recording): boolean {
  return pending.length > 0 || (open !== null && open.buffered !== "");
}

/** Rows as they are shown, as far as the store does not have them so. */
export function tailOf({ tail }: Recording): readonly Message[] {
  return [...tail.values()];
}

function add(pen: Pen, update: AgentUpdate): void {
  switch (update.kind) {
    case "text":
      addText(pen, "agent", update.text);
      break;
    case "thought":
      addText(pen, "thought", update.text);
      break;
    case "block":
      addBlock(pen, update.block);
      break;
    case "tool":
      recordTool(pen, update);
      break;
    case "plan":
      addPlan(pen, update.entries);
      break;
    case "userText":
    case "commands":
    case "usage":
    case "title":
    case "mode":
    case "unknown":
      return;
    default:
      assertNever(update);
  }
  markSeen(pen);
}

function addText(pen: Pen, kind: "agent" | "thought", text: string): void {
  const { batch, open, late } = pen.recording;
  if (batch === null || text === "") return;
  if (open?.message.body.kind === kind) {
    const { message, buffered } = open;
    const offset = textOf(message.body).length;
    const longer: Message = {
      ...message,
      body: {
        ...message.body,
        text: textOf(message.body) + text,
      } as Message["body"],
    };
    pen.set({ open: { message: longer, buffered: buffered + text } });
    pen.keep(longer);
    pen.changes.push({ kind: "text", id: message.id, offset, text });
  } else {
    const message = pen.append(batch, { kind, text }, late);
    pen.set({ open: { message, buffered: "" } });
  }
  pen.hurry("soon");
}

function addBlock(pen: Pen, block: AgentBlock): void {
  const { batch, late } = pen.recording;
  if (batch === null) return;
  if (block.type === "text") {
    addText(pen, "agent", block.text);
    return;
  }
  if (block.type !== "image") {
    pen.append(batch, { kind: "agent", text: "", blocks: [block] }, late);
    pen.hurry("now");
    return;
  }
  const { data, mimeType } = block;
  const blob = pen.mint.sha256(data);
  pen.write({ kind: "blob", hash: blob, mimeType, data });
  const image = { type: "image", mimeType, blob, bytes: data.length } as const;
  pen.append(batch, { kind: "agent", text: "", blocks: [image] }, late);
  pen.hurry("now");
}

/** A plan is told whole each time, so a turn has one row of it. */
function addPlan(
  pen: Pen,
  entries: Extract<AgentUpdate, { kind: "plan" }>["entries"],
): void {
  const { batch, plan, late } = pen.recording;
  const body = { kind: "plan", entries } as const;
  if (plan !== null) {
    pen.set({ plan: pen.replace(plan, body) });
    pen.hurry("soon");
  } else if (batch !== null) {
    pen.set({ plan: pen.append(batch, body, late) });
    pen.hurry("now");
  }
}

function rowOf(write: Write): string | undefined {
  if (write.kind === "append") return write.record.id;
  return write.kind === "text" || write.kind === "body" ? write.id : undefined;
}
