import { createHash } from "node:crypto";
import type { Connection } from "./connection.ts";

/** Marks a file as ours: "TURN". */
export const applicationId = 0x5455_524e;

export type Migration = (connection: Connection) => void;

/** Each entry takes the schema one version further; an entry that was released never changes. */
export const migrations: readonly Migration[] = [createTables, indexForFilters];

/** Takes the schema one step further, inside a transaction, and notes what it now looks like. */
export function takeStep(
  connection: Connection,
  step: Migration,
  version: number,
): void {
  step(connection);
  connection.exec(`PRAGMA user_version = ${version}`);
  connection.run(
    "INSERT OR REPLACE INTO meta VALUES ('schema', ?)",
    schemaDigest(connection),
  );
}

/** A schema that is not what it was when it was made is damage that SQLite itself does not see. */
export function schemaIsIntact(connection: Connection): boolean {
  const noted = connection.get("SELECT value FROM meta WHERE key = 'schema'");
  return noted?.["value"] === schemaDigest(connection);
}

/** Without the search index, which comes and goes, and without what ANALYZE notes. */
function schemaDigest(connection: Connection): string {
  const parts = connection.all(
    "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'messageText%' AND name NOT GLOB 'sqlite_stat*' ORDER BY name",
  );
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function createTables(connection: Connection): void {
  for (const statement of first) connection.exec(statement);
}

/** What a search narrows by without words: without these it would look at every message there is. */
function indexForFilters(connection: Connection): void {
  for (const index of [
    "messageThread ON message (thread) WHERE search > 0",
    "messageArrived ON message (arrived) WHERE search > 0",
    "messageAgent ON message (agent) WHERE search > 0 AND agent IS NOT NULL",
    "messageDiff ON message (thread, batch) WHERE diff = 1",
  ])
    connection.exec(`CREATE INDEX ${index}`);
}

const first: readonly string[] = [
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE thread (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    folder TEXT NOT NULL,
    agent TEXT NOT NULL,
    held TEXT,
    archived INTEGER NOT NULL,
    createdAt REAL NOT NULL,
    updatedAt REAL NOT NULL,
    deletedAt REAL
  ) STRICT, WITHOUT ROWID`,
  // `n` counts rows as they come; `text` is the JSON-escaped text of a record that grows, `length` its length;
  // `search` is 0 before the text is settled, 1 when it waits to be indexed, 2 when it is.
  `CREATE TABLE message (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    thread TEXT NOT NULL REFERENCES thread (id),
    arrived TEXT NOT NULL,
    rank REAL,
    position TEXT,
    batch TEXT,
    sequence INTEGER,
    batchType TEXT,
    parentBatch TEXT,
    retryOf TEXT,
    kind TEXT NOT NULL,
    sender TEXT NOT NULL,
    agent TEXT,
    state TEXT,
    marks TEXT NOT NULL,
    body TEXT NOT NULL,
    text TEXT,
    length INTEGER NOT NULL,
    diff INTEGER NOT NULL,
    search INTEGER NOT NULL
  ) STRICT`,
  `CREATE UNIQUE INDEX messagePosition ON message (thread, position)
    WHERE position IS NOT NULL`,
  `CREATE UNIQUE INDEX messageBatch ON message (thread, batch, sequence)
    WHERE batch IS NOT NULL`,
  `CREATE INDEX messageFirst ON message (batch, thread) WHERE sequence = 0`,
  `CREATE INDEX messageQueued ON message (thread, rank) WHERE state = 'queued'`,
  `CREATE INDEX messageOpen ON message (thread, batch)
    WHERE state IN ('claimed', 'sent')`,
  `CREATE INDEX messageDiscarded ON message (thread, arrived)
    WHERE state = 'discarded'`,
  `CREATE INDEX messageParent ON message (thread, parentBatch)
    WHERE parentBatch IS NOT NULL`,
  `CREATE INDEX messageUnindexed ON message (n) WHERE search = 1`,
  `CREATE TABLE session (
    thread TEXT NOT NULL REFERENCES thread (id),
    agent TEXT NOT NULL,
    generation INTEGER NOT NULL,
    folder TEXT NOT NULL,
    sessionId TEXT,
    state TEXT NOT NULL,
    cursor TEXT,
    ledger TEXT NOT NULL,
    process TEXT,
    PRIMARY KEY (thread, agent, generation)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sessionProcess ON session (thread) WHERE process IS NOT NULL`,
  `CREATE TABLE request (
    id TEXT PRIMARY KEY,
    goneAt REAL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX requestGone ON request (goneAt) WHERE goneAt IS NOT NULL`,
  `CREATE TABLE blob (
    hash TEXT PRIMARY KEY,
    mimeType TEXT NOT NULL,
    data BLOB NOT NULL,
    unusedSince REAL
  ) STRICT`,
  `CREATE TABLE blobUse (
    hash TEXT NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (hash, message)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX blobUseMessage ON blobUse (message)`,
  `CREATE TABLE archive (
    id TEXT PRIMARY KEY,
    thread TEXT NOT NULL REFERENCES thread (id),
    batches TEXT NOT NULL,
    text TEXT NOT NULL,
    createdAt REAL NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX archiveThread ON archive (thread)`,
];
