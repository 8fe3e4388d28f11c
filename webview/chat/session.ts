import { reduce } from "../../src/protocol/reduce.ts";
import type { ToView } from "../../src/protocol/toView.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";

/** What a view knows: the state at number `n` of its instance. */
export interface Session {
  readonly instance: string;
  readonly n: number;
  /** The host's clock minus ours. */
  readonly skew: number;
  readonly state: ViewState;
}

type Numbered = Extract<ToView, { type: "snapshot" | "delta" }>;

/** Takes the next message of the host. `"gap"` asks for a new snapshot; until it comes, nothing changes. */
export function advance(
  session: Session | undefined,
  message: Numbered,
  clock: number,
): Session | undefined | "gap" {
  const { instance, n } = message;
  if (message.type === "snapshot")
    return { instance, n, skew: message.now - clock, state: message.state };
  if (session === undefined) return undefined;
  const stale = instance !== session.instance || n <= session.n;
  if (stale) return session;
  if (n !== session.n + 1) return "gap";
  let { state } = session;
  for (const op of message.ops) {
    const next = reduce(state, op);
    if (next === "gap") return "gap";
    state = next;
  }
  return { ...session, n, state };
}
