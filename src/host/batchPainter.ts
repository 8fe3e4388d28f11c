import type { ViewState } from "../protocol/viewState.ts";

const frameMs = 16;

type Painted = Pick<ViewState, "messages" | "batches">;

/** Many changes of a batch within a frame are shown as one. */
export class BatchPainter {
  /** Batches that are shown otherwise from the next frame on. */
  readonly #dirty = new Set<string>();
  readonly #paint: (batches: readonly string[]) => void;
  #frame: NodeJS.Timeout | undefined;

  constructor(paint: (batches: readonly string[]) => void) {
    this.#paint = paint;
  }

  /** Paints a batch with the next frame. */
  soon(batch: string): void {
    this.mark(batch);
    this.#frame ??= setTimeout(() => this.now(), frameMs);
  }

  /** Paints a batch whenever others are. */
  mark(batch: string): void {
    this.#dirty.add(batch);
  }

  /** Paints what waits for its frame. */
  now(): void {
    this.dispose();
    const dirty = [...this.#dirty];
    this.forget();
    if (dirty.length > 0) this.#paint(dirty);
  }

  /** All of them have been painted otherwise. */
  forget(): void {
    this.#dirty.clear();
  }

  dispose(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
  }
}

/** The same, but for some batches that are painted anew. */
export function repainted<T extends Painted>(
  state: T,
  anew: readonly string[],
  shown: readonly Painted[],
): T {
  const isAnew = (batch: string | null): boolean =>
    batch !== null && anew.includes(batch);
  return {
    ...state,
    messages: [
      ...state.messages.filter(({ batch }) => !isAnew(batch)),
      ...shown.flatMap(({ messages }) => messages),
    ],
    batches: [
      ...state.batches.filter(({ id }) => !isAnew(id)),
      ...shown.flatMap(({ batches }) => batches),
    ],
  };
}
