import { batch as together, computed, signal } from "@preact/signals";
import type {
  TimelineBatch,
  TimelineThread,
  ToTimeline,
} from "../../src/protocol/timeline.ts";
import type { SavedView } from "../../src/protocol/timelineSaved.ts";
import { assertNever } from "../../src/util/assertNever.ts";
import { byDay, byThread, figuresOf, sumsOf } from "./figures.ts";
import { agentOf, noFilter, passes, queuePasses } from "./filter.ts";
import type { Filter } from "./filter.ts";
import type { Post } from "./host.ts";
import { lanesOf, nearest } from "./lanes.ts";
import type { Bar } from "./lanes.ts";
import {
  following,
  including,
  kept,
  panned,
  withAir,
  zoomed,
} from "./range.ts";
import type { Range } from "./range.ts";

export type Period = SavedView["period"];
const day = 86_400_000;
/** How many turns the first look takes in. */
const firstLook = 24;

/** The timeline: what the host told, what part of it is in view, and what a user can do. */
export class Timeline {
  readonly threads = signal<readonly TimelineThread[]>([]);
  readonly filter = signal<Filter>(noFilter);
  readonly text = signal("");
  readonly range = signal<Range>({ from: 0, to: 1 });
  /** The turn that has the keyboard's attention, and the one under the pointer. */
  readonly focus = signal<string | undefined>(undefined);
  readonly hover = signal<string | undefined>(undefined);
  readonly table = signal(false);
  readonly period = signal<Period>("all");
  /** What the sums beside the chart are told by. */
  readonly sums = signal<SavedView["sums"]>("day");
  readonly complete = signal(false);
  /** What of all there is was left out, told to the user. */
  readonly older = signal(false);
  readonly moreFound = signal(false);
  readonly now = signal(0);
  readonly notResent = signal<ReadonlyMap<string, number>>(new Map());
  /** How the messages of a turn begin, as far as anyone looked. */
  readonly said = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  readonly #batches = signal<ReadonlyMap<string, TimelineBatch>>(new Map());
  /** How many turns of a thread are older than those told; null before the past was told once. */
  readonly #before = signal<Readonly<Record<string, number>> | null>(null);
  /** Those told since the telling of the past began. */
  #told = new Set<string>();
  readonly #post: Post;
  readonly #clock: () => number;
  readonly #asked = new Set<string>();
  /** What the view goes along with as time goes on. */
  readonly #follows = signal<SavedView["follows"]>("newest");
  #skew = 0;

  constructor(post: Post, clock: () => number, saved?: SavedView) {
    this.#post = post;
    this.#clock = clock;
    this.now.value = clock();
    if (saved === undefined) return;
    const { thread, agent, type, status, text } = saved;
    this.filter.value = { thread, agent, type, status, found: null };
    this.text.value = text;
    this.table.value = saved.table;
    this.period.value = saved.period;
    this.sums.value = saved.sums;
    this.#follows.value = saved.follows;
    this.range.value = saved.range;
  }

  /** What to keep for the next time. */
  readonly saved = computed((): SavedView => {
    const { thread, agent, type, status } = this.filter.value;
    return {
      ...{ thread, agent, type, status },
      text: this.text.value,
      range: this.range.value,
      follows: this.#follows.value,
      table: this.table.value,
      period: this.period.value,
      sums: this.sums.value,
    };
  });

  readonly lanes = computed(() => {
    const filter = this.filter.value;
    return lanesOf(
      this.threads.value,
      this.#batches.value.values(),
      (batch, thread) => passes(filter, batch, thread),
      (thread) => queuePasses(filter, thread),
      this.#before.value,
    );
  });

  /** Every bar by its batch's id. */
  readonly bars = computed(
    () =>
      new Map(
        this.lanes.value.flatMap(({ bars }) =>
          bars.map((bar) => [bar.batch.id, bar] as const),
        ),
      ),
  );

  /** The turn that is told about. */
  readonly told = computed(() =>
    this.table.value
      ? undefined
      : this.bars.value.get(this.hover.value ?? this.focus.value ?? ""),
  );

  readonly all = computed((): Range => {
    const now = this.now.value;
    let [from, to] = [Infinity, -Infinity];
    for (const { queued, bars } of this.lanes.value) {
      const first = bars[0];
      const last = bars.at(-1);
      if (first !== undefined)
        from = Math.min(from, first.from, ...first.batch.typed);
      if (last !== undefined) to = Math.max(to, Math.min(last.to, now));
      from = Math.min(from, ...queued);
      if (queued.length > 0) to = now;
    }
    return from <= to ? { from, to } : { from: now - 60_000, to: now };
  });

  readonly live = computed(() =>
    this.threads.value.some(
      ({ mark, queued }) =>
        mark === "working" || mark === "needsYou" || queued.length > 0,
    ),
  );

  readonly agents = computed(() => {
    const threads = new Map(this.threads.value.map((one) => [one.id, one]));
    const names = [...this.#batches.value.values()].flatMap((batch) => {
      const thread = threads.get(batch.thread);
      return thread === undefined ? [] : [agentOf(batch, thread)];
    });
    return [...new Set(names)].sort();
  });

  /** The turns that the figures tell of. */
  readonly #counted = computed(() => {
    const period = this.period.value;
    const since =
      period === "all"
        ? -Infinity
        : this.now.value - (period === "day" ? day : 7 * day);
    return [...this.bars.value.values()].flatMap(({ batch }) =>
      batch.claimed >= since ? [batch] : [],
    );
  });

  readonly figures = computed(() =>
    figuresOf(this.#counted.value, this.now.value, this.notResent.value),
  );

  readonly groups = computed(() =>
    (this.sums.value === "day" ? byDay : byThread)(
      this.#counted.value,
      this.now.value,
      this.notResent.value,
    ),
  );

  /** What the chart shows, whatever period the figures tell of. */
  readonly shown = computed(() =>
    sumsOf(
      [...this.bars.value.values()].map(({ batch }) => batch),
      new Map(),
    ),
  );

  take(message: ToTimeline): void {
    switch (message.type) {
      case "threads":
        this.#skew = message.now - this.#clock();
        this.threads.value = message.threads;
        this.tick();
        return;
      case "batches":
        together(() => {
          this.#batches.value = new Map([
            ...this.#batches.value,
            ...message.batches.map((one) => [one.id, one] as const),
          ]);
          for (const { id } of message.batches) this.#told.add(id);
          this.tick();
        });
        return;
      case "begin":
        this.#told = new Set();
        return;
      case "complete":
        together(() => {
          this.#batches.value = new Map(
            [...this.#batches.value].filter(([id]) => this.#told.has(id)),
          );
          this.complete.value = true;
          this.older.value = message.older;
          this.#before.value = message.before;
          this.tick();
        });
        return;
      case "found":
        if (message.text === this.text.value)
          together(() => {
            this.moreFound.value = message.more;
            this.#narrow({ found: new Set(message.batches) });
          });
        return;
      case "notResent":
        this.notResent.value = new Map([
          ...this.notResent.value,
          ...Object.entries(message.bytes),
        ]);
        return;
      case "said":
        this.said.value = new Map(this.said.value).set(
          message.batch,
          message.texts,
        );
        return;
      default:
        assertNever(message);
    }
  }

  /** Time goes on: what runs grows, and the view goes along unless the user took it into the past. */
  tick(): void {
    together(() => {
      this.now.value = this.#clock() + this.#skew;
      this.#follow();
    });
  }

  ready(): void {
    this.#post({ type: "ready" });
    if (this.text.value !== "") this.find(this.text.value);
  }

  problem(text: string): void {
    this.#post({ type: "problem", text: text.slice(0, 10_000) });
  }

  open(thread: string, batch?: string): void {
    this.#post({
      type: "open",
      thread,
      ...(batch === undefined ? {} : { batch }),
    });
  }

  inspect(bar: Bar): void {
    const { thread, id } = bar.batch;
    this.#post({ type: "inspect", thread, batch: id });
  }

  /** Asks once how a turn's messages begin; one that still collects is asked about again. */
  look({ batch }: Bar): void {
    const key = `${batch.id} ${batch.typed.length}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#post({ type: "tell", thread: batch.thread, batch: batch.id });
  }

  save(format: "csv" | "json", text: string): void {
    this.#post({ type: "export", format, text });
  }

  find(text: string): void {
    this.text.value = text;
    this.#post({ type: "find", text });
    if (text.trim() !== "") return;
    this.moreFound.value = false;
    this.#narrow({ found: null });
  }

  choose(filter: Partial<Filter>): void {
    this.#narrow(filter);
  }

  /** Around a time, else around the turn in focus, else the middle. */
  zoom(factor: number, at?: number): void {
    const { from, to } = this.range.value;
    const bar = this.bars.value.get(this.focus.value ?? "");
    const middle =
      bar === undefined
        ? (from + to) / 2
        : (bar.from + Math.min(bar.to, this.now.value)) / 2;
    this.#move(zoomed({ from, to }, factor, at ?? middle));
  }

  pan(by: number): void {
    this.#move(panned(this.range.value, by));
  }

  show(range: Range): void {
    this.#move(range);
  }

  fit(): void {
    together(() => {
      this.#follows.value = "all";
      this.#follow();
    });
  }

  /** Gives a turn the attention and brings it into view. */
  go(bar: Bar): void {
    this.focus.value = bar.batch.id;
    const to = Math.min(bar.to, this.now.value);
    const next = including(this.range.value, { from: bar.from, to });
    if (next !== this.range.value) this.#move(next);
  }

  /** The turn beside the one in focus: in its thread, or at the same time in the next one. */
  beside(along: "turn" | "thread", by: 1 | -1): Bar | undefined {
    const lanes = this.lanes.value.filter(({ bars }) => bars.length > 0);
    const now = this.bars.value.get(this.focus.value ?? "");
    if (now === undefined) return lanes[0]?.bars.at(-1);
    const at = lanes.findIndex(({ thread }) => thread.id === now.batch.thread);
    if (along === "turn") {
      const bars = lanes[at]?.bars ?? [];
      return bars[bars.indexOf(now) + by];
    }
    const lane = lanes[at + by];
    const middle = (now.from + Math.min(now.to, this.now.value)) / 2;
    return lane === undefined ? undefined : nearest(lane.bars, middle);
  }

  #move(to: Range): void {
    const all = this.all.value;
    const next = kept(to, all);
    const { from, to: end } = this.range.value;
    // Against the edge of all there is nothing moves, and nothing was decided.
    if (next.from === from && next.to === end) return;
    together(() => {
      this.#follows.value = next.to >= all.to ? "end" : "nothing";
      this.range.value = next;
    });
  }

  #narrow(filter: Partial<Filter>): void {
    together(() => {
      this.filter.value = { ...this.filter.value, ...filter };
      this.range.value = kept(this.range.value, this.all.value);
      this.#follow();
    });
  }

  #follow(): void {
    const follows = this.#follows.value;
    switch (follows) {
      case "newest":
        this.range.value = this.#first();
        return;
      case "all":
        this.range.value = withAir(this.all.value);
        return;
      case "end":
        // Before anything is told nothing says where the end is.
        if (this.lanes.value.length > 0)
          this.range.value = following(this.range.value, this.all.value.to);
        return;
      case "nothing":
        return;
      default:
        assertNever(follows);
    }
  }

  #first(): Range {
    const all = this.all.value;
    const starts = this.lanes.value
      .flatMap(({ bars }) => bars.slice(-firstLook))
      .map(({ from, batch }) => Math.min(from, ...batch.typed))
      .sort((a, b) => b - a);
    const from = starts[firstLook - 1] ?? all.from;
    return withAir({ from, to: Math.max(all.to, from) });
  }
}
