import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseRecord, type SessionRecord } from "./record.ts";
import { errorText } from "../util/errorText.ts";

export interface SessionSummary {
  readonly id: string;
  readonly cwd: string;
  readonly extra: readonly string[];
  readonly title?: string;
  readonly updatedAt: Date;
}

/** Sessions as one file of JSON lines each. Without a home folder nothing is kept. */
export class SessionStore {
  readonly #home: string | undefined;
  readonly #mended = new Set<string>();

  constructor(home: string | undefined) {
    this.#home = home;
  }

  get keeps(): boolean {
    return this.#home !== undefined;
  }

  /** `problem` is the cause when the disk refused it. */
  create(
    cwd: string,
    extra: readonly string[],
  ): { readonly id: string; readonly problem?: string } {
    const id = randomUUID();
    this.#mended.add(id);
    const problem = this.append(id, { kind: "session", id, cwd, extra });
    return problem === undefined ? { id } : { id, problem };
  }

  /** Appends one record; answers the cause when the disk refused it. */
  append(id: string, record: SessionRecord): string | undefined {
    const file = this.#file(id);
    if (file === undefined || this.#home === undefined) return undefined;
    try {
      fs.mkdirSync(this.#home, { recursive: true, mode: 0o700 });
      if (!this.#mended.has(id)) mend(file);
      this.#mended.add(id);
      fs.appendFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      return undefined;
    } catch (error) {
      this.#mended.delete(id);
      return errorText(error);
    }
  }

  /** All whole records, oldest first; undefined when there is no such session. */
  read(id: string): readonly SessionRecord[] | undefined {
    const file = this.#file(id);
    if (file === undefined) return undefined;
    const text = readIfThere(file, Infinity);
    const records = text === undefined ? [] : parseLines(text);
    return records[0]?.kind === "session" && records[0].id === id
      ? records
      : undefined;
  }

  /** Newest first. */
  list(): readonly SessionSummary[] {
    if (this.#home === undefined) return [];
    const home = this.#home;
    const found: SessionSummary[] = [];
    for (const name of namesIn(home)) {
      const file = path.join(home, name);
      const text = readIfThere(file, headBytes);
      const updatedAt = fs.statSync(file, { throwIfNoEntry: false })?.mtime;
      const [header, second] = text === undefined ? [] : parseLines(text);
      if (header?.kind !== "session" || updatedAt === undefined) continue;
      if (`${header.id}${extension}` !== name) continue;
      const { id, cwd, extra } = header;
      const title = second?.kind === "title" ? second.title : undefined;
      found.push({
        id,
        cwd,
        extra,
        updatedAt,
        ...(title !== undefined && { title }),
      });
    }
    return found.sort(
      (a, b) =>
        b.updatedAt.getTime() - a.updatedAt.getTime() ||
        a.id.localeCompare(b.id),
    );
  }

  /** False when there was none. */
  delete(id: string): boolean {
    const file = this.#file(id);
    if (file === undefined || !fs.existsSync(file)) return false;
    fs.rmSync(file, { force: true });
    return true;
  }

  /** Only ids of our own making name a file. */
  #file(id: string): string | undefined {
    return this.#home !== undefined && ownId.test(id)
      ? path.join(this.#home, `${id}${extension}`)
      : undefined;
  }
}

const ownId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const extension = ".jsonl";
/** Header and title are the first two lines, and neither is long. */
const headBytes = 64 * 1024;

function parseLines(text: string): SessionRecord[] {
  return text
    .split("\n")
    .map(parseRecord)
    .filter((record) => record !== undefined);
}

/** A process killed in mid-write leaves half a line: it goes before anything is appended. */
function mend(file: string): void {
  const text = readIfThere(file, Infinity);
  if (text === undefined || text === "" || text.endsWith("\n")) return;
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  fs.truncateSync(file, Buffer.byteLength(whole));
}

function readIfThere(file: string, limit: number): string | undefined {
  try {
    if (limit === Infinity) return fs.readFileSync(file, "utf8");
    const handle = fs.openSync(file, "r");
    try {
      const buffer = Buffer.alloc(limit);
      const length = fs.readSync(handle, buffer, 0, limit, 0);
      return buffer.toString("utf8", 0, length);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).filter((name) => name.endsWith(extension));
  } catch {
    return [];
  }
}
