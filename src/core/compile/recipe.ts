import type { Block, Omitted, Recipe, Snowflake } from "../message.ts";
import { serialize, type Draft } from "./assemble.ts";
import { bytesOf } from "./tokens.ts";
import type { KeptText, Note, Omission, Sha256 } from "./types.ts";

/** Names how blocks are made of rows and fragments: a rebuild refuses any other. */
export const packerVersion = "1";

/** How a prompt was made, short enough to be stored with every turn. */
export function recipeOf(
  draft: Draft,
  blocks: readonly Block[],
  reason: string,
  sha256: Sha256,
  omitted: Omitted = {},
): Recipe {
  return {
    kind: draft.kind,
    packer: packerVersion,
    positions: [...draft.context, ...draft.batch].flatMap(({ position }) =>
      position === null ? [] : [position],
    ),
    fragments: draft.fragments.map(({ id, text, changed }) => ({
      id,
      hash: sha256(text),
      ...(changed ? { changed } : {}),
    })),
    reason,
    bytes: bytesOf(blocks),
    hash: sha256(serialize(blocks)),
    form: draft.form,
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
  };
}

/** What of the record did not go as it stands, as far as the recipe alone tells it. */
export function notesIn({ omitted = {} }: Pick<Recipe, "omitted">): Note[] {
  const { digested, leftOut } = omitted;
  return [
    ...(digested === undefined
      ? []
      : [{ kind: "digested", batches: digested } as const]),
    ...(leftOut ? [{ kind: "leftOut" } as const] : []),
  ];
}

/** What was there and did not go, because it did not need to, or not yet. */
export function omissionsIn(
  recipe: Pick<Recipe, "kind" | "form" | "omitted">,
): Omission[] {
  if (recipe.form?.alone === true) return [{ kind: "rest", why: "command" }];
  if (recipe.kind === "full") return [];
  return [
    { kind: "history", why: "known" },
    // A session that was just opened was given them then, as they are now.
    ...(recipe.form?.systemPrompt === undefined
      ? [{ kind: "statics", why: "given" } as const]
      : []),
    ...(recipe.omitted?.unchanged ?? []).map(
      (id) => ({ kind: "fragment", id, why: "unchanged" }) as const,
    ),
  ];
}

/** The texts that the recipe only names. */
export function keptTexts(
  draft: Draft,
  systemPrompt: string | undefined,
  sha256: Sha256,
): KeptText[] {
  const texts = [
    ...draft.fragments.map(({ text }) => text),
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
  ].filter((text) => text !== "");
  return texts.map((text) => ({ hash: sha256(text), text }));
}

export function greatestOf(positions: readonly Snowflake[]): Snowflake | null {
  return positions.reduce<Snowflake | null>(
    (most, position) => (most === null || position > most ? position : most),
    null,
  );
}
