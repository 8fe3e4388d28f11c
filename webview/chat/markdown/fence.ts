import { language } from "./parser.ts";
import { pieceLines, pieces } from "./pieces.ts";

export interface CodeParts {
  /** Puts a heading with the language and the actions on a block of code. */
  readonly head: (language: string) => Node;
  /** HTML of highlighted code; undefined when the language is not known. */
  readonly highlight: (code: string, language: string) => string | undefined;
}

/** A fence that is being written: lines are appended as they come, and highlighted once when it closes. */
export class Fence {
  readonly element: HTMLElement;
  readonly #pre: HTMLElement;
  readonly #parts: CodeParts;
  readonly #language: string;
  readonly #indent: number;
  readonly #closing: RegExp;
  readonly #marker: string;
  readonly #rest: Text;
  #code = "";
  #piece: Text | undefined;
  #lines = 0;

  /** `opening` is the line that opens it, without its end. */
  constructor(opening: string, parts: CodeParts, document: Document) {
    const [, indent = "", marker = "```", info = ""] =
      /^( *)(`{3,}|~{3,})(.*)$/u.exec(opening) ?? [];
    this.#parts = parts;
    this.#language = language(info);
    this.#indent = indent.length;
    this.#marker = marker.charAt(0);
    this.#closing = new RegExp(
      `^ {0,3}${this.#marker}{${marker.length},}[ \\t]*$`,
      "u",
    );
    this.element = document.createElement("div");
    this.element.className = "code";
    this.element.dataset["lang"] = this.#language;
    this.#pre = document.createElement("pre");
    this.#pre.tabIndex = -1;
    this.#rest = document.createTextNode("");
    this.#pre.append(this.#rest);
    this.element.append(parts.head(this.#language), this.#pre);
  }

  /** Takes a whole line, without its end; true when it closed the fence. */
  line(text: string): boolean {
    if (this.#closing.test(text)) {
      this.close();
      return true;
    }
    const line = `${this.#dedented(text)}\n`;
    this.#code += line;
    this.#append(line);
    return false;
  }

  /** Shows the line that is not whole yet; one that may turn out to close the fence is held back. */
  partial(text: string): void {
    const line = this.#dedented(text);
    this.#rest.data =
      line.replaceAll(this.#marker, "").trim() === "" ? "" : line;
  }

  /** The last line of a text that ended inside the fence. */
  end(text: string): void {
    if (text !== "" && this.line(text)) return;
    this.close();
  }

  close(): void {
    this.#rest.data = "";
    const html = this.#parts.highlight(this.#code, this.#language);
    if (html !== undefined) paint(this.#pre, html);
  }

  #append(line: string): void {
    if (this.#piece === undefined || this.#lines === pieceLines) {
      const { ownerDocument } = this.#pre;
      const holder = ownerDocument.createElement("span");
      holder.className = "piece";
      this.#piece = ownerDocument.createTextNode("");
      holder.append(this.#piece);
      this.#rest.before(holder);
      this.#lines = 0;
    }
    this.#piece.appendData(line);
    this.#lines++;
  }

  #dedented(line: string): string {
    let at = 0;
    while (at < this.#indent && line[at] === " ") at++;
    return line.slice(at);
  }
}

/** Replaces plain code by its highlighted form, in pieces. */
export function paint(pre: HTMLElement, html: string): void {
  const { ownerDocument } = pre;
  pre.replaceChildren(
    ...pieces(html).map((piece) => {
      const holder = ownerDocument.createElement("span");
      holder.className = "piece";
      holder.innerHTML = piece;
      return holder;
    }),
  );
}
