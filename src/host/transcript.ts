import type { Message, Snowflake } from "../core/message.ts";
import type { Store } from "../core/ports.ts";
import type { Page } from "../core/writes.ts";
import { Projector, type LiveParts, type Projected } from "./projector.ts";

/** Records read at a time, and kept in the window before its far end is let go. */
const pageSize = 200;
const windowSize = 600;

/** What happens to a thread's records. */
export type TranscriptChange =
  | { readonly kind: "message"; readonly message: Message }
  | {
      readonly kind: "text";
      readonly id: string;
      readonly offset: number;
      readonly text: string;
    };

/**
 * The part of a thread that a view shows: whole batches, held as rows, between two positions.
 * What happens while it reads is done again on what it has read, so that nothing is missed.
 */
export class Transcript {
  readonly #store: Store;
  readonly #thread: string;
  readonly #rows = new Map<Snowflake, Map<string, Message>>();
  /** Late rows of batches that lie outside the window: they join when it reaches them. */
  readonly #strays = new Map<Snowflake, Message[]>();
  readonly #projector = new Projector();
  #size = 0;
  /** All records from here on are in the window, up to its other end. */
  #from: Snowflake = "";
  #before = false;
  #after = false;
  #trimmed = false;
  #reads = 0;
  #missed: TranscriptChange[] | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(store: Store, thread: string) {
    this.#store = store;
    this.#thread = thread;
  }

  /** Shows the newest records. */
  latest(): Promise<void> {
    return this.#reading(async () => {
      const page = await this.#page({ limit: pageSize });
      const start = await this.#start(page);
      this.#clear();
      this.#enter(start, page.messages);
      this.#before = page.more;
      this.#after = false;
    });
  }

  /** Shows where the user was: the newest records, unless that is a batch before them. */
  async resume(batch: Snowflake | undefined): Promise<void> {
    await this.latest();
    if (batch === undefined || this.#rows.has(batch)) return;
    const [first] = await this.#store.batch(this.#thread, batch);
    if (first !== undefined) await this.around(batch);
  }

  /** Shows a batch with what stands around it. */
  around(batch: Snowflake): Promise<void> {
    return this.#reading(async () => {
      const half = { limit: pageSize / 2 };
      const before = await this.#page({ before: batch, ...half });
      const after = await this.#page({ after: justBefore(batch), ...half });
      const start = await this.#start(before);
      this.#clear();
      this.#enter(start, [...before.messages, ...after.messages]);
      this.#before = before.more;
      this.#after = after.more;
    });
  }

  /** Moves the window towards one end by a page. */
  move(to: "before" | "after"): Promise<void> {
    if (this.#rows.size === 0) return this.latest();
    return this.#reading(async () => {
      if (to === "before") {
        const page = await this.#page({ before: this.#from, limit: pageSize });
        this.#enter(await this.#start(page), page.messages);
        this.#before = page.more;
        this.#trimAfter();
      } else {
        const page = await this.#page({ after: this.#last(), limit: pageSize });
        this.#enter([], page.messages);
        this.#after = page.more;
        this.#trimBefore();
      }
    });
  }

  /** Takes a change; answers the batch it shows in, if it shows. */
  apply(change: TranscriptChange): Snowflake | null {
    this.#missed?.push(change);
    return this.#do(change);
  }

  #do(change: TranscriptChange): Snowflake | null {
    if (change.kind === "text") return this.#append(change);
    const { message } = change;
    if (message.position === null || message.batch === null)
      return this.#remove(message.id);
    if (!this.#rows.has(message.batch)) {
      // Beyond the window, or a late word of a batch before it.
      if (this.#after || message.batch < this.#newest()) return null;
      if (this.#rows.size === 0) this.#from = message.batch;
    }
    this.#take(message);
    if (!this.#after) this.#trimBefore(2 * windowSize);
    return message.batch;
  }

  /** Whether batches have left the window since this was asked last. */
  takeTrimmed(): boolean {
    const trimmed = this.#trimmed;
    this.#trimmed = false;
    return trimmed;
  }

  more(): { readonly before: boolean; readonly after: boolean } {
    return { before: this.#before, after: this.#after };
  }

  project(live: LiveParts): Projected {
    const parts = this.#batches().map((batch) => this.projectOne(batch, live));
    return {
      messages: parts.flatMap(({ messages }) => messages),
      batches: parts.flatMap((part) => part.batches),
    };
  }

  /** One batch, for a change that touches only it. */
  projectOne(batch: Snowflake, live: LiveParts): Projected {
    const rows = [...(this.#rows.get(batch)?.values() ?? [])];
    return this.#projector.project(rows, live);
  }

  /** The batch a record is shown in. */
  batchOf(id: string): Snowflake | null {
    return this.#find(id)?.batch ?? null;
  }

  /** One read after the other; what has happened since it was asked for is done again on its outcome. */
  #reading(read: () => Promise<void>): Promise<void> {
    const missed = (this.#missed ??= []);
    this.#reads += 1;
    const turn = this.#turn.then(async () => {
      try {
        await read();
      } finally {
        this.#reads -= 1;
        if (this.#reads === 0) this.#missed = null;
        for (const change of missed) this.#do(change);
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #page(range: Parameters<Store["page"]>[1]): Promise<Page> {
    return this.#store.page(this.#thread, range);
  }

  /** A page may begin inside a batch: what that lacks is read, so that it is shown whole. */
  async #start({ messages }: Page): Promise<readonly Message[]> {
    const [first] = messages;
    if (first === undefined || first.batch === null) return [];
    if (first.batch === first.position || first.marks.late === true) return [];
    const whole = await this.#store.batch(this.#thread, first.batch);
    return whole.filter(({ marks }) => marks.late !== true);
  }

  #enter(start: readonly Message[], page: readonly Message[]): void {
    const first = start[0] ?? page[0];
    const from = first?.position ?? "";
    if (this.#rows.size === 0 || from < this.#from) this.#from = from;
    for (const row of start) this.#take(row);
    for (const row of page) {
      const { batch } = row;
      if (batch === null) continue;
      const outside = batch < this.#from && !this.#rows.has(batch);
      if (outside)
        this.#strays.set(batch, [...(this.#strays.get(batch) ?? []), row]);
      else this.#take(row);
    }
    for (const [batch, rows] of this.#strays) {
      if (!this.#rows.has(batch)) continue;
      for (const row of rows) this.#take(row);
      this.#strays.delete(batch);
    }
  }

  #append(change: Extract<TranscriptChange, { kind: "text" }>): null {
    const row = this.#find(change.id);
    const body = row?.body;
    const fits =
      (body?.kind === "agent" || body?.kind === "thought") &&
      body.text.length === change.offset;
    if (row !== undefined && fits)
      this.#take({ ...row, body: { ...body, text: body.text + change.text } });
    return null;
  }

  /** What went back to the queue, or was thrown away before it was sent, has no place here any more. */
  #remove(id: string): Snowflake | null {
    const batch = this.batchOf(id);
    const rows = batch === null ? undefined : this.#rows.get(batch);
    if (batch === null || rows?.delete(id) !== true) return null;
    this.#size -= 1;
    if (rows.size === 0) this.#rows.delete(batch);
    return batch;
  }

  #find(id: string): Message | undefined {
    for (const batch of this.#batches().reverse()) {
      const row = this.#rows.get(batch)?.get(id);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  #take(row: Message): void {
    const { batch } = row;
    if (batch === null) return;
    const rows = this.#rows.get(batch) ?? new Map<string, Message>();
    if (!rows.has(row.id)) this.#size += 1;
    rows.set(row.id, row);
    this.#rows.set(batch, rows);
  }

  #clear(): void {
    this.#rows.clear();
    this.#strays.clear();
    this.#size = 0;
    this.#from = "";
  }

  #trimBefore(most = windowSize): void {
    if (this.#size <= most) return;
    const batches = this.#batches();
    while (batches.length > 1 && this.#size > windowSize) {
      this.#drop(batches.shift());
      this.#before = true;
    }
    this.#from = batches[0] ?? "";
  }

  #trimAfter(): void {
    const batches = this.#batches();
    while (batches.length > 1 && this.#size > windowSize) {
      this.#drop(batches.pop());
      this.#after = true;
    }
  }

  #drop(batch: Snowflake | undefined): void {
    if (batch === undefined) return;
    this.#trimmed = true;
    this.#size -= this.#rows.get(batch)?.size ?? 0;
    this.#rows.delete(batch);
  }

  #batches(): Snowflake[] {
    return [...this.#rows.keys()].sort();
  }

  #newest(): Snowflake {
    return this.#batches().at(-1) ?? "";
  }

  /** The greatest position of the newest batch, its late words aside: they may lie far beyond. */
  #last(): Snowflake {
    return [...(this.#rows.get(this.#newest())?.values() ?? [])]
      .filter(({ marks }) => marks.late !== true)
      .map(({ position }) => position ?? "")
      .reduce((a, b) => (a > b ? a : b), "");
  }
}

/** The greatest Snowflake that is smaller. */
function justBefore(id: Snowflake): Snowflake {
  return (BigInt(`0x${id}`) - 1n).toString(16).padStart(16, "0");
}
