import { factsOf, group } from "../../src/core/batch.ts";
import type { BatchFacts } from "../../src/core/batchFacts.ts";
import type { Message, Snowflake } from "../../src/core/message.ts";
import { applyWrites } from "../../src/core/recordApply.ts";
import { ThreadFind } from "../../src/core/recordFind.ts";
import type { FindQuery, Found } from "../../src/core/recordFind.ts";
import type {
  BatchQuery,
  History,
  Maintained,
  Retained,
  RetentionPolicy,
  SearchPage,
  SearchQuery,
  Statistics,
} from "../../src/core/recordPort.ts";
import { wanted } from "../../src/core/recordSearch.ts";
import { plainText } from "../../src/core/recordText.ts";
import { snowflakeTime } from "../../src/core/snowflake.ts";
import type { Session, Thread } from "../../src/core/thread.ts";
import type {
  Archive,
  CommitAnswer,
  Durability,
  Page,
  PageRange,
  Write,
} from "../../src/core/writes.ts";
import { MemoryTables } from "./memoryTables.ts";
import { sinceUser } from "./sinceUser.ts";
import { retainIn } from "./memoryRetention.ts";

type Trouble = Exclude<
  Extract<CommitAnswer, { ok: false }>,
  { reason: "duplicate" }
>["reason"];

/** A whole record without a disk, on the same rules as the real one, that can be told to fail. */
export class MemoryStore implements History {
  /** What was committed, in order: for comparing traces. */
  readonly commits: {
    readonly writes: readonly Write[];
    readonly durability: Durability;
  }[] = [];
  /** Answers every commit with this while set. */
  trouble: Trouble | null = null;
  /** Commits wait for this before they happen: for tests of what goes on meanwhile. */
  gate: () => Promise<void> = () => Promise.resolve();
  readonly #tables = new MemoryTables();
  #failures: Trouble[] = [];
  #closed = false;

  /** The next `times` commits fail; then all is well again. */
  failNext(times = 1, reason: Trouble = "failed"): void {
    for (let n = 0; n < times; n += 1) this.#failures.push(reason);
  }

  async commit(
    writes: readonly Write[],
    durability: Durability,
  ): Promise<CommitAnswer> {
    await this.gate();
    const trouble = this.#closed
      ? "failed"
      : (this.#failures.shift() ?? this.trouble);
    if (trouble !== null)
      return { ok: false, reason: trouble, detail: `told to be ${trouble}` };
    const kept = structuredClone(writes);
    const answer = this.#tables.attempt(() => applyWrites(this.#tables, kept));
    if (answer.ok) this.commits.push({ writes: kept, durability });
    return answer;
  }

  threads(): Promise<readonly Thread[]> {
    return answer(
      [...this.#tables.threads.values()]
        .filter((row) => row.deletedAt === null)
        .map((row) => row.thread)
        .sort((a, b) => b.updatedAt - a.updatedAt || compare(a.id, b.id)),
    );
  }

  thread(id: string): Promise<Thread | undefined> {
    const row = this.#tables.threads.get(id);
    return answer(row?.deletedAt === null ? row.thread : undefined);
  }

  sessions(thread: string): Promise<readonly Session[]> {
    return answer(
      [...this.#tables.sessions.values()]
        .filter((session) => session.thread === thread)
        .sort(
          (a, b) => a.generation - b.generation || compare(a.agent, b.agent),
        ),
    );
  }

  queue(thread: string): Promise<readonly Message[]> {
    return answer(
      this.#of(thread)
        .filter(({ state }) => state === "queued")
        .sort(
          (a, b) =>
            (a.rank ?? 0) - (b.rank ?? 0) ||
            compare(a.arrived, b.arrived) ||
            compare(a.id, b.id),
        ),
    );
  }

  unsettled(thread: string): Promise<readonly Message[]> {
    const rows = this.#of(thread);
    const open = new Set(
      rows
        .filter(({ state }) => state === "claimed" || state === "sent")
        .map(({ batch }) => batch),
    );
    return answer(
      rows
        .filter(({ batch }) => batch !== null && open.has(batch))
        .sort(byPosition),
    );
  }

  unfinished(): Promise<readonly string[]> {
    const ofMessages = [...this.#tables.messages.values()]
      .filter(({ message: { state } }) =>
        ["queued", "claimed", "sent"].includes(state ?? ""),
      )
      .map(({ message }) => message.thread);
    const ofSessions = [...this.#tables.sessions.values()]
      .filter(({ process }) => process !== null)
      .map(({ thread }) => thread);
    return answer([...new Set([...ofMessages, ...ofSessions])].sort());
  }

  sinceUser(thread: string, limit: number): Promise<readonly Message[]> {
    return answer(sinceUser(this.#of(thread), limit));
  }

  page(thread: string, range: PageRange): Promise<Page> {
    const { before, after, limit } = range;
    const rows = this.#of(thread)
      .filter(({ position }) => position !== null)
      .filter(
        ({ position }) => before === undefined || (position ?? "") < before,
      )
      .filter(({ position }) => after === undefined || (position ?? "") > after)
      .sort(byPosition);
    const messages =
      after === undefined
        ? rows.slice(Math.max(0, rows.length - limit))
        : rows.slice(0, limit);
    return answer({ messages, more: rows.length > messages.length });
  }

  batch(thread: string, batch: Snowflake): Promise<readonly Message[]> {
    return answer(this.#tables.rowsOf(thread, batch));
  }

  message(id: string): Promise<Message | undefined> {
    return answer(this.#tables.messages.get(id)?.message);
  }

  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const hash of hashes) {
      const blob = this.#tables.blobs.get(hash);
      if (blob !== undefined) found.set(hash, blob.data);
    }
    return answer(found);
  }

  greatest(): Promise<Snowflake | undefined> {
    return answer(this.#tables.greatest);
  }

  discarded(thread: string, limit: number): Promise<readonly Message[]> {
    return answer(
      this.#of(thread)
        .filter(({ state }) => state === "discarded")
        .sort((a, b) => compare(b.arrived, a.arrived) || compare(b.id, a.id))
        .slice(0, limit),
    );
  }

  search(query: SearchQuery): Promise<SearchPage> {
    const asked = wanted(query.text);
    const rows = [...this.#tables.messages.values()]
      .filter(
        ({ settled, order }) => settled && order < (query.from ?? Infinity),
      )
      .filter(({ message }) => this.#passes(message, query))
      .filter(({ message }) => {
        const text = plainText(message.body);
        return text !== "" && asked.matches(text);
      })
      .sort((a, b) => b.order - a.order);
    const page = rows.slice(0, query.limit);
    return answer({
      hits: page.map(({ message }) => ({
        message,
        excerpt: asked.excerpt(plainText(message.body)),
      })),
      next: rows.length > page.length ? (page.at(-1)?.order ?? null) : null,
    });
  }

  find(query: FindQuery): Promise<readonly Found[]> {
    const found = new ThreadFind(query);
    const rows = [...this.#tables.messages.values()]
      .map(({ message }) => message)
      .filter(
        ({ thread, position }) => thread === query.thread && position !== null,
      )
      .sort((a, b) => ((a.position ?? "") < (b.position ?? "") ? -1 : 1));
    for (const row of rows) found.take(row);
    return answer(found.finish());
  }

  batches(query: BatchQuery): Promise<readonly BatchFacts[]> {
    const rows = [...this.#tables.messages.values()]
      .map(({ message }) => message)
      .filter(({ thread }) => this.#visible(thread))
      .filter(
        ({ thread }) => query.thread === undefined || query.thread === thread,
      )
      .filter(
        ({ batch }) =>
          query.before === undefined || (batch ?? "") < query.before,
      );
    return answer(
      [...group(rows)].reverse().slice(0, query.limit).map(factsOf),
    );
  }

  batchesBefore(thread: string, batch: Snowflake): Promise<number> {
    return answer(
      this.#of(thread).filter(
        (row) => row.sequence === 0 && (row.batch ?? batch) < batch,
      ).length,
    );
  }

  archives(thread: string): Promise<readonly Archive[]> {
    return answer(
      [...this.#tables.archives.values()]
        .filter((archive) => archive.thread === thread)
        .sort((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id)),
    );
  }

  statistics(): Promise<Statistics> {
    const { messages, blobs } = this.#tables;
    const rows = [...messages.values()].map(({ message }) => message);
    const blobBytes = [...blobs.values()].map(({ data }) => data.length);
    return answer({
      threads: [...this.#tables.threads.keys()].filter((id) =>
        this.#visible(id),
      ).length,
      messages: rows.length,
      queued: rows.filter(({ state }) => state === "queued").length,
      batches: rows.filter(({ sequence }) => sequence === 0).length,
      blobs: blobs.size,
      blobBytes: blobBytes.reduce((a, b) => a + b, 0),
      bytes: JSON.stringify(rows).length,
    });
  }

  retain(policy: RetentionPolicy): Promise<Retained> {
    return answer(retainIn(this.#tables, policy));
  }

  maintain(): Promise<Maintained> {
    return answer({ damage: null });
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  #of(thread: string): Message[] {
    return [...this.#tables.messages.values()]
      .map(({ message }) => message)
      .filter((message) => message.thread === thread);
  }

  #visible(thread: string): boolean {
    return this.#tables.threads.get(thread)?.deletedAt === null;
  }

  #passes(message: Message, query: SearchQuery): boolean {
    const { threads, agents, before, state, has } = query;
    const { sender } = message;
    const agent =
      sender.kind === "agent"
        ? sender.id
        : (this.#tables.threads.get(message.thread)?.thread.agent ?? "");
    return (
      this.#visible(message.thread) &&
      (threads === undefined || threads.includes(message.thread)) &&
      (agents === undefined || agents.includes(agent)) &&
      (before === undefined || snowflakeTime(message.arrived) < before) &&
      (state === undefined || message.state === state) &&
      (has === undefined || this.#tables.batchHasDiff(message))
    );
  }
}

/** A copy, as a store that keeps its rows elsewhere gives. */
function answer<T>(value: T): Promise<T> {
  return Promise.resolve(structuredClone(value));
}

function byPosition(a: Message, b: Message): number {
  return compare(a.position ?? "", b.position ?? "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
