import type { Body, Marks, Message, Snowflake } from "../core/message.ts";
import { blobHashes } from "../core/recordText.ts";
import type {
  BatchEnd,
  Head,
  Place,
  RecordTables,
} from "../core/recordTables.ts";
import { bodyValues, searchable, searchableKinds } from "./bodyColumns.ts";
import type { Connection } from "./connection.ts";
import { HouseTables } from "./houseTables.ts";
import { escaped, toText } from "./plain.ts";
import { readGreatest } from "./reads.ts";
import { headColumns, readHead, readMarks } from "./rows.ts";

/** The rows of the record in SQLite, inside a transaction that the caller has begun. */
export class SqliteTables extends HouseTables implements RecordTables {
  #greatest: Snowflake | undefined;
  #seen: Snowflake | undefined;

  constructor(connection: Connection) {
    super(connection);
    this.#seen = this.#greatest = readGreatest(connection);
  }

  /** After a transaction was taken back, or others wrote. */
  forget(): void {
    this.#seen = this.#greatest = readGreatest(this.connection);
  }

  /** Writes down the greatest Snowflake of the transaction, before it ends. */
  finish(): void {
    if (this.#seen === undefined || this.#seen === this.#greatest) return;
    this.connection.run(
      // Threads that are being brought in may have raised it.
      `INSERT INTO meta VALUES ('greatest', ?)
       ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)`,
      this.#seen,
    );
    this.#greatest = this.#seen;
  }

  see(id: Snowflake): void {
    if (id > (this.#seen ?? "")) this.#seen = id;
  }

  head(id: string): Head | undefined {
    const row = this.connection.get(
      `SELECT ${headColumns} FROM message WHERE id = ?`,
      toText(id),
    );
    return row === undefined ? undefined : readHead(row);
  }

  insert(message: Message, settled: boolean): void {
    const { body, sender } = message;
    this.connection.run(
      `INSERT INTO message (id, thread, arrived, rank, position, batch, sequence, batchType,
         parentBatch, retryOf, kind, sender, agent, state, marks, body, text, length, diff, search)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      toText(message.id),
      toText(message.thread),
      message.arrived,
      message.rank,
      message.position,
      message.batch,
      message.sequence,
      message.batchType,
      message.parentBatch,
      message.retryOf === null ? null : toText(message.retryOf),
      body.kind,
      JSON.stringify(sender),
      sender.kind === "agent" ? toText(sender.id) : null,
      message.state,
      JSON.stringify(message.marks),
      ...bodyValues(body),
      settled ? searchable(body.kind) : 0,
    );
    this.#useBlobs(message.id, body);
  }

  place(id: string, place: Place): void {
    this.connection.run(
      `UPDATE message SET rank = ?, position = ?, batch = ?, sequence = ?, batchType = ?,
         parentBatch = ?, state = ? WHERE id = ?`,
      place.rank,
      place.position,
      place.batch,
      place.sequence,
      place.batchType,
      place.parentBatch,
      place.state,
      toText(id),
    );
  }

  marks(id: string): Marks {
    const row = this.connection.get(
      "SELECT marks FROM message WHERE id = ?",
      toText(id),
    );
    return row === undefined ? {} : readMarks(row);
  }

  setMarks(id: string, marks: Marks): void {
    this.connection.run(
      "UPDATE message SET marks = ? WHERE id = ?",
      JSON.stringify(marks),
      toText(id),
    );
  }

  setBody(id: string, body: Body): void {
    this.connection.run(
      "UPDATE message SET body = ?, text = ?, length = ?, diff = ?, search = min(search, ?) WHERE id = ?",
      ...bodyValues(body),
      searchable(body.kind),
      toText(id),
    );
    this.connection.run(
      "DELETE FROM blobUse WHERE message = (SELECT n FROM message WHERE id = ?)",
      toText(id),
    );
    this.#useBlobs(id, body);
  }

  textLength(id: string): number {
    return this.connection.number(
      "SELECT length FROM message WHERE id = ?",
      toText(id),
    );
  }

  extendText(id: string, text: string): void {
    this.connection.run(
      "UPDATE message SET text = text || ?, length = length + ?, search = min(search, 1) WHERE id = ?",
      escaped(text),
      text.length,
      toText(id),
    );
  }

  settle(thread: string, batch: Snowflake): void {
    this.connection.run(
      `UPDATE message SET search = iif(kind IN (${searchableKinds}), 1, 2)
       WHERE thread = ? AND batch = ? AND search = 0`,
      toText(thread),
      batch,
    );
  }

  batchEnd(thread: string, batch: Snowflake): BatchEnd | undefined {
    const next = this.connection.get(
      "SELECT sequence FROM message WHERE thread = ? AND batch = ? ORDER BY sequence DESC LIMIT 1",
      toText(thread),
      batch,
    );
    if (next === undefined) return undefined;
    const first = this.connection.get(
      `SELECT ${headColumns} FROM message WHERE thread = ? AND batch = ? ORDER BY sequence LIMIT 1`,
      toText(thread),
      batch,
    );
    const head = first === undefined ? undefined : readHead(first);
    return {
      next: Number(next["sequence"]) + 1,
      batchType: head?.batchType ?? null,
      parentBatch: head?.parentBatch ?? null,
    };
  }

  batchRows(thread: string, batch: Snowflake): readonly Head[] {
    return this.connection
      .all(
        `SELECT ${headColumns} FROM message WHERE thread = ? AND batch = ? ORDER BY sequence`,
        toText(thread),
        batch,
      )
      .map(readHead);
  }

  reparent(thread: string, from: Snowflake, to: Snowflake | null): void {
    this.connection.run(
      "UPDATE message SET parentBatch = ? WHERE thread = ? AND parentBatch = ?",
      to,
      toText(thread),
      from,
    );
  }

  positionTaken(thread: string, position: Snowflake): boolean {
    return (
      this.connection.get(
        "SELECT 1 FROM message WHERE thread = ? AND position = ?",
        toText(thread),
        position,
      ) !== undefined
    );
  }

  greatestPosition(thread: string): Snowflake | undefined {
    const row = this.connection.get(
      `SELECT position FROM message WHERE thread = ? AND position IS NOT NULL
       ORDER BY position DESC LIMIT 1`,
      toText(thread),
    );
    return row === undefined ? undefined : String(row["position"]);
  }

  #useBlobs(id: string, body: Body): void {
    for (const hash of blobHashes(body))
      this.connection.run(
        "INSERT OR IGNORE INTO blobUse SELECT ?, n FROM message WHERE id = ?",
        toText(hash),
        toText(id),
      );
  }
}
