/** What of a window frames are made of. */
export type Page = Pick<
  Window,
  "addEventListener" | "requestAnimationFrame" | "setTimeout"
> & {
  readonly document: { readonly hidden: boolean };
  readonly performance: { now(): number };
};

/** How long at most a text that grows lets keys go first. */
const patience = 300;
/** Without a key for so long, nobody types. */
const pause = 400;

/**
 * The frames in which the page takes in what has come. Nobody who types waits behind a long answer:
 * it grows in the frame after a key was drawn, which is when the next key is farthest away.
 */
export class Frames {
  readonly #page: Page;
  /** Frames that are still to show what keys did; the last of them has not begun while it is asked for. */
  #undrawn = 0;
  #asked = false;
  /** What a key did has just been drawn. */
  #drawn = false;
  #turn = 0;
  #keyAt = -Infinity;

  constructor(page: Page) {
    this.#page = page;
    // Not every text comes by keys, and not every key brings text.
    for (const name of ["keydown", "input"])
      page.addEventListener(name, () => this.#key(), { capture: true });
  }

  get typing(): boolean {
    return this.#page.performance.now() - this.#keyAt < pause;
  }

  next(run: () => void): void {
    // A page in the background gets no frames; what it is told must not pile up.
    if (this.#page.document.hidden) this.#page.setTimeout(run, 100);
    else this.#page.requestAnimationFrame(run);
  }

  /** The next one that no key needs. */
  free(run: () => void): void {
    const asked = this.#page.performance.now();
    const frame = (): void => {
      const free = this.#undrawn === 0 && (this.#drawn || !this.typing);
      if (free || this.#page.performance.now() - asked > patience) run();
      else this.next(frame);
    };
    this.next(frame);
  }

  #key(): void {
    this.#keyAt = this.#page.performance.now();
    // Its frame is asked for already; one that is being drawn now came too early to show it.
    if (this.#asked) return;
    this.#asked = true;
    this.#undrawn++;
    this.#page.requestAnimationFrame(() => {
      this.#asked = false;
      this.#page.setTimeout(() => {
        this.#undrawn--;
        this.#makeRoom();
      });
    });
  }

  /** The next frame is nobody's. */
  #makeRoom(): void {
    const mine = ++this.#turn;
    this.#drawn = true;
    this.#page.requestAnimationFrame(() =>
      this.#page.setTimeout(() => {
        if (mine === this.#turn) this.#drawn = false;
      }),
    );
  }
}
