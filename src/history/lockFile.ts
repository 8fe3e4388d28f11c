import fs from "node:fs";
import path from "node:path";
import { Connection } from "./connection.ts";
import { notPrivate } from "./rescueFolders.ts";
import { troubleOf } from "./sqliteError.ts";
import { errorText } from "../util/errorText.ts";

export type Taken =
  | { readonly kind: "taken"; readonly lock: LockFile }
  | { readonly kind: "held" }
  | { readonly kind: "failed"; readonly detail: string };

/** A lock that the system releases with the process, however it ends: an exclusive transaction that never writes. */
export class LockFile {
  readonly #connection: Connection;
  readonly #file: string;

  private constructor(connection: Connection, file: string) {
    this.#connection = connection;
    this.#file = file;
  }

  static take(folder: string): Taken {
    const file = path.join(folder, "writer.lock");
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const detail = notPrivate(folder);
      if (detail !== undefined) return { kind: "failed", detail };
      for (let tries = 0; tries < 3; tries += 1) {
        const taken = attempt(file);
        if (taken === "held") return { kind: "held" };
        if (taken !== undefined)
          return { kind: "taken", lock: new LockFile(taken, file) };
      }
      return { kind: "held" };
    } catch (error) {
      if (troubleOf(error) === undefined) throw error;
      return { kind: "failed", detail: errorText(error) };
    }
  }

  release(): void {
    this.#connection.close();
  }

  /** Lets go and leaves nothing behind. */
  remove(): void {
    // Windows removes no file that is open.
    if (process.platform === "win32") this.release();
    fs.rmSync(this.#file, { force: true });
    if (process.platform !== "win32") this.release();
  }
}

/** Undefined: the file was not what it seemed, and another try may find it right. */
function attempt(file: string): Connection | "held" | undefined {
  makeFile(file);
  const before = inode(file);
  const connection = new Connection(file, { busyMs: 0 });
  try {
    // With its journal in memory it needs no room on a disk that is full.
    connection.exec("PRAGMA journal_mode = MEMORY");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection.close();
    const trouble = troubleOf(error);
    if (trouble === "locked") return "held";
    if (trouble !== "corrupt") throw error;
    // Nobody can hold a lock on rubbish.
    fs.rmSync(file, { force: true });
    return undefined;
  }
  // It was removed meanwhile: others would lock another file of this name.
  if (inode(file) === before) return connection;
  connection.close();
  return undefined;
}

/** Opens no file that is there: to close it would let go of every lock this process has on it. */
function makeFile(file: string): void {
  try {
    fs.closeSync(fs.openSync(file, "wx"));
  } catch (error) {
    if (!fs.existsSync(file)) throw error;
  }
}

function inode(file: string): bigint | undefined {
  return fs.statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}
