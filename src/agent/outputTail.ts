import { plainText } from "./plainText.ts";

/** The newest bytes of an output, cut at a character, read as plain text. */
export class OutputTail {
  readonly #limit: number;
  #kept = "";
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = Math.max(0, limit);
  }

  push(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    this.#kept += text;
    // Cutting at twice the limit keeps the cost of a long output in proportion to its length.
    if (this.#kept.length > 2 * this.#limit) this.#kept = this.#cut();
  }

  text(): string {
    return plainText(this.#cut());
  }

  truncated(): boolean {
    return this.#bytes > this.#limit;
  }

  /** Bytes of the whole output. */
  bytes(): number {
    return this.#bytes;
  }

  #cut(): string {
    if (this.#kept.length * 3 <= this.#limit) return this.#kept;
    const all = Buffer.from(this.#kept);
    if (all.length <= this.#limit) return this.#kept;
    let start = all.length - this.#limit;
    while (start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
    return all.subarray(start).toString("utf8");
  }
}
