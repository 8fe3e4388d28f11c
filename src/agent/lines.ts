const newline = 0x0a;

/** Splits bytes into lines at a cost that grows with the bytes alone, however many pieces a line comes in. */
export class Lines {
  #pieces: Buffer[] = [];
  #size = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines this piece completes, or undefined when one is longer than the limit. */
  push(piece: Buffer): readonly string[] | undefined {
    const lines: string[] = [];
    let start = 0;
    for (
      let end = piece.indexOf(newline);
      end !== -1;
      end = piece.indexOf(newline, start)
    ) {
      if (!this.#keep(piece.subarray(start, end))) return undefined;
      lines.push(this.flush());
      start = end + 1;
    }
    return this.#keep(piece.subarray(start)) ? lines : undefined;
  }

  /** What is there of an unfinished line. */
  flush(): string {
    const text = Buffer.concat(this.#pieces, this.#size).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  #keep(piece: Buffer): boolean {
    if (piece.length === 0) return true;
    this.#pieces.push(piece);
    this.#size += piece.length;
    return this.#size <= this.#limit;
  }
}
