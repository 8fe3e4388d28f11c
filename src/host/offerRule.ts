import type { Engine } from "../core/engine.ts";
import type { Brought } from "../core/recordPort.ts";
import { t } from "../util/l10n.ts";
import type { Home } from "./home.ts";

/** What another workspace's record of the same folder holds for this one. */
export interface Elsewhere {
  /** Brings its threads in. */
  bring(): Promise<Brought>;
}

export interface OfferRuleParts {
  readonly engine: Pick<Engine, "threads">;
  readonly home: Pick<Home, "readOnly">;
}

/** Offers once, where there is something to bring and nothing yet that it would be mixed with. */
export function offerOnce(
  { engine, home }: OfferRuleParts,
  find: () => readonly Elsewhere[],
  offer: (elsewhere: readonly Elsewhere[]) => void,
): () => void {
  let offered = false;
  return () => {
    if (offered || engine.threads().length > 0) return;
    // What can only be read takes nothing in.
    if (home.readOnly !== null) return;
    const elsewhere = find();
    offered = elsewhere.length > 0;
    if (offered) offer(elsewhere);
  };
}

/** What came, and what did not and why. */
export function tellBrought(outcomes: readonly Brought[]): {
  readonly text: string;
  readonly complete: boolean;
} {
  const brought = outcomes.filter((one) => one.kind === "brought");
  const threads = brought.reduce((sum, one) => sum + one.threads, 0);
  const failed = brought.flatMap((one) => one.failed);
  const inUse = outcomes.length - brought.length;
  return {
    text: [
      threads === 1
        ? t("Brought 1 thread.")
        : t("Brought {0} threads.", threads),
      ...(inUse === 0
        ? []
        : [
            t(
              "The other workspace is open in another window. Close that, then reload this one to bring its threads.",
            ),
          ]),
      ...failed.map((why) => t("Some could not be read: {0}.", why)),
    ].join(" "),
    complete: inUse === 0 && failed.length === 0,
  };
}
