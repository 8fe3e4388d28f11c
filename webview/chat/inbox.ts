import type { ToView } from "../../src/protocol/toView.ts";
import { advance } from "./session.ts";
import type { Session } from "./session.ts";

type Numbered = Extract<ToView, { type: "snapshot" | "delta" }>;

export interface InboxEnds {
  readonly show: (session: Session, before: Session | undefined) => void;
  /** Asks the host for a snapshot. */
  readonly ask: (instance: string | undefined) => void;
  /** Calls back once, at the next frame. */
  readonly frame: (run: () => void) => void;
  readonly clock: () => number;
}

/** Gathers what the host says and shows it at most once a frame. */
export class Inbox {
  readonly #ends: InboxEnds;
  #session: Session | undefined;
  #waiting: Numbered[] = [];
  #asked = false;

  constructor(ends: InboxEnds) {
    this.#ends = ends;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  take(message: Numbered): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#ends.frame(() => this.flush());
  }

  flush(): void {
    const before = this.#session;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) {
      if (message.type === "snapshot") this.#asked = false;
      const next = advance(this.#session, message, this.#ends.clock());
      if (next !== "gap") this.#session = next;
      else if (!this.#asked) {
        this.#asked = true;
        this.#ends.ask(this.#session?.instance);
      }
    }
    if (this.#session !== undefined && this.#session !== before)
      this.#ends.show(this.#session, before);
  }
}
