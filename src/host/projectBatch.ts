import type { Batch } from "../core/batch.ts";
import { reasonSentence } from "../core/compile/explain.ts";
import type { Message } from "../core/message.ts";
import type { BatchAction, ViewBatch } from "../protocol/transcript.ts";

/** A batch as a view shows it; `unsaved` when its end could not be stored yet. */
export function projectBatch(batch: Batch, unsaved = false): ViewBatch {
  const { start } = batch.turns.at(-1) ?? { start: null };
  const end = batch.turns.at(-1)?.end?.body;
  const recipe = start?.body.recipe;
  const rebuilt = batch.rows.flatMap(rebuiltIn).at(-1);
  return {
    id: batch.id,
    status: batch.status,
    type: batch.type,
    messages: batch.counts.messages,
    startedAt: batch.times.started ?? batch.times.claimed,
    ...(batch.times.ended === null ? {} : { endedAt: batch.times.ended }),
    ...(end === undefined ? {} : { stop: end.stop }),
    ...(end?.error === undefined ? {} : { why: end.error }),
    ...(Object.keys(batch.usage).length === 0 ? {} : { usage: batch.usage }),
    ...(recipe === undefined
      ? {}
      : {
          compiled: {
            kind: recipe.kind,
            bytes: recipe.bytes,
            reason: reasonSentence(recipe.reason),
          },
        }),
    ...(rebuilt === undefined ? {} : { rebuilt }),
    ...(unsaved ? { notSaved: true } : {}),
    ...(batch.parent === null ? {} : { parent: batch.parent }),
    actions: actionsOf(batch),
  };
}

/** A batch that goes on has several turns; the one that sent history again tells why. */
function rebuiltIn({ body }: Message): string[] {
  return body.kind === "notice" && body.code === "rebuilt" ? [body.text] : [];
}

/** What the user can still decide about a turn that is over. */
function actionsOf(batch: Batch): readonly BatchAction[] {
  if (!batch.ended) return [];
  const undecided = batch.rows.some(
    ({ state }) => state === "seenAborted" || state === "uncertain",
  );
  if (undecided) return ["retry", "continue", "discard"];
  const stop = batch.turns.at(-1)?.end?.body.stop;
  const goesOn =
    stop === "max_tokens" ||
    stop === "max_turn_requests" ||
    stop === "cancelled";
  return goesOn ? ["continue"] : [];
}
