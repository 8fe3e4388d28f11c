/** How near to the end counts as there. */
const near = 24;
/** For how long after a gesture a move of the view is the user's. */
const gesture = 1_000;

export interface Measures {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Whether the view follows its end: only the user's own scrolling changes it. */
export class Stick {
  stuck = true;
  #top = 0;
  #gestureAt = -Infinity;

  /** The user touched the wheel, a key, the bar or the screen. */
  touched(at: number): void {
    this.#gestureAt = at;
  }

  /** The user wants to be at the end: what moves the view there is no scrolling of theirs. */
  follow(): void {
    this.stuck = true;
    this.#gestureAt = -Infinity;
  }

  /** The view moved; true when it was the user who moved it. */
  scrolled(measures: Measures, at: number): boolean {
    const up = measures.scrollTop < this.#top - 1;
    this.#top = measures.scrollTop;
    const left =
      measures.scrollHeight - measures.clientHeight - measures.scrollTop;
    const mine = at - this.#gestureAt < gesture;
    if (!mine) return false;
    if (up && left > 1) this.stuck = false;
    else if (left <= near && !up) this.stuck = true;
    // A long drag or a fling is one gesture for as long as it moves.
    if (!this.stuck) this.#gestureAt = at;
    return true;
  }
}
