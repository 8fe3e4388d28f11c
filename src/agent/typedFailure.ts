import { fields, text } from "./parse.ts";
import { t } from "../util/l10n.ts";

/** Why a turn failed that ended as if it had not, in the words of an agent that tells so beside its answer. */
export function typedFailure(meta: unknown): string | undefined {
  const air = fields(fields(fields(meta)?.["jetbrains"])?.["air"]);
  const failure = fields(air?.["sessionFailure"]);
  if (failure?.["severity"] !== "error") return undefined;
  return text(failure["title"]) ?? t("The model could not be reached.");
}
