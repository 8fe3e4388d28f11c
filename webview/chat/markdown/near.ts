/** Does a job for an element once it comes near the view. */
export interface Near {
  add(element: Element, job: () => void): void;
  /** From now on, what was added is watched. */
  watch(): void;
  /** Nothing that was watched is watched any more. */
  forget(): void;
}

/** How far from the view something is near: what is scrolled to at an ordinary speed is done before it is seen. */
const margin = "300px";

export class NearView implements Near {
  readonly #jobs = new Map<Element, () => void>();
  #added: Element[] = [];
  #observer: IntersectionObserver | undefined;

  add(element: Element, job: () => void): void {
    this.#jobs.set(element, job);
    this.#added.push(element);
  }

  watch(): void {
    for (const element of this.#added) this.#observed().observe(element);
    this.#added = [];
  }

  forget(): void {
    this.#observer?.disconnect();
    this.#jobs.clear();
    this.#added = [];
  }

  #observed(): IntersectionObserver {
    // The margin is of the log that scrolls, not of the window.
    this.#observer ??= new IntersectionObserver(
      (entries) => this.#moved(entries),
      { root: document, scrollMargin: margin },
    );
    return this.#observer;
  }

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    // Asked before anything is changed: later the answer would cost a layout.
    const selection = getSelection();
    const ends =
      selection?.isCollapsed === false
        ? [selection.anchorNode, selection.focusNode]
        : [];
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      // What someone selects in is left alone until it comes into view again.
      if (ends.some((end) => target.contains(end))) continue;
      this.#observer?.unobserve(target);
      this.#jobs.get(target)?.();
      this.#jobs.delete(target);
    }
  }
}
