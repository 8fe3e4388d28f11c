import type { Block, Message, Recipe, Snowflake } from "../message.ts";
import { assemble, serialize, type Draft } from "./assemble.ts";
import { notesIn, packerVersion } from "./recipe.ts";
import type { Note, Part, Sha256 } from "./types.ts";

export type Rebuilt =
  | {
      readonly ok: true;
      readonly blocks: readonly Block[];
      readonly parts: readonly Part[];
      readonly notes: readonly Note[];
      /** What the session was opened with, where the prompt was its first since. */
      readonly systemPrompt?: string;
    }
  /** Made by a version of the packer that is not this one. */
  | { readonly ok: false; readonly reason: "packer" }
  | {
      readonly ok: false;
      readonly reason: "missing";
      readonly positions: readonly Snowflake[];
      readonly texts: readonly string[];
    }
  /** All is there, but it does not come to what was sent: nothing is shown for it. */
  | { readonly ok: false; readonly reason: "changed" };

/** Exactly the blocks that were sent, checked against their hash, or why they can't be told any more. */
export function rebuild(
  recipe: Recipe,
  /** At least those at the recipe's positions. */
  rows: readonly Message[],
  /** The texts the recipe names, by hash. */
  texts: ReadonlyMap<string, string>,
  sha256: Sha256,
): Rebuilt {
  const { form } = recipe;
  if (recipe.packer !== packerVersion || form === undefined)
    return { ok: false, reason: "packer" };
  const found = find(recipe, rows, withEmpty(texts, sha256));
  if (!found.ok) return found;
  const split = found.rows.length - form.batch;
  const { blocks, parts, notes } = assemble(
    {
      kind: recipe.kind,
      fragments: found.fragments,
      context: found.rows.slice(0, split),
      batch: found.rows.slice(split),
      form,
    },
    sha256,
  );
  if (sha256(serialize(blocks)) !== recipe.hash)
    return { ok: false, reason: "changed" };
  const { systemPrompt } = found;
  return {
    ok: true,
    blocks,
    parts,
    notes: [...notes, ...notesIn(recipe)],
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  };
}

/** Hashes of the texts a recipe names: what to ask the store for. */
export function textsNamedBy({ fragments, form }: Recipe): string[] {
  const hashes = fragments.map(({ hash }) => hash);
  return form?.systemPrompt === undefined
    ? hashes
    : [...hashes, form.systemPrompt];
}

type Found =
  | {
      readonly ok: true;
      readonly rows: readonly Message[];
      readonly fragments: Draft["fragments"];
      readonly systemPrompt: string | undefined;
    }
  | Extract<Rebuilt, { reason: "missing" }>;

function find(
  recipe: Recipe,
  rows: readonly Message[],
  texts: ReadonlyMap<string, string>,
): Found {
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const positions = recipe.positions.filter((at) => !byPosition.has(at));
  const missing = textsNamedBy(recipe).filter((hash) => !texts.has(hash));
  if (positions.length > 0 || missing.length > 0)
    return { ok: false, reason: "missing", positions, texts: missing };
  return {
    ok: true,
    rows: recipe.positions.flatMap((at) => byPosition.get(at) ?? []),
    fragments: recipe.fragments.map(({ hash, ...fragment }) => ({
      ...fragment,
      text: texts.get(hash) ?? "",
    })),
    systemPrompt: texts.get(recipe.form?.systemPrompt ?? ""),
  };
}

/** A withdrawn fragment has the empty text, which nobody needs to keep. */
function withEmpty(
  texts: ReadonlyMap<string, string>,
  sha256: Sha256,
): ReadonlyMap<string, string> {
  return new Map([...texts, [sha256(""), ""]]);
}
