import type { ElicitationRequest } from "../agentFeatures.ts";
import type { Body, Message, Sender, Snowflake } from "../message.ts";
import type {
  ToolKind,
  ToolContent,
  Location,
  PermissionOption,
} from "../message.ts";
import { appended, type Write } from "../writes.ts";

/**
 * What the recorder knows: the rows of the running turn as they are shown, and what of them is not stored yet.
 * It runs ahead of the store, so that streamed text is seen without waiting for a commit.
 */
export interface Recording {
  readonly thread: string;
  /** Who speaks. */
  readonly speaker: Sender;
  /** Whose turn it is or was; null before the first. */
  readonly session: string | null;
  /** The batch new rows belong to; null before the first turn. */
  readonly batch: Snowflake | null;
  /** The turn's response is there: what comes now belongs to it, but came late. */
  readonly late: boolean;
  /** The agent has begun to answer the running turn. */
  readonly seen: boolean;
  readonly open: OpenText | null;
  readonly plan: Message | null;
  /** By session and tool call id: those of this turn, and those of earlier ones that are not finished. */
  readonly tools: ReadonlyMap<string, ToolRow>;
  /** Finished ones of earlier turns, by the batch that owns them; the oldest are forgotten. */
  readonly finished: ReadonlyMap<string, Snowflake>;
  /** Open questions by id; null where there is no batch to record them in. */
  readonly permissions: ReadonlyMap<string, Message | null>;
  /** Rows that tell of the agent's own compactions in this turn, by id. */
  readonly compactions: ReadonlyMap<string, Message>;
  /** To be stored, in order. */
  readonly pending: readonly Write[];
  /** In a commit that is under way. */
  readonly taken: readonly Write[];
  /** Rows that differ from what is stored, as they are shown. */
  readonly tail: ReadonlyMap<string, Message>;
}

export interface OpenText {
  readonly message: Message;
  /** The end of its text that is in no write yet. */
  readonly buffered: string;
}

export interface ToolRow {
  readonly call: Message;
  readonly result: Message | null;
  /** Told before the call had ended. */
  readonly output: string | undefined;
  /** Its turn is over: what is stored of it stays as it is, and what still comes is added. */
  readonly ended: boolean;
}

export interface OpenPermission {
  readonly id: string;
  /** Null before the first turn. */
  readonly batch: Snowflake | null;
  readonly askedAt: Snowflake;
  readonly toolCallId: string;
  /** The row of the call it asks for; absent before the first turn. */
  readonly message?: string;
  readonly title: string;
  readonly toolKind: ToolKind;
  readonly content: readonly ToolContent[];
  readonly locations: readonly Location[];
  readonly input?: string;
  readonly options: readonly PermissionOption[];
}

/** A form or a page the agent waits for. */
export interface OpenElicitation {
  readonly request: ElicitationRequest;
  readonly batch: Snowflake | null;
  readonly askedAt: Snowflake;
}

/** What a view has to change. */
export type RecordChange =
  | { readonly kind: "message"; readonly message: Message }
  /** Appends to an agent text or thought whose length is `offset`. */
  | {
      readonly kind: "text";
      readonly id: string;
      readonly offset: number;
      readonly text: string;
    }
  /** No more will be appended. */
  | { readonly kind: "textClosed"; readonly id: string }
  | { readonly kind: "permissionOpened"; readonly permission: OpenPermission }
  | {
      readonly kind: "permissionClosed";
      readonly id: string;
      readonly chosen: string | null;
    };

/** How soon what was recorded has to be stored. */
export type Urgency = "now" | "soon" | "none";

export interface Recorded {
  readonly recording: Recording;
  readonly changes: readonly RecordChange[];
  readonly urgency: Urgency;
}

/** Where rows get their ids and their places from. */
export interface Mint {
  readonly mint: () => Snowflake;
  readonly uuid: () => string;
  /** In hex: what names a blob. */
  readonly sha256: (data: Uint8Array) => string;
}

export function newRecording(
  thread: string,
  newest: Snowflake | null,
): Recording {
  return {
    thread,
    speaker: { kind: "agent", id: "", name: "" },
    session: null,
    batch: newest,
    late: true,
    seen: false,
    open: null,
    plan: null,
    tools: new Map(),
    finished: new Map(),
    permissions: new Map(),
    compactions: new Map(),
    pending: [],
    taken: [],
    tail: new Map(),
  };
}

/** One act of recording in the making. */
export class Pen {
  recording: Recording;
  readonly changes: RecordChange[] = [];
  readonly mint: Mint;
  urgency: Urgency = "none";

  constructor(recording: Recording, mint: Mint) {
    this.recording = recording;
    this.mint = mint;
  }

  set(patch: Partial<Recording>): void {
    this.recording = { ...this.recording, ...patch };
  }

  write(...writes: readonly Write[]): void {
    this.set({ pending: [...this.recording.pending, ...writes] });
  }

  hurry(urgency: "now" | "soon"): void {
    if (this.urgency !== "now") this.urgency = urgency;
  }

  /** Appends a row to a batch; whatever text was open is closed before it. */
  append(batch: Snowflake, body: Body, late: boolean): Message {
    closeText(this);
    const { thread, speaker } = this.recording;
    const record = {
      position: this.mint.mint(),
      id: this.mint.uuid(),
      thread,
      batch,
      sender: speaker,
      marks: late ? { late: true as const } : {},
      body,
    };
    this.write({ kind: "append", record });
    const message = appended(record);
    this.show(message);
    return message;
  }

  /** Replaces a row's body; earlier replacements that are not stored yet are dropped. */
  replace(message: Message, body: Body): Message {
    const changed = { ...message, body };
    const { pending } = this.recording;
    const added = pending.findIndex(
      (write) => write.kind === "append" && write.record.id === message.id,
    );
    const others = pending.filter(
      (write) => write.kind !== "body" || write.id !== message.id,
    );
    this.set({
      pending:
        added === -1
          ? [...others, { kind: "body", id: message.id, body }]
          : pending.map((write, index) =>
              index === added && write.kind === "append"
                ? { kind: "append", record: { ...write.record, body } }
                : write,
            ),
    });
    this.show(changed);
    return changed;
  }

  done(): Recorded {
    const { recording, changes, urgency } = this;
    return { recording, changes, urgency };
  }

  private show(message: Message): void {
    this.keep(message);
    this.changes.push({ kind: "message", message });
  }

  keep(message: Message): void {
    this.set({
      tail: new Map(this.recording.tail).set(message.id, message),
    });
  }
}

/** Puts what is buffered of the open text into a write. */
export function writeBuffered(pen: Pen): void {
  const { open } = pen.recording;
  if (open === null || open.buffered === "") return;
  const { message, buffered } = open;
  const offset = textOf(message.body).length - buffered.length;
  pen.write({ kind: "text", id: message.id, offset, text: buffered });
  pen.set({ open: { message, buffered: "" } });
}

export function closeText(pen: Pen): void {
  const { open } = pen.recording;
  if (open === null) return;
  writeBuffered(pen);
  pen.set({ open: null });
  pen.changes.push({ kind: "textClosed", id: open.message.id });
}

export function textOf(body: Body): string {
  return body.kind === "agent" || body.kind === "thought" ? body.text : "";
}

/** The first update of a turn says that the prompt was read: that is stored at once. */
export function markSeen(pen: Pen): void {
  const { seen, late, batch } = pen.recording;
  if (seen || late || batch === null) return;
  pen.set({ seen: true });
  pen.hurry("now");
}
