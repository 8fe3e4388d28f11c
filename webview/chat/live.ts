import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";

type Later = (run: () => void, ms: number) => void;

/** What a screen reader is told: politely in one sentence a second at most, or at once. */
export class Live {
  readonly polite = signal("");
  readonly assertive = signal("");
  readonly #polite: Voice;
  readonly #assertive: Voice;

  constructor(later: Later) {
    this.#polite = new Voice(this.polite, later, 1_000);
    this.#assertive = new Voice(this.assertive, later, 50);
  }

  say(text: string): void {
    this.#polite.say(text);
  }

  alert(text: string): void {
    this.#assertive.say(text);
  }
}

/** Joins what comes close together, so that none of it is talked over. */
class Voice {
  readonly #heard: Signal<string>;
  readonly #later: Later;
  readonly #ms: number;
  #waiting: string[] = [];

  constructor(heard: Signal<string>, later: Later, ms: number) {
    this.#heard = heard;
    this.#later = later;
    this.#ms = ms;
  }

  say(text: string): void {
    if (text === "") return;
    this.#waiting.push(text);
    if (this.#waiting.length > 1) return;
    this.#later(() => {
      const said = this.#waiting.join(" ");
      this.#waiting = [];
      // The same words again are no change, and would not be read: a space that nobody hears makes them one.
      this.#heard.value = this.#heard.value === said ? `${said}\u00a0` : said;
    }, this.#ms);
  }
}
