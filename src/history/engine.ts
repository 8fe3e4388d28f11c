import fs from "node:fs";
import { applyWrites } from "../core/recordApply.ts";
import type { Statistics } from "../core/recordPort.ts";
import type { CommitAnswer, Durability, Write } from "../core/writes.ts";
import { adopt, type AdoptOptions } from "./adoption.ts";
import { countBefore, readFacts } from "./batchReads.ts";
import type { Connection } from "./connection.ts";
import { find } from "./find.ts";
import { damageNote, integrity } from "./inspection.ts";
import { maintain } from "./maintenance.ts";
import type { Operations } from "./operations.ts";
import * as reads from "./reads.ts";
import { readSinceUser } from "./sinceUser.ts";
import { retain, usedBytes } from "./retention.ts";
import { search } from "./search.ts";
import { indexDue } from "./searchIndex.ts";
import type { Sliced } from "./slices.ts";
import { troubleOf } from "./sqliteError.ts";
import { SqliteTables } from "./tables.ts";
import { errorText } from "../util/errorText.ts";

export interface EngineOptions {
  readonly file: string;
  readonly readOnly: boolean;
  readonly fullText: boolean;
  readonly statements: () => number;
  readonly onDamage: (detail: string) => void;
}

/** The record on one open connection. Runs in the worker; nothing here waits. */
export class Engine implements Operations {
  readonly #connection: Connection;
  readonly #options: EngineOptions;
  readonly #tables: SqliteTables;
  readonly #fullText: boolean;
  #damage: string | undefined;

  constructor(connection: Connection, options: EngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#tables = new SqliteTables(connection);
    this.#fullText = options.fullText;
  }

  commit(writes: readonly Write[], durability: Durability): CommitAnswer {
    if (this.#damage !== undefined)
      return { ok: false, reason: "failed", detail: this.#damage };
    if (this.#options.readOnly)
      return { ok: false, reason: "readOnly", detail: "opened to read only" };
    let answer: CommitAnswer;
    try {
      answer = this.#connection.transaction(
        durability,
        () => {
          const applied = applyWrites(this.#tables, writes);
          if (applied.ok) this.#tables.finish();
          return applied;
        },
        ({ ok }) => ok,
      );
    } catch (error) {
      answer = this.#refusal(error);
    }
    if (!answer.ok) this.#tables.forget();
    return answer;
  }

  threads(): ReturnType<Operations["threads"]> {
    return reads.readThreads(this.#connection);
  }

  thread(id: string): ReturnType<Operations["thread"]> {
    return reads.findThread(this.#connection, id);
  }

  sessions(thread: string): ReturnType<Operations["sessions"]> {
    return reads.readSessions(this.#connection, thread);
  }

  queue(thread: string): ReturnType<Operations["queue"]> {
    return reads.readQueue(this.#connection, thread);
  }

  unsettled(thread: string): ReturnType<Operations["unsettled"]> {
    return reads.readUnsettled(this.#connection, thread);
  }

  unfinished(): ReturnType<Operations["unfinished"]> {
    return reads.readUnfinished(this.#connection);
  }

  sinceUser(
    thread: string,
    limit: number,
  ): ReturnType<Operations["sinceUser"]> {
    return readSinceUser(this.#connection, thread, limit);
  }

  page(
    ...parameters: Parameters<Operations["page"]>
  ): ReturnType<Operations["page"]> {
    return reads.readPage(this.#connection, ...parameters);
  }

  batch(thread: string, batch: string): ReturnType<Operations["batch"]> {
    return reads.readBatch(this.#connection, thread, batch);
  }

  message(id: string): ReturnType<Operations["message"]> {
    return reads.findMessage(this.#connection, id);
  }

  blobs(hashes: readonly string[]): ReturnType<Operations["blobs"]> {
    return reads.readBlobs(this.#connection, hashes);
  }

  greatest(): ReturnType<Operations["greatest"]> {
    return reads.readGreatest(this.#connection);
  }

  discarded(
    thread: string,
    limit: number,
  ): ReturnType<Operations["discarded"]> {
    return reads.readDiscarded(this.#connection, thread, limit);
  }

  archives(thread: string): ReturnType<Operations["archives"]> {
    return reads.readArchives(this.#connection, thread);
  }

  find(
    ...[query]: Parameters<Operations["find"]>
  ): ReturnType<Operations["find"]> {
    return find(this.#connection, query);
  }

  search(
    ...[query]: Parameters<Operations["search"]>
  ): ReturnType<Operations["search"]> {
    const mayIndex = !this.#options.readOnly;
    return search(this.#connection, query, {
      fullText: this.#fullText,
      mayIndex,
    });
  }

  batches(
    ...[query]: Parameters<Operations["batches"]>
  ): ReturnType<Operations["batches"]> {
    return readFacts(this.#connection, query);
  }

  batchesBefore(thread: string, batch: string): number {
    return countBefore(this.#connection, thread, batch);
  }

  *statistics(): Sliced<Statistics> {
    const count = (from: string): number =>
      this.#connection.number(`SELECT count(*) FROM ${from}`);
    const threads = count("thread WHERE deletedAt IS NULL");
    const queued = count("message WHERE state = 'queued'");
    yield;
    const messages = count("message");
    yield;
    const batches = count("message WHERE sequence = 0");
    yield;
    return {
      threads,
      messages,
      queued,
      batches,
      blobs: count("blob"),
      blobBytes: this.#connection.number(
        "SELECT coalesce(sum(length(data)), 0) FROM blob",
      ),
      bytes: usedBytes(this.#connection),
    };
  }

  retain(
    ...[policy, now]: Parameters<Operations["retain"]>
  ): ReturnType<Operations["retain"]> {
    return retain(this.#connection, policy, now, this.#fullText);
  }

  *maintain(now: number): ReturnType<Operations["maintain"]> {
    const damage = yield* this.#upkeep(now);
    if (damage !== null) this.damaged(damage);
    return { damage };
  }

  *adopt(
    file: string,
    options: AdoptOptions = {},
  ): ReturnType<Operations["adopt"]> {
    if (this.#options.readOnly)
      return { ok: false, detail: "this record is only read" };
    const here = this.#options.file;
    const adopted = yield* adopt(this.#connection, here, file, options);
    this.#tables.forget();
    return adopted;
  }

  integrity(): string {
    return integrity(this.#connection);
  }

  statements(): number {
    return this.#options.statements();
  }

  /** A piece of the indexing that commits leave behind; false when nothing is left. */
  indexSome(): boolean {
    if (!this.#fullText || this.#options.readOnly) return false;
    if (this.#damage !== undefined) return false;
    return indexDue(this.#connection) > 0;
  }

  /** From here on nothing is written to the file; the next opening looks at it thoroughly. */
  damaged(detail: string): void {
    if (this.#damage !== undefined) return;
    this.#damage = detail;
    try {
      fs.writeFileSync(damageNote(this.#options.file), detail);
    } catch {
      // Without the note the next opening finds the damage when it comes upon it, as this one did.
    }
    this.#options.onDamage(detail);
  }

  close(): undefined {
    this.#connection.close();
    return undefined;
  }

  *#upkeep(now: number): Sliced<string | null> {
    try {
      return (yield* maintain(this.#connection, now, this.#fullText)).damage;
    } catch (error) {
      if (troubleOf(error) !== "corrupt") throw error;
      return errorText(error);
    }
  }

  #refusal(error: unknown): CommitAnswer {
    const trouble = troubleOf(error);
    const detail = errorText(error);
    if (trouble === "corrupt") this.damaged(detail);
    const reason =
      trouble === "full" || trouble === "readOnly" ? trouble : "failed";
    return { ok: false, reason, detail };
  }
}
