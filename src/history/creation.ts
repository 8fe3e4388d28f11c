import fs from "node:fs";
import path from "node:path";
import { Connection } from "./connection.ts";
import type { StatementHook } from "./connection.ts";
import { applicationId, takeStep } from "./schema.ts";
import type { Migration } from "./schema.ts";

/** Makes a database under another name first: a file of this name is always whole. */
export function create(
  file: string,
  steps: readonly Migration[],
  hook: StatementHook | undefined,
): void {
  const draft = `${file}.new`;
  for (const suffix of ["", "-wal", "-shm"])
    fs.rmSync(draft + suffix, { force: true });
  const connection = new Connection(draft, { hook });
  try {
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    connection.exec("PRAGMA journal_mode = WAL");
    connection.transaction("full", () => {
      connection.exec(`PRAGMA application_id = ${applicationId}`);
      steps.forEach((step, n) => takeStep(connection, step, n + 1));
    });
  } finally {
    connection.close();
  }
  fs.renameSync(draft, file);
  syncFolder(path.dirname(file));
}

/** Takes an older schema to the newest, with a copy of the file before each step; answers where the copies are. */
export function upgrade(
  connection: Connection,
  file: string,
  steps: readonly Migration[],
): readonly string[] {
  const backups: string[] = [];
  const version = connection.number("PRAGMA user_version");
  steps.slice(version).forEach((step, n) => {
    const from = version + n;
    backups.push(backUp(connection, file, from));
    connection.transaction("full", () => takeStep(connection, step, from + 1));
  });
  return backups;
}

function backUp(connection: Connection, file: string, version: number): string {
  const backup = `${file}.v${version}.bak`;
  const draft = `${backup}.new`;
  fs.rmSync(draft, { force: true });
  connection.run("VACUUM INTO ?", draft);
  fs.renameSync(draft, backup);
  return backup;
}

/** A rename is durable only once its folder is; where folders cannot be opened, the system sees to it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
