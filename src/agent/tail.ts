import { plainText } from "./plainText.ts";

/** The end of a text that may be endless. */
export class Tail {
  #text = "";
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(text: string): void {
    this.#text = (this.#text + text).slice(-this.#limit);
  }

  toString(): string {
    return plainText(this.#text).trim();
  }
}
