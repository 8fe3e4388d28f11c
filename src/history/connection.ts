import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import type { Durability } from "../core/writes.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Sees every statement before it runs, and the moment after a commit: where the crash harness pulls the plug. */
export type StatementHook = (sql: string) => void;

export interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** How long a statement waits for another process's lock. */
  readonly busyMs?: number;
  readonly hook?: StatementHook | undefined;
  /** Keeps everyone else out, and what is shared with them in memory: it needs no room on the disk. */
  readonly alone?: boolean;
}

/** One open database file: prepared statements kept, transactions whole. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #hook: StatementHook | undefined;
  #durability: Durability | undefined;

  constructor(path: string | URL, options: ConnectionOptions = {}) {
    this.#hook = options.hook;
    this.#database = new DatabaseSync(path, {
      readOnly: options.readOnly ?? false,
      timeout: options.busyMs ?? 1000,
    });
    if (options.alone === true) this.exec("PRAGMA locking_mode = EXCLUSIVE");
  }

  exec(sql: string): void {
    this.#hook?.(sql);
    this.#database.exec(sql);
  }

  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#statement(sql).all(...values);
  }

  /** The one column of the one row, as a number. */
  number(sql: string, ...values: readonly SQLInputValue[]): number {
    const row = this.get(sql, ...values);
    return row === undefined ? 0 : Number(Object.values(row)[0]);
  }

  /** Keeps what `work` did only if `keep` says so; an exception keeps nothing. */
  transaction<T>(
    durability: Durability,
    work: () => T,
    keep: (result: T) => boolean = () => true,
  ): T {
    this.#sync(durability);
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec(keep(result) ? "COMMIT" : "ROLLBACK");
      this.#hook?.("after commit");
      return result;
    } finally {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    this.#hook?.(sql);
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #sync(durability: Durability): void {
    if (this.#durability === durability) return;
    this.exec(
      `PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`,
    );
    this.#durability = durability;
  }
}
