import { stripVTControlCharacters } from "node:util";

/** What a command has printed so far, or its end where that is too much. */
export class Output {
  #text = "";
  #dropped = false;

  add(chunk: string): void {
    this.#text += chunk;
    if (this.#text.length <= 2 * most) return;
    this.#text = this.#text.slice(-most);
    this.#dropped = true;
  }

  /** Plain text: colours and cursor moves are for terminals. */
  get text(): string {
    const tail = this.#text.slice(-most);
    const cut = this.#dropped || tail.length < this.#text.length;
    const lines = cut ? tail.slice(tail.indexOf("\n") + 1) : tail;
    const plain = stripVTControlCharacters(lines)
      .replaceAll("\r\n", "\n")
      // A progress bar rewrites its line: only the last state counts.
      .replaceAll(/[^\n]*\r(?=[^\n])/g, "")
      .trimEnd();
    return cut ? `…\n${plain}` : plain;
  }
}

const most = 32 * 1024;
