import { computed, signal } from "@preact/signals";
import type { FoundMessage } from "../../src/protocol/reply.ts";
import { finder } from "../../src/util/findText.ts";
import type { Marking } from "./spot.ts";

export interface FindEnds {
  /** Asks the host; undefined when it could not look. */
  readonly look: (
    text: string,
    matchCase: boolean,
  ) => Promise<{ found: readonly FoundMessage[]; more: boolean } | undefined>;
  /** The turn at the top of the view: the search begins there. */
  readonly top: () => string | undefined;
  readonly go: (hit: FoundMessage, nth: number) => void;
  readonly mark: (marking: Marking | undefined) => void;
  readonly later: (run: () => void, ms: number) => void;
}

/** How soon what changed meanwhile is looked through again. */
const settles = 500;

/** Finding in a thread. What is found is the host's word; here is only where the user stands in it. */
export class FindDesk {
  readonly shown = signal(false);
  readonly text = signal("");
  readonly matchCase = signal(false);
  readonly found = signal<readonly FoundMessage[]>([]);
  readonly more = signal(false);
  /** Which of all places; -1 for none. */
  readonly at = signal(-1);
  /** Counts how often the box was asked for: it takes the focus each time. */
  readonly asked = signal(0);
  readonly total = computed(() =>
    this.found.value.reduce((sum, { count }) => sum + count, 0),
  );
  readonly #ends: FindEnds;
  #round = 0;
  #waiting = false;

  constructor(ends: FindEnds) {
    this.#ends = ends;
  }

  open(seed = ""): void {
    this.shown.value = true;
    this.asked.value++;
    if (seed !== "") this.type(seed);
    else if (this.text.value !== "") void this.#look("here");
  }

  close(): void {
    this.shown.value = false;
    this.#round++;
    this.found.value = [];
    this.at.value = -1;
    this.#ends.mark(undefined);
  }

  type(text: string): void {
    this.text.value = text;
    void this.#look("here");
  }

  toggleCase(): void {
    this.matchCase.value = !this.matchCase.value;
    void this.#look("here");
  }

  step(by: -1 | 1): void {
    const all = this.total.value;
    if (all === 0) return;
    const from = this.at.value < 0 && by < 0 ? 0 : this.at.value;
    this.#stand((from + by + all) % all, true);
  }

  /** The thread has changed; many changes are one. */
  changed(): void {
    if (!this.shown.value || this.text.value === "" || this.#waiting) return;
    this.#waiting = true;
    this.#ends.later(() => {
      this.#waiting = false;
      if (this.shown.value) void this.#look("stay");
    }, settles);
  }

  async #look(then: "here" | "stay"): Promise<void> {
    const round = ++this.#round;
    const text = this.text.value;
    const answer =
      text.trim() === ""
        ? { found: [], more: false }
        : await this.#ends.look(text, this.matchCase.value);
    // A slower answer to an earlier question is no answer.
    if (round !== this.#round || answer === undefined) return;
    const stood = placeOf(this.found.value, this.at.value);
    this.found.value = answer.found;
    this.more.value = answer.more;
    if (then === "stay") this.#stand(indexOf(answer.found, stood), false);
    else this.#stand(nearest(answer.found, this.#ends.top()), true);
  }

  #stand(at: number, go: boolean): void {
    this.at.value = at;
    const place = placeOf(this.found.value, at);
    const wanted = finder(this.text.value, this.matchCase.value);
    this.#ends.mark(
      wanted === null
        ? undefined
        : {
            wanted,
            bare: false,
            ...(place === undefined
              ? {}
              : { current: { message: place.hit.message, nth: place.nth } }),
          },
    );
    if (go && place !== undefined) this.#ends.go(place.hit, place.nth);
  }
}

interface FoundPlace {
  readonly hit: FoundMessage;
  readonly nth: number;
}

export function placeOf(
  found: readonly FoundMessage[],
  at: number,
): FoundPlace | undefined {
  let left = at;
  if (left < 0) return undefined;
  for (const hit of found) {
    if (left < hit.count) return { hit, nth: left };
    left -= hit.count;
  }
  return undefined;
}

function indexOf(
  found: readonly FoundMessage[],
  place: FoundPlace | undefined,
): number {
  let before = 0;
  for (const { message, count } of found) {
    if (message === place?.hit.message)
      return before + Math.min(place.nth, count - 1);
    before += count;
  }
  return -1;
}

/** The first place at or below the top of the view, else the last above it. */
export function nearest(
  found: readonly FoundMessage[],
  top: string | undefined,
): number {
  let before = 0;
  for (const { at, count } of found) {
    if (at === null || at >= (top ?? "")) return before;
    before += count;
  }
  return before - 1;
}
