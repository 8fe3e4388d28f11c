import fs from "node:fs";
import path from "node:path";
import { Connection } from "./connection.ts";
import type { StatementHook } from "./connection.ts";
import { create, upgrade } from "./creation.ts";
import { databaseFile, databaseFiles } from "./databaseFiles.ts";
import {
  damageNote,
  frozenUrl,
  hasRecent,
  inspect,
  isWritable,
} from "./inspection.ts";
import { migrations } from "./schema.ts";
import type { Migration } from "./schema.ts";
import { ensureIndex } from "./searchIndex.ts";
import { isDiskFault, troubleOf } from "./sqliteError.ts";
import type { Trouble } from "./sqliteError.ts";
import { errorText } from "../util/errorText.ts";

export interface LeftFile {
  readonly path: string;
  readonly reason: "corrupt" | "newer";
  readonly detail: string;
}

export type OpenResult =
  | {
      readonly ok: true;
      readonly path: string;
      readonly created: boolean;
      readonly readOnly: boolean;
      /** Files left untouched because this version cannot read them: the user is told of them and of `path`. */
      readonly left: readonly LeftFile[];
      /** Sound files beside this one: their threads can be brought in. */
      readonly others: readonly string[];
      /** Copies made before the schema was taken further. */
      readonly backups: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: Exclude<Trouble, "corrupt" | "newer">;
      readonly path: string;
      readonly detail: string;
    };

export interface OpenOptions {
  readonly folder: string;
  readonly mode: "write" | "read";
  readonly hook?: StatementHook | undefined;
  readonly migrations?: readonly Migration[];
  /** Whether to keep an index of words, where this SQLite can. */
  readonly fullText?: boolean;
}

export interface OpenedFile {
  readonly result: OpenResult;
  readonly connection?: Connection;
  readonly fullText?: boolean;
}

const mostFiles = 100;

/**
 * Opens the first sound database of a folder, or makes one beside those that are not.
 * A file that cannot be read stays as it is, to the byte.
 */
export function openFile(options: OpenOptions): OpenedFile {
  const left: LeftFile[] = [];
  for (let n = 1; n <= mostFiles; n += 1) {
    const opened = guarded(n, options, left);
    if (opened !== undefined) return opened;
  }
  return failure(options.folder, "failed", "too many damaged files here");
}

function guarded(
  n: number,
  options: OpenOptions,
  left: LeftFile[],
): OpenedFile | undefined {
  const file = databaseFile(options.folder, n);
  try {
    return openOne(n, options, left);
  } catch (error) {
    const reason = troubleOf(error);
    if (reason === undefined) throw error;
    if (reason !== "corrupt" && reason !== "newer")
      return failure(file, reason, errorText(error));
    left.push({ path: file, reason, detail: errorText(error) });
    return undefined;
  }
}

function openOne(
  n: number,
  options: OpenOptions,
  left: LeftFile[],
): OpenedFile | undefined {
  const { folder, mode, hook } = options;
  const steps = options.migrations ?? migrations;
  const file = databaseFile(folder, n);
  if (mode === "write") fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = inspect(file, steps.length);
  if (found.kind === "corrupt" || found.kind === "newer") {
    left.push({ path: file, reason: found.kind, detail: found.detail });
    return undefined;
  }
  const readOnly =
    mode === "read" || (found.kind !== "missing" && !isWritable(file));
  if (found.kind === "missing") {
    if (readOnly) return failure(file, "readOnly", "there is no history yet");
    create(file, steps, hook);
  }
  if (found.kind === "older" && readOnly)
    return failure(file, "locked", "another window has yet to upgrade it");
  if (!readOnly) fs.rmSync(damageNote(file), { force: true });
  const connection = connect(file, readOnly, hook);
  const version = connection.number("PRAGMA user_version");
  // Only recent changes can say so that could not be read before.
  if (version > steps.length) {
    connection.close();
    const detail = `it was written by a newer Turnline (${version})`;
    left.push({ path: file, reason: "newer", detail });
    return undefined;
  }
  const backups = readOnly ? [] : upgrade(connection, file, steps);
  const created = found.kind === "missing";
  const others = databaseFiles(folder).filter(
    (other) => other !== file && isUsable(other, steps.length),
  );
  return {
    connection,
    fullText: options.fullText !== false && index(connection, readOnly),
    result: { ok: true, path: file, created, readOnly, left, others, backups },
  };
}

function connect(
  file: string,
  readOnly: boolean,
  hook: StatementHook | undefined,
): Connection {
  const frozen = readOnly && !isWritable(path.dirname(file));
  const where = frozen ? frozenUrl(file) : file;
  try {
    return prepared(new Connection(where, { readOnly, hook }), readOnly);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    const way = withoutRoom(file, readOnly);
    if (way === undefined) throw error;
    const options = { readOnly, hook, alone: way === file };
    return prepared(new Connection(way, options), readOnly);
  }
}

/**
 * How a file can be opened on a disk that takes no byte. The writer keeps others out, so that it needs no shared
 * files; its commits are refused until there is room. A reader must not stand in the writer's way.
 */
function withoutRoom(
  file: string,
  readOnly: boolean,
): string | URL | undefined {
  if (!readOnly) return file;
  return hasRecent(file) ? undefined : frozenUrl(file);
}

function prepared(connection: Connection, readOnly: boolean): Connection {
  try {
    if (!readOnly) connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA cache_size = -8000");
    connection.exec("PRAGMA temp_store = MEMORY");
    // What stands in the way of reading shows here, not in the middle of something.
    connection.get("SELECT value FROM meta LIMIT 1");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A disk too full for an index can still be read from. */
function index(connection: Connection, readOnly: boolean): boolean {
  try {
    return ensureIndex(connection, readOnly);
  } catch (error) {
    if (!isDiskFault(error)) throw error;
    return false;
  }
}

/** Whether the threads of a file can be brought in. */
function isUsable(file: string, version: number): boolean {
  try {
    const { kind } = inspect(file, version);
    return kind === "sound" || kind === "older";
  } catch (error) {
    if (troubleOf(error) === undefined) throw error;
    return false;
  }
}

function failure(
  file: string,
  reason: Exclude<Trouble, "corrupt" | "newer">,
  detail: string,
): OpenedFile {
  return { result: { ok: false, reason, path: file, detail } };
}
