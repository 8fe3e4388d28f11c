import type { Session, Thread } from "../core/thread.ts";
import type { Archive } from "../core/writes.ts";
import type { Connection } from "./connection.ts";
import { toText } from "./plain.ts";
import { beingCleared } from "./removal.ts";

/** The rows around messages: threads, sessions, request ids, blobs, archives. */
export class HouseTables {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  threadThere(id: string): boolean {
    return (
      this.connection.get(
        "SELECT 1 FROM thread WHERE id = ? AND deletedAt IS NULL",
        toText(id),
      ) !== undefined
    );
  }

  putThread(thread: Thread): void {
    this.connection.run(
      `INSERT INTO thread (id, title, folder, agent, held, archived, createdAt, updatedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, folder = excluded.folder,
         agent = excluded.agent, held = excluded.held, archived = excluded.archived,
         createdAt = excluded.createdAt, updatedAt = excluded.updatedAt`,
      toText(thread.id),
      toText(thread.title),
      toText(thread.folder),
      toText(thread.agent),
      thread.held,
      thread.archived ? 1 : 0,
      thread.createdAt,
      thread.updatedAt,
    );
  }

  markThread(id: string, deletedAt: number | null): boolean {
    const changes = this.connection.run(
      `UPDATE thread SET deletedAt = ? WHERE id = ? AND deletedAt IS NOT ${beingCleared}`,
      deletedAt,
      toText(id),
    );
    return changes > 0;
  }

  putSession(session: Session): void {
    this.connection.run(
      `INSERT OR REPLACE INTO session
       (thread, agent, folder, generation, sessionId, state, cursor, ledger, process)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      toText(session.thread),
      toText(session.agent),
      toText(session.folder),
      session.generation,
      session.sessionId === null ? null : toText(session.sessionId),
      session.state,
      session.cursor,
      JSON.stringify(session.ledger),
      session.process === null ? null : JSON.stringify(session.process),
    );
  }

  requestKnown(id: string): boolean {
    return (
      this.connection.get("SELECT 1 FROM request WHERE id = ?", toText(id)) !==
      undefined
    );
  }

  addRequest(id: string): void {
    this.connection.run(
      "INSERT INTO request (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET goneAt = NULL",
      toText(id),
    );
  }

  putBlob(hash: string, mimeType: string, data: Uint8Array): void {
    this.connection.run(
      `INSERT INTO blob (hash, mimeType, data) VALUES (?, ?, ?)
       ON CONFLICT (hash) DO UPDATE SET unusedSince = NULL`,
      toText(hash),
      toText(mimeType),
      data,
    );
  }

  putArchive(archive: Archive): void {
    this.connection.run(
      "INSERT OR REPLACE INTO archive (id, thread, batches, text, createdAt) VALUES (?, ?, ?, ?, ?)",
      toText(archive.id),
      toText(archive.thread),
      JSON.stringify(archive.batches),
      toText(archive.text),
      archive.createdAt,
    );
  }

  removeArchive(id: string): void {
    this.connection.run("DELETE FROM archive WHERE id = ?", toText(id));
  }
}
