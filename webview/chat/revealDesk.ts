import { signal } from "@preact/signals";
import type { ToView } from "../../src/protocol/toView.ts";
import { wordFinder } from "../../src/util/findText.ts";
import type { FindDesk } from "./findDesk.ts";
import type { Marking, Spot } from "./spot.ts";

export type Reveal = Extract<ToView, { type: "reveal" }>["what"];

export interface RevealEnds {
  readonly find: () => Pick<FindDesk, "open" | "close">;
  /** The list of threads gives way to the transcript. */
  readonly leaveThreads: () => void;
  /** Whether the window over the thread holds a group. */
  readonly holds: (group: string) => boolean;
  /** Moves the window to a group. */
  readonly goTo: (group: string) => void;
  /** Puts a text into the composer. */
  readonly insert: (text: string) => void;
  /** Opens an item of the queue for editing. */
  readonly edit: (id: string) => void;
}

/** What is to come into view, until it has, and what is marked there. */
export class RevealDesk {
  /** A part of the page beside the transcript. */
  readonly part = signal<
    Exclude<Reveal, { kind: "batch" | "find" }> | undefined
  >(undefined);
  /** What the transcript is to bring into view, until it has. */
  readonly spot = signal<Spot | undefined>(undefined);
  readonly marking = signal<Marking | undefined>(undefined);
  readonly #ends: RevealEnds;

  constructor(ends: RevealEnds) {
    this.#ends = ends;
  }

  /** What the host wants to be seen. */
  take(what: Reveal): void {
    if (what.kind === "find") {
      this.#ends.leaveThreads();
      this.#ends.find().open();
    } else if (what.kind === "batch") this.#takeTurn(what);
    else {
      if (what.kind === "composer" && what.insert !== undefined)
        this.#ends.insert(what.insert);
      if (what.kind === "queue" && what.edit !== undefined)
        this.#ends.edit(what.edit);
      this.part.value = what;
    }
  }

  /** Brings a place of the transcript into view; the window goes there first if it has to. */
  bring(spot: Spot): void {
    this.#ends.leaveThreads();
    this.spot.value = spot;
    const { key } = spot;
    if (key !== null && !this.#ends.holds(key)) this.#ends.goTo(key);
  }

  /** Another thread is shown. */
  opened(): void {
    this.spot.value = undefined;
    this.marking.value = undefined;
  }

  #takeTurn(what: Extract<Reveal, { kind: "batch" }>): void {
    const { id: key, message, words: said = "" } = what;
    this.#ends.find().close();
    const wanted = message === undefined ? null : wordFinder(said);
    this.marking.value =
      wanted === null || message === undefined
        ? undefined
        : {
            wanted,
            bare: true,
            only: message,
            current: { message, nth: 0 },
          };
    this.bring({
      key,
      ...(message === undefined ? {} : { message }),
      focus: true,
    });
  }
}
