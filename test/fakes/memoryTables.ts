import type {
  Body,
  Marks,
  Message,
  Snowflake,
} from "../../src/core/message.ts";
import { hasDiff } from "../../src/core/recordText.ts";
import type {
  BatchEnd,
  Head,
  Place,
  RecordTables,
} from "../../src/core/recordTables.ts";
import type { Session, Thread } from "../../src/core/thread.ts";
import type { Archive } from "../../src/core/writes.ts";

interface MessageRow {
  readonly message: Message;
  readonly settled: boolean;
  /** Rows are numbered as they come. */
  readonly order: number;
}

/** Maps in place of tables. Rows are never changed, only replaced, so that a transaction can be taken back. */
export class MemoryTables implements RecordTables {
  threads = new Map<
    string,
    { readonly thread: Thread; readonly deletedAt: number | null }
  >();
  sessions = new Map<string, Session>();
  requests = new Set<string>();
  messages = new Map<string, MessageRow>();
  blobs = new Map<
    string,
    { readonly mimeType: string; readonly data: Uint8Array }
  >();
  archives = new Map<string, Archive>();
  greatest: Snowflake | undefined;
  order = 0;

  /** All of it or nothing. */
  attempt<T extends { readonly ok: boolean }>(change: () => T): T {
    const before = {
      threads: new Map(this.threads),
      sessions: new Map(this.sessions),
      requests: new Set(this.requests),
      messages: new Map(this.messages),
      blobs: new Map(this.blobs),
      archives: new Map(this.archives),
      greatest: this.greatest,
      order: this.order,
    };
    const result = change();
    if (!result.ok) Object.assign(this, before);
    return result;
  }

  threadThere(id: string): boolean {
    return this.threads.get(id)?.deletedAt === null;
  }

  putThread(thread: Thread): void {
    const deletedAt = this.threads.get(thread.id)?.deletedAt ?? null;
    this.threads.set(thread.id, { thread, deletedAt });
  }

  markThread(id: string, deletedAt: number | null): boolean {
    const row = this.threads.get(id);
    if (row === undefined) return false;
    this.threads.set(id, { ...row, deletedAt });
    return true;
  }

  putSession(session: Session): void {
    const { thread, agent, generation } = session;
    this.sessions.set(JSON.stringify([thread, agent, generation]), session);
  }

  requestKnown(id: string): boolean {
    return this.requests.has(id);
  }

  addRequest(id: string): void {
    this.requests.add(id);
  }

  head(id: string): Head | undefined {
    const message = this.messages.get(id)?.message;
    return message === undefined
      ? undefined
      : { ...message, kind: message.body.kind };
  }

  insert(message: Message, settled: boolean): void {
    this.order += 1;
    this.messages.set(message.id, { message, settled, order: this.order });
  }

  place(id: string, place: Place): void {
    const { rank, position, batch, sequence, batchType, parentBatch, state } =
      place;
    this.#change(id, {
      rank,
      position,
      batch,
      sequence,
      batchType,
      parentBatch,
      state,
    });
  }

  marks(id: string): Marks {
    return this.#row(id).message.marks;
  }

  setMarks(id: string, marks: Marks): void {
    this.#change(id, { marks });
  }

  setBody(id: string, body: Body): void {
    this.#change(id, { body });
  }

  textLength(id: string): number {
    return textOf(this.#row(id).message.body).length;
  }

  extendText(id: string, text: string): void {
    const { body } = this.#row(id).message;
    if (body.kind === "agent" || body.kind === "thought")
      this.setBody(id, { ...body, text: body.text + text });
  }

  settle(thread: string, batch: Snowflake): void {
    for (const { id } of this.rowsOf(thread, batch))
      this.messages.set(id, { ...this.#row(id), settled: true });
  }

  batchEnd(thread: string, batch: Snowflake): BatchEnd | undefined {
    const rows = this.rowsOf(thread, batch);
    const [first] = rows;
    return first === undefined
      ? undefined
      : {
          next: rows.length,
          batchType: first.batchType,
          parentBatch: first.parentBatch,
        };
  }

  batchRows(thread: string, batch: Snowflake): readonly Head[] {
    return this.rowsOf(thread, batch).map((row) => ({
      ...row,
      kind: row.body.kind,
    }));
  }

  reparent(thread: string, from: Snowflake, to: Snowflake | null): void {
    for (const { message } of this.messages.values())
      if (message.thread === thread && message.parentBatch === from)
        this.#change(message.id, { parentBatch: to });
  }

  positionTaken(thread: string, position: Snowflake): boolean {
    return [...this.messages.values()].some(
      ({ message }) =>
        message.thread === thread && message.position === position,
    );
  }

  greatestPosition(thread: string): Snowflake | undefined {
    let greatest: Snowflake | undefined;
    for (const { message } of this.messages.values())
      if (
        message.thread === thread &&
        message.position !== null &&
        message.position > (greatest ?? "")
      )
        greatest = message.position;
    return greatest;
  }

  putBlob(hash: string, mimeType: string, data: Uint8Array): void {
    if (!this.blobs.has(hash)) this.blobs.set(hash, { mimeType, data });
  }

  putArchive(archive: Archive): void {
    this.archives.set(archive.id, archive);
  }

  removeArchive(id: string): void {
    this.archives.delete(id);
  }

  see(id: Snowflake): void {
    if (id > (this.greatest ?? "")) this.greatest = id;
  }

  rowsOf(thread: string, batch: Snowflake): readonly Message[] {
    return [...this.messages.values()]
      .map(({ message }) => message)
      .filter((row) => row.thread === thread && row.batch === batch)
      .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  }

  batchHasDiff(message: Message): boolean {
    if (message.batch === null) return hasDiff(message.body);
    return this.rowsOf(message.thread, message.batch).some(({ body }) =>
      hasDiff(body),
    );
  }

  #row(id: string): MessageRow {
    const row = this.messages.get(id);
    if (row === undefined) throw new Error(`No row ${id}`);
    return row;
  }

  #change(id: string, change: Partial<Message>): void {
    const row = this.#row(id);
    this.messages.set(id, { ...row, message: { ...row.message, ...change } });
  }
}

function textOf(body: Body): string {
  return body.kind === "agent" || body.kind === "thought" ? body.text : "";
}
