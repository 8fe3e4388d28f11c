import type { ThreadChange } from "../../core/dispatch/changes.ts";
import type { Message, MessageState } from "../../core/message.ts";
import { oneLine } from "./texts.ts";

interface Delegation {
  readonly from: string;
  readonly to: string;
  readonly state: MessageState;
}

export interface DelegationPorts {
  readonly title: (thread: string) => string | undefined;
  /** What the record holds of messages that may have been handed over. Asked for once. */
  readonly recorded: () => Promise<readonly Message[]>;
}

/** What threads have asked of others and have no answer to yet. */
export class Delegations {
  readonly #ports: DelegationPorts;
  readonly #known = new Map<string, Delegation>();
  #read: Promise<void> | undefined;
  /** Until the record was read, what it says of something answered has to be known as old. */
  #wasRead = false;

  constructor(ports: DelegationPorts) {
    this.#ports = ports;
  }

  /** One line for each thread that works for this one, by what is furthest from done. */
  async text(thread: string): Promise<string> {
    this.#read ??= this.#readRecord();
    await this.#read;
    const own = [...this.#known.values()].filter(({ from }) => from === thread);
    const lines = [...new Set(own.map(({ to }) => to))].flatMap((to) => {
      const title = this.#ports.title(to);
      const words = own
        .filter((one) => one.to === to)
        .map(({ state }) => wordOf(state));
      const word = order.find((one) => words.includes(one));
      return title === undefined || word === undefined
        ? []
        : [`- ${JSON.stringify(oneLine(title, 80))}: ${word}`];
    });
    return lines.length === 0
      ? ""
      : `What you have handed to other threads and is not answered yet:\n${lines.sort().join("\n")}`;
  }

  take(change: ThreadChange): void {
    if (change.kind === "message") this.#note(change.message);
  }

  /** What was heard meanwhile is newer. */
  async #readRecord(): Promise<void> {
    try {
      for (const message of await this.#ports.recorded())
        if (!this.#known.has(message.id)) this.#note(message);
      this.#wasRead = true;
      for (const [id, { state }] of this.#known)
        if (wordOf(state) === undefined) this.#known.delete(id);
    } catch (error) {
      this.#read = undefined;
      throw error;
    }
  }

  #note({ id, thread, marks, state }: Message): void {
    const { from } = marks;
    if (from === undefined || from === thread || state === null) return;
    if (this.#wasRead && wordOf(state) === undefined) this.#known.delete(id);
    else this.#known.set(id, { from, to: thread, state });
  }
}

const order = ["waits", "in work", "failed"] as const;

/** What is answered, taken back or said again is nothing to wait for. */
function wordOf(state: MessageState): (typeof order)[number] | undefined {
  switch (state) {
    case "queued":
      return "waits";
    case "claimed":
    case "sent":
      return "in work";
    case "seenAborted":
    case "uncertain":
      return "failed";
    case "delivered":
    case "superseded":
    case "discarded":
      return undefined;
  }
}
