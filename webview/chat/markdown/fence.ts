import { language } from "./parser.ts";
import type { Near } from "./near.ts";
import { pieceLines, pieces } from "./pieces.ts";

export interface CodeParts {
  /** Puts a heading with the language and the actions on a block of code. */
  readonly head: (language: string) => Node;
  /** HTML of highlighted code; undefined when the language is not known. */
  readonly highlight: (code: string, language: string) => string | undefined;
  /** Knows what comes near the view; without it, code is coloured as soon as it is finished. */
  readonly near?: Near | undefined;
}

interface Opening {
  readonly language: string;
  readonly marker: string;
  /** The line that ends it. */
  readonly closing: RegExp;
  /** A line of its code, without what the fence itself is indented by. */
  readonly dedented: (line: string) => string;
}

/** What the line that opens a fence, without its end, says of it. */
export function fenceOf(opening: string): Opening {
  const [, indent = "", marker = "```", info = ""] =
    /^( *)(`{3,}|~{3,})(.*)$/u.exec(opening) ?? [];
  const sign = marker.charAt(0);
  return {
    language: language(info),
    marker: sign,
    closing: new RegExp(`^ {0,3}${sign}{${marker.length},}[ \\t]*$`, "u"),
    dedented: (line) => {
      let at = 0;
      while (at < indent.length && line[at] === " ") at++;
      return line.slice(at);
    },
  };
}

/** A fence that is being written: lines are appended as they come, and coloured once when it has closed. */
export class Fence {
  readonly element: HTMLElement;
  readonly #pre: HTMLElement;
  readonly #parts: CodeParts;
  readonly #opening: Opening;
  readonly #rest: Text;
  #piece: Text | undefined;
  #lines = 0;

  /** `opening` is the line that opens it, without its end. */
  constructor(opening: string, parts: CodeParts, document: Document) {
    this.#parts = parts;
    this.#opening = fenceOf(opening);
    this.element = document.createElement("div");
    this.element.className = "code";
    this.element.dataset["lang"] = this.#opening.language;
    this.#pre = document.createElement("pre");
    this.#pre.tabIndex = -1;
    this.#rest = document.createTextNode("");
    this.#pre.append(this.#rest);
    this.element.append(parts.head(this.#opening.language), this.#pre);
  }

  /** Takes a whole line, without its end; true when it closed the fence. */
  line(text: string): boolean {
    if (this.#opening.closing.test(text)) {
      this.close();
      return true;
    }
    this.#append(`${this.#opening.dedented(text)}\n`);
    return false;
  }

  /** Shows the line that is not whole yet; one that may turn out to close the fence is held back. */
  partial(text: string): void {
    const line = this.#opening.dedented(text);
    this.#rest.data =
      line.replaceAll(this.#opening.marker, "").trim() === "" ? "" : line;
  }

  /** The last line of a text that ended inside the fence. */
  end(text: string): void {
    if (text !== "" && this.line(text)) return;
    this.close();
  }

  close(): void {
    this.#rest.data = "";
    colour(this.#pre, this.#opening.language, this.#parts);
  }

  #append(line: string): void {
    if (this.#piece === undefined || this.#lines === pieceLines) {
      const holder = pieceOf(this.#pre);
      this.#piece = this.#pre.ownerDocument.createTextNode("");
      holder.append(this.#piece);
      this.#rest.before(holder);
      this.#lines = 0;
    }
    this.#piece.appendData(line);
    this.#lines++;
  }
}

/** Colours finished code once it is near the view: of a flood, most never is. */
export function colour(
  pre: HTMLElement,
  language: string,
  { highlight, near }: CodeParts,
): void {
  const job = (): void => {
    const html = highlight(pre.textContent, language);
    if (html !== undefined) paint(pre, html);
  };
  if (near === undefined) job();
  else near.add(pre, job);
}

/** Writes highlighted code in the place of plain code, in pieces; those of a fence are there already and laid out. */
function paint(pre: HTMLElement, html: string): void {
  const made = pieces(html);
  let holders: readonly Element[] = [...pre.getElementsByClassName("piece")];
  if (holders.length !== made.length) {
    holders = made.map(() => pieceOf(pre));
    pre.replaceChildren(...holders);
  }
  for (const [i, holder] of holders.entries()) holder.innerHTML = made[i] ?? "";
}

function pieceOf({ ownerDocument }: HTMLElement): HTMLElement {
  const holder = ownerDocument.createElement("span");
  holder.className = "piece";
  return holder;
}
