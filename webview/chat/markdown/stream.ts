import type { CodeParts } from "./fence.ts";
import { Fence } from "./fence.ts";
import type { Block, Env } from "./parser.ts";
import { blocks } from "./parser.ts";
import { elements, render, within } from "./render.ts";
import type { Pace } from "./slices.ts";
import { Slices } from "./slices.ts";
import { atOnce, wholeHtml } from "./whole.ts";

export interface StreamOptions extends CodeParts, Pace {}

/** A list or table whose first parts are written for good. */
interface Container {
  readonly kind: "list" | "table";
  readonly element: Element;
  /** Of a table: its head, without which the rows would not read as rows. */
  readonly prefix: string;
}

/** Longer than this, an unfinished block is shown again only when it has grown by an eighth. */
const longTail = 8_000;
/** No more blocks are added to what is written at once when it is longer than this. */
const longHtml = 16_000;
/** Blocks that are laid out as one: what is finished must cost nothing when more is added below. */
const inPart = 24;

/**
 * Markdown that grows at its end: finished blocks are written once, only the last one is written again.
 * Whether a block is finished is decided on whole lines alone, so that a text comes out the same however it was cut.
 */
export class MarkdownStream {
  readonly #root: HTMLElement;
  readonly #options: StreamOptions;
  readonly #document: Document;
  #text = "";
  #open = true;
  /** How much of the text is written for good. */
  #done = 0;
  #env: Env = {};
  #container: Container | undefined;
  #fence: Fence | undefined;
  #part: HTMLElement | undefined;
  #live: ChildNode[] = [];
  #liveLength = 0;
  readonly #slices: Slices;

  constructor(root: HTMLElement, options: StreamOptions) {
    this.#root = root;
    this.#options = options;
    this.#document = root.ownerDocument;
    // What is only on its way through the view is not worth a job.
    this.#slices = new Slices(options, () => options.near?.watch());
  }

  /** Shows a text; `open` says that more may follow at its end. */
  set(raw: string, open: boolean): void {
    const text = raw.includes("\r") ? raw.replace(/\r\n?/gu, "\n") : raw;
    if (!this.#open && open === this.#open && text === this.#text) return;
    if (!this.#open || !text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    this.#open = open;
    this.#slices.start(this.#work());
  }

  /** What is left to do is not done any more. */
  stop(): void {
    this.#slices.stop();
    this.#options.near?.forget();
  }

  #reset(): void {
    this.#options.near?.forget();
    this.#root.replaceChildren();
    this.#done = this.#liveLength = 0;
    this.#env = {};
    this.#live = [];
    this.#container = this.#fence = this.#part = undefined;
  }

  /** Where the next block goes; what is live stands there too, but does not count. */
  #home(): HTMLElement {
    if (this.#part === undefined || this.#part.childElementCount >= inPart) {
      this.#part = this.#document.createElement("div");
      this.#part.className = "part";
      this.#root.append(this.#part);
    }
    return this.#part;
  }

  /** Yields only where its state is whole, so that it can rest there or be started anew on a longer text. */
  *#work(): Generator<undefined> {
    let again = true;
    while (again) {
      again = false;
      if (this.#fence !== undefined && !this.#feed(this.#fence)) return;
      const whole = this.#open
        ? this.#text.lastIndexOf("\n") + 1
        : this.#text.length;
      const prefix = this.#container?.prefix ?? "";
      const base = this.#done - prefix.length;
      const source = prefix + this.#text.slice(this.#done, whole);
      const found = blocks(source, this.#env);
      for (let i = 0; i < found.length && !again;) {
        const written = this.#writeWhole(found, i, source, base);
        const block = written > 0 ? undefined : found[i];
        i += Math.max(written, 1);
        const unfinished = this.#open && i === found.length;
        if (block?.kind === "fence") {
          if (!this.#feed(this.#openFence(source, block.start, base))) return;
          // Parsed once, a text goes on behind its fence, unless the parser saw its end elsewhere.
          again = this.#done !== base + block.end;
        } else if (block !== undefined) {
          yield* this.#write(block, source, base, unfinished);
          if (unfinished) break;
          this.#container = undefined;
          this.#done = base + block.end;
        }
        yield;
      }
    }
    this.#showLive();
  }

  /** Writes finished blocks as one, as many as a part holds; answers how many. */
  #writeWhole(
    found: readonly Block[],
    from: number,
    source: string,
    base: number,
  ): number {
    if (this.#container !== undefined) return 0;
    const finished = found.length - (this.#open ? 1 : 0);
    let [html, count, room] = ["", 0, inPart];
    let end = this.#done;
    while (from + count < finished && count < room && html.length < longHtml) {
      const block = found[from + count];
      const made = block && wholeHtml(block, source, this.#env);
      if (block === undefined || made === undefined) break;
      if (count++ === 0) {
        this.#dropLive();
        room = inPart - this.#home().childElementCount;
      }
      html += made;
      end = base + block.end;
    }
    if (count > 0) this.#home().append(...this.#elements(html, true));
    this.#done = end;
    return count;
  }

  #openFence(source: string, start: number, base: number): Fence {
    this.#dropLive();
    this.#container = undefined;
    const end = source.indexOf("\n", start);
    const opening = source.slice(start, end < 0 ? undefined : end);
    this.#fence = new Fence(opening, this.#options, this.#document);
    this.#home().append(this.#fence.element);
    this.#done = base + (end < 0 ? source.length : end + 1);
    return this.#fence;
  }

  /** Gives a fence its lines; false when it is still open at the end of what there is. */
  #feed(fence: Fence): boolean {
    this.#dropLive();
    for (;;) {
      const end = this.#text.indexOf("\n", this.#done);
      if (end < 0) break;
      const closed = fence.line(this.#text.slice(this.#done, end));
      this.#done = end + 1;
      if (!closed) continue;
      this.#fence = undefined;
      return true;
    }
    const rest = this.#text.slice(this.#done);
    if (this.#open) {
      fence.partial(rest);
      return false;
    }
    fence.end(rest);
    this.#fence = undefined;
    this.#done = this.#text.length;
    return true;
  }

  /** Writes a block for good; of one that may go on, all parts but the last. */
  *#write(
    block: Block,
    source: string,
    base: number,
    unfinished: boolean,
  ): Generator<undefined> {
    const parts = unfinished ? block.parts.slice(0, -1) : block.parts;
    if (block.kind === "other" || (block.parts.length === 0 && !unfinished)) {
      if (unfinished) return;
      this.#dropLive();
      const text = source.slice(block.start, block.end);
      if (this.#container === undefined)
        this.#home().append(...this.#final(text));
      return;
    }
    for (let i = 0; i < parts.length; i += atOnce) {
      if (i > 0) yield;
      this.#dropLive();
      const end = Math.min(i + atOnce, parts.length);
      const to = block.parts[end] ?? block.end;
      const container = this.#containerFor(block, source);
      const { kind, prefix, element } = container;
      // Items are rendered one by one, since a blank line between two of them would change both.
      const cuts =
        kind === "list" ? block.parts.slice(i, end) : [block.parts[i]];
      const made = cuts.flatMap((from, j) =>
        within(
          this.#final(prefix + source.slice(from, cuts[j + 1] ?? to)),
          kind,
        ),
      );
      element.append(...made);
      this.#done = base + to;
    }
  }

  #containerFor(block: Block, source: string): Container {
    const { kind } = block;
    if (this.#container?.kind === kind) return this.#container;
    const prefix =
      kind === "table" ? source.slice(block.start, block.parts[0]) : "";
    let element: Element;
    if (kind === "table") {
      const [holder] = this.#final(prefix);
      element = this.#document.createElement("tbody");
      (holder as Element | undefined)?.querySelector("table")?.append(element);
      this.#home().append(...(holder === undefined ? [element] : [holder]));
    } else {
      const ordered = block.ordered !== undefined;
      element = this.#document.createElement(ordered ? "ol" : "ul");
      if (block.ordered !== undefined && block.ordered !== 1)
        element.setAttribute("start", String(block.ordered));
      this.#home().append(element);
    }
    this.#container = {
      kind: kind === "table" ? "table" : "list",
      element,
      prefix,
    };
    return this.#container;
  }

  #showLive(): void {
    const rest = this.#text.slice(this.#done);
    const long = rest.length > longTail;
    const grown = rest.length - this.#liveLength;
    if (long && grown >= 0 && grown < rest.length / 8) return;
    this.#dropLive();
    // What may become a fence is shown as one, or not at all.
    if (rest.trim() === "" || /^\s*(?:`{3}|~{3})[^`]*$/u.test(rest)) return;
    this.#liveLength = rest.length;
    const container = this.#container;
    const text = (container?.prefix ?? "") + rest;
    const nodes = this.#render(text, { ...this.#env }, false);
    const inner = container === undefined ? [] : within(nodes, container.kind);
    if (container !== undefined && inner.length > 0) {
      nodes.shift();
      container.element.append(...inner);
    }
    if (nodes.length > 0) this.#home().append(...nodes);
    this.#live = [...inner, ...nodes];
  }

  #dropLive(): void {
    for (const node of this.#live) node.remove();
    this.#live = [];
    this.#liveLength = 0;
  }

  #final(text: string): ChildNode[] {
    return this.#render(text, this.#env, true);
  }

  #render(text: string, env: Env, finished: boolean): ChildNode[] {
    return render(text, env, { ...this.#options, finished }, this.#document);
  }

  #elements(html: string, finished: boolean): ChildNode[] {
    return elements(html, { ...this.#options, finished }, this.#document);
  }
}
