import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Connection } from "./connection.ts";
import { applicationId, schemaIsIntact } from "./schema.ts";
import { isDiskFault, troubleOf } from "./sqliteError.ts";
import { errorText } from "../util/errorText.ts";

export type Inspected =
  | { readonly kind: "missing" | "older" | "sound" }
  | { readonly kind: "corrupt" | "newer"; readonly detail: string };

/** Says what a file is without changing a byte of it. The cost grows with its size only if damage was seen before. */
export function inspect(file: string, version: number): Inspected {
  const wal = sizeOf(`${file}-wal`);
  const size = sizeOf(file);
  if (size === undefined)
    return wal === undefined
      ? { kind: "missing" }
      : corrupt("its main part is gone, only recent changes are left");
  if (size === 0) return corrupt("it is empty");
  const header = readHeader(file);
  if (header === undefined) return corrupt("it is not a database");
  if ((wal ?? 0) === 0 && header.bytes > size)
    return corrupt(`it is cut off: ${size} of ${header.bytes} bytes are left`);
  const connection = new Connection((wal ?? 0) === 0 ? frozenUrl(file) : file, {
    readOnly: true,
  });
  try {
    const whole = connection.number("PRAGMA page_count") * header.pageSize;
    if (whole > size + (wal ?? 0))
      return corrupt(`it is cut off: ${size} of ${whole} bytes are left`);
    return ask(connection, version, fs.existsSync(damageNote(file)));
  } catch (error) {
    if (isDiskFault(error)) return glance(file, version);
    if (troubleOf(error) !== "corrupt") throw error;
    return corrupt(errorText(error));
  } finally {
    connection.close();
  }
}

/** What the first page alone tells: recent changes cannot be read where the disk has no room for their index. */
function glance(file: string, version: number): Inspected {
  const connection = new Connection(frozenUrl(file), { readOnly: true });
  try {
    return identify(connection, version);
  } finally {
    connection.close();
  }
}

/** Whether changes wait beside the file that are not in it yet. */
export function hasRecent(file: string): boolean {
  return (sizeOf(`${file}-wal`) ?? 0) > 0;
}

/** Where damage that only showed in use is noted, so that the next opening looks thoroughly. */
export function damageNote(file: string): string {
  return `${file}.damaged`;
}

export function isWritable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads a file as it stands, taking no locks and leaving no helper files beside it. */
export function frozenUrl(file: string): URL {
  const url = pathToFileURL(path.resolve(file));
  url.searchParams.set("immutable", "1");
  return url;
}

function ask(
  connection: Connection,
  version: number,
  thorough: boolean,
): Inspected {
  const found = identify(connection, version);
  if (found.kind !== "sound" && found.kind !== "older") return found;
  if (!schemaIsIntact(connection)) return corrupt("its schema is damaged");
  for (const table of ["thread", "message", "request"])
    connection.get(`SELECT * FROM ${table} LIMIT 1`);
  connection.get("SELECT n FROM message ORDER BY n DESC LIMIT 1");
  if (thorough) {
    const verdict = integrity(connection);
    if (verdict !== "ok") return corrupt(verdict);
  }
  return found;
}

function identify(connection: Connection, version: number): Inspected {
  if (connection.number("PRAGMA application_id") !== applicationId)
    return corrupt("it is not Turnline's");
  const found = connection.number("PRAGMA user_version");
  if (found > version)
    return {
      kind: "newer",
      detail: `it was written by a newer Turnline (${found}, this one knows ${version})`,
    };
  if (found === 0) return corrupt("it holds no tables");
  return { kind: found < version ? "older" : "sound" };
}

export function integrity(connection: Connection): string {
  const row = connection.get("PRAGMA integrity_check(1)");
  return String(Object.values(row ?? {})[0]);
}

function corrupt(detail: string): Inspected {
  return { kind: "corrupt", detail };
}

function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}

/** Page size and length as the first page tells them. */
function readHeader(
  file: string,
): { readonly pageSize: number; readonly bytes: number } | undefined {
  const header = Buffer.alloc(100);
  const handle = fs.openSync(file, "r");
  try {
    if (fs.readSync(handle, header, 0, 100, 0) < 100) return undefined;
  } finally {
    fs.closeSync(handle);
  }
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0")
    return undefined;
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : stored;
  return { pageSize, bytes: header.readUInt32BE(28) * pageSize };
}
