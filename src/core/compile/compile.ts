import type { PromptForm } from "../message.ts";
import { archivesWithin } from "./archives.ts";
import { assemble, digestId, type Draft } from "./assemble.ts";
import { isCommandMessage } from "./barriers.ts";
import type { Context } from "./context.ts";
import { allFragments, changedFragments, systemPromptOf } from "./fragments.ts";
import { knowledgeOf, missingContext, type Knowledge } from "./knowledge.ts";
import { blocksOf } from "./pack.ts";
import { greatestOf, keptTexts, notesIn, recipeOf } from "./recipe.ts";
import { estimateTokens, tokensOf } from "./tokens.ts";
import type { Compiled, CompileInput } from "./types.ts";

/** The only place that assembles what an agent is sent. Pure: the same input gives the same bytes. */
export function compile(input: CompileInput): Compiled {
  const known = knowledgeOf(input);
  const [only] = input.batch;
  return only !== undefined &&
    input.batch.length === 1 &&
    isCommandMessage(only, input.commands)
    ? compileCommand(input, known)
    : compileOrdinary(input, known);
}

function compileOrdinary(input: CompileInput, known: Knowledge): Compiled {
  const { sha256, fragments, capabilities } = input;
  const full = known.kind === "full";
  const { due, ledger, unchanged } = full
    ? allFragments(fragments, capabilities.systemPrompt, sha256)
    : changedFragments(fragments, known.session?.ledger ?? {}, sha256);
  const systemPrompt = systemPromptFor(input, known);
  const asked = draftOf(input, known, due);
  const room =
    input.budgetTokens -
    tokensOf(systemPrompt?.length ?? 0) -
    mostTokens(asked, input);
  const archives = archivesWithin(full ? (input.archives ?? []) : [], room);
  const bare = { ...asked, fragments: [...due, ...archives.fragments] };
  const context = missingContext(input, known, room - archives.tokens);
  const leftOut = context.leftOut || archives.leftOut;
  const spoken = input.batch.some((message) => blocksOf(message).length > 0);
  if (!spoken && context.rows.length === 0) return nothingToSend(input, known);
  const draft = withContext(bare, context, systemPrompt, input);
  const { blocks, parts, notes } = assemble(draft, sha256);
  const recipe = recipeOf(draft, blocks, known.reason, sha256, {
    ...(context.digested.length > 0 ? { digested: context.digested } : {}),
    ...(leftOut ? { leftOut } : {}),
    ...(unchanged.length > 0 ? { unchanged } : {}),
  });
  return {
    kind: known.kind,
    blocks,
    through: greatestOf(recipe.positions),
    ledger,
    recipe,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    rebuilt:
      full &&
      (context.rows.length > 0 ||
        draft.fragments.length > due.length ||
        leftOut),
    parts,
    notes: [...notes, ...notesIn(recipe)],
    keep: keptTexts(draft, systemPrompt, sha256),
  };
}

/** Alone, with no fragments and no history: both stay due, so neither cursor nor ledger may pass them by. */
function compileCommand(input: CompileInput, known: Knowledge): Compiled {
  const { sha256 } = input;
  const systemPrompt = systemPromptFor(input, { kind: "delta" });
  const draft = draftOf(input, { ...known, kind: "delta" }, [], {
    alone: true,
    ...hashed(systemPrompt, sha256),
  });
  const { blocks, parts, notes } = assemble(draft, sha256);
  const recipe = recipeOf(draft, blocks, "command", sha256);
  const missing = missingContext(input, known, Infinity);
  const upToDate =
    known.kind === "delta" && missing.rows.length === 0 && !missing.leftOut;
  return {
    ...nothingToSend(input, known),
    kind: "delta",
    blocks,
    ...(upToDate ? { through: greatestOf(recipe.positions) } : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    keep: keptTexts(draft, systemPrompt, sha256),
    recipe,
    parts,
    notes,
  };
}

function nothingToSend(input: CompileInput, known: Knowledge): Compiled {
  const empty = { ...draftOf(input, known, []), batch: [] };
  return {
    kind: known.kind,
    blocks: [],
    through: known.session?.cursor ?? null,
    ledger: known.session?.ledger ?? {},
    recipe: recipeOf(empty, [], known.reason, input.sha256),
    rebuilt: false,
    parts: [],
    notes: [],
    keep: [],
  };
}

function draftOf(
  { batch, packing, capabilities, missing = [] }: CompileInput,
  { kind }: Knowledge,
  fragments: Draft["fragments"],
  more: Pick<PromptForm, "alone" | "systemPrompt"> = {},
): Draft {
  const { image, embeddedContext } = capabilities;
  const form = {
    packing,
    batch: batch.length,
    image,
    embeddedContext,
    ...(missing.length > 0 ? { missing } : {}),
    ...more,
  };
  return { kind, fragments, context: [], batch, form };
}

/**
 * Goes beside the first prompt since the session was opened, resumed ones too, and is told with every full one.
 * Where the session is open it is what that was really given: files change in between.
 */
function systemPromptFor(
  { opened, fragments, capabilities }: CompileInput,
  { kind }: Pick<Knowledge, "kind">,
): string | undefined {
  if (!capabilities.systemPrompt) return undefined;
  if (opened === undefined) return systemPromptOf(fragments);
  const told = kind === "full" || !opened.prompted;
  return (told ? opened.systemPrompt : null) ?? undefined;
}

function withContext(
  bare: Draft,
  { rows, digest }: Context,
  systemPrompt: string | undefined,
  { sha256 }: CompileInput,
): Draft {
  const digests = digest === "" ? [] : [{ id: digestId, text: digest }];
  return {
    ...bare,
    fragments: [...bare.fragments, ...digests],
    context: rows,
    form: { ...bare.form, ...hashed(systemPrompt, sha256) },
  };
}

function hashed(
  systemPrompt: string | undefined,
  sha256: CompileInput["sha256"],
): Pick<PromptForm, "systemPrompt"> {
  return systemPrompt === undefined
    ? {}
    : { systemPrompt: sha256(systemPrompt) };
}

/** What the request takes without its context, a key in the batch's tags included. */
function mostTokens(bare: Draft, { sha256 }: CompileInput): number {
  const blocks = bare.batch.reduce((n, row) => n + 1 + blocksOf(row).length, 0);
  return (
    estimateTokens(assemble(bare, sha256).blocks) + keyTokens * (blocks + 2)
  );
}

const keyTokens = 8;
