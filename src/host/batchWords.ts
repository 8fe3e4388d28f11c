import type { Batch } from "../core/batch.ts";
import type { Recipe } from "../core/message.ts";
import { t } from "../util/l10n.ts";

export const statusWords: Readonly<Record<Batch["status"], string>> = {
  collecting: t("collecting"),
  processing: t("processing"),
  completed: t("completed"),
  cancelled: t("cancelled"),
  failed: t("failed"),
  interrupted: t("interrupted"),
};

export const typeWords: Readonly<Record<Batch["type"], string>> = {
  user_request: t("user request"),
  agent_to_agent: t("agent to agent"),
  system_trigger: t("system trigger"),
  continuation: t("continuation"),
};

export const kindWords: Readonly<Record<Recipe["kind"], string>> = {
  full: t("full"),
  delta: t("delta"),
};
