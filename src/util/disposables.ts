export interface Disposable {
  dispose(): unknown;
}

/** Owns what was registered; what is added after disposal is disposed at once. */
export class Disposables implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const item of this.#items.splice(0).reverse()) item.dispose();
  }
}
