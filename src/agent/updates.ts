import type { SessionChange } from "../core/agentFeatures.ts";
import type { AgentUpdate } from "../core/agentPort.ts";
import { isConversation } from "../core/sessionReplay.ts";

export type HeardOf =
  | { readonly on: "update"; readonly update: AgentUpdate }
  | { readonly on: "session"; readonly change: SessionChange };

/**
 * Puts what is heard of a session where it belongs: to the listener, into a replay, or aside while
 * the session is still being opened and nobody knows its id.
 */
export class Updates {
  readonly #deliver: (sessionId: string, heard: HeardOf) => void;
  readonly #held = new Map<string, HeardOf[]>();
  readonly #replays = new Map<string, AgentUpdate[]>();
  readonly #known = new Set<string>();
  #opening = 0;

  constructor(deliver: (sessionId: string, heard: HeardOf) => void) {
    this.#deliver = deliver;
  }

  receive(sessionId: string, heard: HeardOf): void {
    const replay = this.#replays.get(sessionId);
    const held = this.#held.get(sessionId);
    if (
      replay !== undefined &&
      heard.on === "update" &&
      isConversation(heard.update)
    )
      replay.push(heard.update);
    else if (held !== undefined) held.push(heard);
    else if (this.#opening > 0 && !this.#known.has(sessionId))
      this.#held.set(sessionId, [heard]);
    else this.#deliver(sessionId, heard);
  }

  /** Until the answer's `opened` or `failed`, updates of unknown sessions are kept. */
  open(): void {
    this.#opening += 1;
  }

  /** The id is known now; what was kept follows once the caller has had it. */
  opened(sessionId: string): void {
    this.#known.add(sessionId);
    if (!this.#held.has(sessionId)) this.#held.set(sessionId, []);
    this.#closeOpening();
    setImmediate(() => this.#release(sessionId));
  }

  failed(): void {
    this.#closeOpening();
  }

  replay(sessionId: string): void {
    this.#known.add(sessionId);
    this.#replays.set(sessionId, []);
  }

  replayed(sessionId: string): readonly AgentUpdate[] {
    const updates = this.#replays.get(sessionId) ?? [];
    this.#replays.delete(sessionId);
    return updates;
  }

  #closeOpening(): void {
    this.#opening -= 1;
    if (this.#opening > 0) return;
    for (const sessionId of [...this.#held.keys()])
      if (!this.#known.has(sessionId)) this.#release(sessionId);
  }

  #release(sessionId: string): void {
    const kept = this.#held.get(sessionId) ?? [];
    this.#held.delete(sessionId);
    for (const heard of kept) this.#deliver(sessionId, heard);
  }
}
