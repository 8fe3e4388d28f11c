import type { Reply } from "./events.ts";
import { t } from "../../util/l10n.ts";

export type Refused = Extract<Reply, { ok: false }>;

export const closing: Refused = {
  ok: false,
  reason: "closing",
  detail: t("Turnline is shutting down."),
};

export const noThread: Refused = {
  ok: false,
  reason: "noThread",
  detail: t("The thread is not there any more."),
};

export const broken: Refused = {
  ok: false,
  reason: "failed",
  detail: t("It failed for an internal reason; see the log."),
};
