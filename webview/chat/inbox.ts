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
  /** Calls back once, at the next frame that nobody needs who types. */
  readonly freeFrame: (run: () => void) => void;
  readonly clock: () => number;
}

/** Gathers what the host says and shows it at most once a frame; text that only grows can wait for a free one. */
export class Inbox {
  readonly #ends: InboxEnds;
  #session: Session | undefined;
  #waiting: Numbered[] = [];
  #asked = false;
  /** Something that waits comes with the next frame. */
  #soon = false;

  constructor(ends: InboxEnds) {
    this.#ends = ends;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  take(message: Numbered): void {
    this.#waiting.push(message);
    const flush = (): void => this.flush();
    if (onlyGrows(message)) {
      if (this.#waiting.length === 1) this.#ends.freeFrame(flush);
    } else if (!this.#soon) {
      this.#soon = true;
      this.#ends.frame(flush);
    }
  }

  flush(): void {
    const before = this.#session;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#soon = false;
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

function onlyGrows(message: Numbered): boolean {
  return (
    message.type === "delta" &&
    message.ops.every(({ op }) => op === "text" || op === "output")
  );
}
