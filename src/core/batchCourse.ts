import type { BodyKind, Message, Recipe, StopReason } from "./message.ts";
import { snowflakeTime } from "./snowflake.ts";

export type PartKind = "compile" | "think" | "tool" | "permission";

/** What a stretch of a batch's time went into; `to` is null while it still does. */
export interface Part {
  readonly kind: PartKind;
  readonly from: number;
  readonly to: number | null;
}

/** How a batch went, in wall-clock milliseconds: what a picture of it needs, without its texts. */
export interface BatchCourse {
  /** When each of its messages was accepted. */
  readonly typed: readonly number[];
  /** In order, without overlap. Time between two turns is in none. */
  readonly parts: readonly Part[];
  /** Who answered last; null before anyone was asked. */
  readonly agent: string | null;
  /** What the last prompt was; null before there was one. */
  readonly sent: Pick<Recipe, "kind" | "bytes"> | null;
  readonly stop: StopReason | null;
  /** Those that were really begun: a continued batch has several, one that was never sent has none. */
  readonly turns: readonly TurnCourse[];
}

export interface TurnCourse {
  /** How many of `typed` it carried, those after what the turns before it did. */
  readonly messages: number;
  readonly claimed: number;
  /** Null before the agent's first word. */
  readonly firstOutput: number | null;
}

const outputKinds: ReadonlySet<BodyKind> = new Set<BodyKind>([
  "agent",
  "thought",
  "toolCall",
  "toolResult",
  "plan",
  "permission",
]);

/** Whether the agent said it. */
export function isOutput({ body }: Pick<Message, "body">): boolean {
  return outputKinds.has(body.kind);
}

/** `rows` are those of one batch, in order. */
export function courseOf(rows: readonly Message[]): BatchCourse {
  const typed: number[] = [];
  const walk = new Walk();
  const turns: TurnCourse[] = [];
  let waiting: number[] = [];
  let last: Pick<BatchCourse, "agent" | "sent"> = { agent: null, sent: null };
  let stop: StopReason | null = null;
  for (const row of rows) {
    const { body } = row;
    const time = snowflakeTime(row.position ?? row.arrived);
    if (body.kind === "user") {
      typed.push(snowflakeTime(row.arrived));
      waiting.push(time);
      walk.claimed(time);
    } else if (body.kind === "turnStart") {
      const { kind, bytes } = body.recipe;
      last = { agent: body.agent, sent: { kind, bytes } };
      turns.push({
        messages: waiting.length,
        claimed: waiting[0] ?? time,
        firstOutput: null,
      });
      waiting = [];
      walk.started(time);
    } else if (body.kind === "turnEnd") {
      stop = body.stop;
      // The end of a turn that a crash cut off is written when someone comes back, long after its last sign.
      walk.ended(stop === "interrupted" ? null : time);
    } else if (row.marks.late !== true) {
      const turn = turns.at(-1);
      if (turn?.firstOutput === null && isOutput(row))
        turns.splice(-1, 1, { ...turn, firstOutput: time });
      walk.said(body, time);
    }
  }
  const waits = rows.some(({ state }) => state === "claimed");
  return { typed, parts: walk.parts(waits), ...last, stop, turns };
}

class Walk {
  readonly #parts: Part[] = [];
  readonly #tools = new Map<string, number>();
  #compiling: number | null = null;
  #open: { readonly kind: PartKind; readonly from: number } | null = null;
  #seen = 0;
  /** When the last question that stands was answered; null when none stands, or nobody knows. */
  #decided: number | null = null;

  claimed(time: number): void {
    if (this.#open === null) this.#compiling ??= time;
  }

  started(time: number): void {
    this.#push("compile", this.#compiling ?? time, time);
    this.#compiling = null;
    this.#tools.clear();
    this.#decided = null;
    this.#open = { kind: "think", from: time };
    this.#seen = time;
  }

  ended(time: number | null): void {
    this.#answer(time ?? Infinity);
    this.#decided = null;
    this.#turnTo(null, time ?? this.#seen);
  }

  said(body: Message["body"], time: number): void {
    if (this.#open === null) return;
    this.#answer(time);
    if (body.kind === "toolCall") this.#count(body.toolCallId, 1);
    else if (body.kind === "toolResult") this.#count(body.toolCallId, -1);
    if (body.kind === "permission") {
      this.#turnTo("permission", time);
      if (body.decidedAt !== undefined)
        this.#decided = Math.max(
          this.#decided ?? 0,
          snowflakeTime(body.decidedAt),
        );
      // Of a question whose answer has no time, all that is known is that something else happened after it.
    } else if (this.#decided === null) this.#turnTo(this.#busy(), time);
    this.#seen = time;
  }

  parts(waits: boolean): readonly Part[] {
    this.#answer(Infinity);
    if (this.#open !== null) this.#parts.push({ ...this.#open, to: null });
    else if (this.#compiling !== null && waits)
      this.#parts.push({ kind: "compile", from: this.#compiling, to: null });
    return this.#parts;
  }

  /** What was answered by then waits no more: what it asked about goes on. */
  #answer(by: number): void {
    if (this.#decided === null || this.#decided > by) return;
    this.#turnTo(this.#busy(), this.#decided);
    this.#seen = Math.max(this.#seen, this.#decided);
    this.#decided = null;
  }

  #busy(): PartKind {
    return this.#tools.size > 0 ? "tool" : "think";
  }

  #turnTo(kind: PartKind | null, time: number): void {
    if (this.#open === null || this.#open.kind === kind) return;
    this.#push(this.#open.kind, this.#open.from, time);
    this.#open = kind === null ? null : { kind, from: time };
  }

  #push(kind: PartKind, from: number, to: number): void {
    if (to > from) this.#parts.push({ kind, from, to });
  }

  #count(id: string, by: 1 | -1): void {
    const count = (this.#tools.get(id) ?? 0) + by;
    if (count > 0) this.#tools.set(id, count);
    else this.#tools.delete(id);
  }
}
