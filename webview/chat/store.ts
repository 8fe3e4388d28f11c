import { batch as together, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ViewBatch, ViewMessage } from "../../src/protocol/transcript.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { group } from "./groups.ts";
import type { Group } from "./groups.ts";

type Signals = { readonly [K in keyof ViewState]: Signal<ViewState[K]> };

/** Before the first snapshot: nothing, and nothing claimed. */
export const nothing: ViewState = {
  thread: null,
  threads: [],
  messages: [],
  batches: [],
  more: { before: false, after: false },
  queue: [],
  facts: {
    mode: "batched",
    cap: 0,
    full: false,
    held: null,
    gated: false,
    plan: [],
    collectingUntil: null,
  },
  status: { state: "none", since: 0 },
  permissions: [],
  elicitations: [],
  commands: [],
  usage: null,
  notices: [],
  readOnly: null,
  settings: { enter: "send", userName: "" },
  agents: [],
  draft: { text: "", at: 0 },
  options: [],
};

/** The host's state as signals: what did not change tells nobody. */
export class Store {
  readonly is: Signals = signalsOf(nothing);
  readonly groups = signal<readonly Group[]>([]);
  /** False until the host has spoken. */
  readonly ready = signal(false);
  readonly #messages = new Map<string, Signal<ViewMessage>>();
  readonly #batches = new Map<string, Signal<ViewBatch>>();
  #state: ViewState = nothing;

  get state(): ViewState {
    return this.#state;
  }

  take(state: ViewState): void {
    together(() => {
      const before = this.#state;
      this.#state = state;
      if (before.messages !== state.messages)
        fill(this.#messages, state.messages);
      if (before.batches !== state.batches) fill(this.#batches, state.batches);
      if (before.messages !== state.messages)
        this.groups.value = group(state.messages, this.groups.value);
      assign(this.is, state);
      this.ready.value = true;
    });
  }

  message(id: string): Signal<ViewMessage> | undefined {
    return this.#messages.get(id);
  }

  batch(id: string | null): Signal<ViewBatch> | undefined {
    return id === null ? undefined : this.#batches.get(id);
  }
}

function signalsOf(state: ViewState): Signals {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, signal(value)]),
  ) as unknown as Signals;
}

function assign(signals: Signals, state: ViewState): void {
  for (const [key, own] of Object.entries(signals) as [
    keyof ViewState,
    Signal<unknown>,
  ][])
    own.value = state[key];
}

function fill<T extends { readonly id: string }>(
  signals: Map<string, Signal<T>>,
  values: readonly T[],
): void {
  const gone = new Set(signals.keys());
  for (const value of values) {
    gone.delete(value.id);
    const known = signals.get(value.id);
    if (known === undefined) signals.set(value.id, signal(value));
    else known.value = value;
  }
  for (const id of gone) signals.delete(id);
}
