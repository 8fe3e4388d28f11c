import type { Body, Message, Sender, Snowflake } from "./message.ts";
import type { AgentUpdate } from "./agentPort.ts";
import { beginTurn, endTurn, record, stored, take } from "./turn/recorder.ts";
import { newRecording } from "./turn/recording.ts";
import type { Mint, Recording } from "./turn/recording.ts";
import type { Write } from "./writes.ts";
import { t } from "../util/l10n.ts";

/** A conversation as a flat list: a session that an agent replayed. */
export interface FlatHistory {
  /** Names where it comes from, an agent and its session: the same source gives the same ids, whenever it is read. */
  readonly source: string;
  readonly thread: string;
  readonly user: Sender;
  readonly agent: Sender;
  readonly updates: readonly AgentUpdate[];
}

export interface Rebuilt {
  /** Oldest batch first, each in order of sequence. */
  readonly batches: readonly (readonly Message[])[];
  readonly blobs: readonly Extract<Write, { kind: "blob" }>[];
  /** As the agent named it. */
  readonly title: string | null;
}

/** Rebuilds positions, batches and pairs from a flat history: each thing the user said begins a batch. */
export function rebuild(
  history: FlatHistory,
  tools: Omit<Mint, "uuid">,
): Rebuilt {
  const builder = new Builder(history, tools);
  for (const update of history.updates) builder.take(update);
  return builder.done();
}

class Builder {
  readonly #history: FlatHistory;
  readonly #mint: Mint;
  readonly #rows = new Map<string, Message>();
  readonly #blobs: Extract<Write, { kind: "blob" }>[] = [];
  #recording: Recording;
  #title: string | null = null;
  #batches = 0;
  #ids = 0;
  #said: string[] = [];

  constructor(history: FlatHistory, tools: Omit<Mint, "uuid">) {
    this.#history = history;
    this.#recording = newRecording(history.thread, null);
    const uuid = (): string => this.#id();
    this.#mint = { mint: tools.mint, sha256: tools.sha256, uuid };
  }

  take(update: AgentUpdate): void {
    if (update.kind === "title") this.#title = update.title;
    if (update.kind === "userText") {
      this.#said.push(update.text);
      return;
    }
    if (this.#said.length > 0) this.#beginWithUser();
    else if (this.#recording.batch === null && speaks(update))
      this.#begin(
        {
          kind: "notice",
          level: "info",
          code: "imported",
          text: t("The imported conversation begins here."),
        },
        this.#history.agent,
      );
    this.#recording = record(this.#recording, update, this.#mint).recording;
  }

  done(): Rebuilt {
    if (this.#said.length > 0) this.#beginWithUser();
    this.#end();
    const batches = Map.groupBy(this.#rows.values(), ({ batch }) => batch);
    return {
      batches: [...batches.values()].map((rows) => numbered(rows)),
      blobs: this.#blobs,
      title: this.#title,
    };
  }

  #beginWithUser(): void {
    const blocks = this.#said.map((text) => ({ type: "text", text }) as const);
    this.#said = [];
    this.#begin({ kind: "user", blocks }, this.#history.user);
  }

  #begin(body: Body, sender: Sender): void {
    this.#end();
    this.#batches += 1;
    this.#ids = 0;
    const position = this.#mint.mint();
    this.#put(position, position, body, sender);
    const { agent } = this.#history;
    this.#recording = beginTurn(
      this.#recording,
      position,
      agent,
      this.#mint,
    ).recording;
  }

  #end(): void {
    const { batch } = this.#recording;
    if (batch === null) return;
    const ended = endTurn(this.#recording, this.#mint).recording;
    const { recording, writes } = take(ended, this.#mint);
    for (const [id, row] of recording.tail) this.#rows.set(id, row);
    for (const write of writes)
      if (write.kind === "blob") this.#blobs.push(write);
    this.#recording = stored(recording);
    const end = { kind: "turnEnd", stop: "end_turn" } as const;
    this.#put(this.#mint.mint(), batch, end, this.#history.agent);
  }

  #put(
    position: Snowflake,
    batch: Snowflake,
    body: Body,
    sender: Sender,
  ): void {
    const id = this.#id();
    this.#rows.set(id, {
      id,
      thread: this.#history.thread,
      arrived: position,
      rank: null,
      position,
      batch,
      sequence: null,
      batchType: null,
      parentBatch: null,
      retryOf: null,
      sender,
      state: body.kind === "user" ? "delivered" : null,
      marks: {},
      body,
    });
  }

  #id(): string {
    const id = `${this.#history.source}#${this.#batches}.${this.#ids}`;
    this.#ids += 1;
    return id;
  }
}

function numbered(rows: readonly Message[]): readonly Message[] {
  const [first] = rows;
  const batchType =
    first?.body.kind === "user" ? "user_request" : "system_trigger";
  return rows
    .toSorted((a, b) => ((a.position ?? "") < (b.position ?? "") ? -1 : 1))
    .map((row, sequence) => ({ ...row, sequence, batchType }));
}

function speaks({ kind }: AgentUpdate): boolean {
  return (
    kind === "text" ||
    kind === "thought" ||
    kind === "block" ||
    kind === "tool" ||
    kind === "plan"
  );
}
