import type { Session } from "../thread.ts";
import type { Draft } from "./assemble.ts";
import type { Fragment, Sha256 } from "./types.ts";

type Ledger = Session["ledger"];

export interface DueFragments {
  readonly due: Draft["fragments"];
  readonly ledger: Ledger;
  /** Ids of those that the session has as they are. */
  readonly unchanged: readonly string[];
}

/** For a session that knows nothing: all there is to say; static ones only where no system prompt carries them. */
export function allFragments(
  fragments: readonly Fragment[],
  systemPrompt: boolean,
  sha256: Sha256,
): DueFragments {
  const spoken = fragments.filter(({ text }) => text !== "");
  const statics = spoken.filter(({ lifecycle }) => lifecycle === "static");
  const dynamics = spoken.filter(({ lifecycle }) => lifecycle === "dynamic");
  return {
    due: [...(systemPrompt ? [] : statics), ...dynamics].map(
      ({ id, text }) => ({ id, text }),
    ),
    unchanged: [],
    ledger: Object.fromEntries(
      dynamics.map(({ id, text }) => [id, sha256(text)]),
    ),
  };
}

/** For a session that remembers: dynamic ones that are new, have changed, or have gone since it last had them. */
export function changedFragments(
  fragments: readonly Fragment[],
  had: Ledger,
  sha256: Sha256,
): DueFragments {
  const { due: dynamics, ledger } = allFragments(fragments, true, sha256);
  const news = dynamics
    .filter(({ id }) => had[id] !== ledger[id])
    .map((one) =>
      // Neither where it never had it, nor where nobody knows what it has.
      (had[one.id] ?? "") === "" ? one : { ...one, changed: true as const },
    );
  const statics = new Set(
    fragments.flatMap(({ id, lifecycle }) =>
      lifecycle === "static" ? [id] : [],
    ),
  );
  const gone = Object.keys(had).filter(
    (id) => ledger[id] === undefined && !statics.has(id),
  );
  return {
    due: [...news, ...gone.sort().map((id) => ({ id, text: "" }))],
    ledger,
    unchanged: Object.keys(ledger).filter((id) => had[id] === ledger[id]),
  };
}

/** What an agent that takes a system prompt is given when its session starts. */
export function systemPromptOf(
  fragments: readonly Fragment[],
): string | undefined {
  const statics = fragments.filter(
    ({ lifecycle, text }) => lifecycle === "static" && text !== "",
  );
  if (statics.length === 0) return undefined;
  return statics.map(({ text }) => text).join("\n\n");
}
