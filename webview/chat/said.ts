import type { Reply } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { history } from "./drafts.ts";

export interface SaidEnds {
  readonly state: () => ViewState;
  readonly request: (message: ToHost) => Promise<Reply>;
}

/** How near to the end of what is known more is asked for. */
const ahead = 5;

/** What the user said in a thread, newest first: what is in sight, and on request all that was before. */
export class Said {
  readonly #ends: SaidEnds;
  #thread = "";
  #at = -1;
  #older: readonly string[] = [];
  /** Where the older ones go on; null when there are no more. */
  #from: string | null | undefined;
  #asking = false;

  constructor(ends: SaidEnds) {
    this.#ends = ends;
  }

  /** The next older (1) or newer (-1) one after what stands in the composer; undefined when there is none, or something else stands there. */
  step(text: string, by: 1 | -1): string | undefined {
    const { thread, messages, queue } = this.#ends.state();
    if (thread?.id !== this.#thread) this.#begin(thread?.id ?? "");
    const all = [...new Set([...history(messages, queue), ...this.#older])];
    const browsing = this.#at >= 0 && all[this.#at] === text;
    if (text !== "" && !browsing) return undefined;
    const to = (browsing ? this.#at : -1) + by;
    if (to + ahead >= all.length) void this.#askMore();
    if (to >= all.length || (to < 0 && !browsing)) return undefined;
    this.#at = to;
    return all[to] ?? "";
  }

  #begin(thread: string): void {
    this.#thread = thread;
    this.#at = -1;
    this.#older = [];
    this.#from = undefined;
  }

  async #askMore(): Promise<void> {
    const { more, messages } = this.#ends.state();
    const thread = this.#thread;
    const first = more.before ? messages[0]?.position : undefined;
    const before = this.#from === undefined ? first : this.#from;
    if (this.#asking || before === undefined || before === null) return;
    this.#asking = true;
    const reply = await this.#ends.request({ type: "said", thread, before });
    this.#asking = false;
    if (reply.kind !== "said" || thread !== this.#thread) return;
    this.#older = [...this.#older, ...reply.texts];
    this.#from = reply.before;
  }
}
