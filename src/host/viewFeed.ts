import { diff } from "../protocol/diff.ts";
import type { Op } from "../protocol/ops.ts";
import { reduce } from "../protocol/reduce.ts";
import type { ToView } from "../protocol/toView.ts";
import type { ViewState } from "../protocol/viewState.ts";

/** At most one delta a frame. */
const frameMs = 16;
/**
 * Text alone comes at a pace the eye takes for steady, and the slower the more of it there is:
 * every delta costs a layout and a paint, and nobody reads so many characters a millisecond.
 */
const pace = { leastMs: 50, mostMs: 800, characters: 12 };

/** Keeps what one view shows and tells it what changed, numbered without holes from its snapshot on. */
export class ViewFeed {
  readonly #post: (message: ToView) => void;
  readonly #now: () => number;
  #instance = "";
  #n = 0;
  #state: ViewState | undefined;
  #pending: Op[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the next delta goes, on the monotonic clock. */
  #due = Infinity;
  /** Until then text on its own waits. */
  #calmUntil = -Infinity;

  constructor(post: (message: ToView) => void, now = () => performance.now()) {
    this.#post = post;
    this.#now = now;
  }

  /** What the view shows, or will with the next frame; undefined before its first snapshot. */
  get state(): ViewState | undefined {
    return this.#state;
  }

  snapshot(instance: string, state: ViewState): void {
    this.#drop();
    this.#instance = instance;
    this.#n = 0;
    this.#state = state;
    this.#post({ type: "snapshot", instance, n: 0, now: Date.now(), state });
  }

  /** Sends the difference to a new state. */
  become(next: ViewState): void {
    if (this.#state === undefined) return;
    this.change(...diff(this.#state, next));
  }

  change(...ops: readonly Op[]): void {
    for (const op of ops) {
      if (this.#state === undefined) return;
      const next = reduce(this.#state, op);
      // A record outside the window has nothing to append to.
      if (next === "gap" || next === this.#state) continue;
      this.#state = next;
      this.#queue(op);
    }
    if (this.#pending.length > 0) this.#schedule(this.#now());
  }

  dispose(): void {
    this.#drop();
    this.#state = undefined;
  }

  /** Pieces of one text within a frame travel as one. */
  #queue(op: Op): void {
    const last = this.#pending.at(-1);
    if (op.op === "text" && last?.op === "text" && last.id === op.id)
      this.#pending[this.#pending.length - 1] = {
        ...last,
        text: last.text + op.text,
      };
    else this.#pending.push(op);
  }

  /** Whatever is not text takes the text that waits along. */
  #schedule(now: number): void {
    const calm = this.#pending.every(({ op }) => op === "text");
    const due = Math.max(now + frameMs, calm ? this.#calmUntil : -Infinity);
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#flush(), due - now);
  }

  #flush(): void {
    this.#timer = undefined;
    this.#due = Infinity;
    const ops = this.#pending;
    if (ops.length === 0) return;
    const text = ops.reduce(
      (sum, op) => sum + (op.op === "text" ? op.text.length : 0),
      0,
    );
    const { leastMs, mostMs, characters } = pace;
    if (text > 0)
      this.#calmUntil =
        this.#now() +
        Math.min(mostMs, Math.max(leastMs, Math.round(text / characters)));
    this.#pending = [];
    this.#n += 1;
    this.#post({ type: "delta", instance: this.#instance, n: this.#n, ops });
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = Infinity;
    this.#pending = [];
  }
}
