import type { BatchType, Message, Sender } from "./message.ts";
import type { DispatchSettings } from "./dispatch/settings.ts";
import { t } from "../util/l10n.ts";

/** How much others have sent since the user last spoke. */
export interface GateCounters {
  readonly agentMessages: number;
  readonly agentBatches: number;
}

export type Admission =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: "gateClosed" | "notTrusted" | "tooManyAgentMessages";
      readonly detail: string;
    };

/** The gates before the queue: whether a message of another agent or extension may enter. The user's always does. */
export function admit(
  message: {
    readonly thread: string;
    readonly sender: Sender;
    readonly mentions: readonly string[];
  },
  settings: DispatchSettings,
  counters: GateCounters,
): Admission {
  const { sender, mentions, thread } = message;
  if (sender.kind === "user") return { ok: true };
  const { allowAgentMessages, trustedAgents } = settings;
  if (allowAgentMessages === "off")
    return closed(t("Messages of other agents are switched off."));
  if (allowAgentMessages === "mentions" && !mentions.includes(thread))
    return closed(t("A message of another agent must mention this thread."));
  if (trustedAgents.length > 0 && !trustedAgents.includes(sender.id))
    return {
      ok: false,
      reason: "notTrusted",
      detail: t(
        "{0} ({1}) is not among the trusted agents.",
        sender.name,
        sender.id,
      ),
    };
  if (counters.agentMessages >= settings.maxConsecutiveAgentMessages)
    return {
      ok: false,
      reason: "tooManyAgentMessages",
      detail: t(
        "{0} messages of agents in a row: the next must be yours.",
        counters.agentMessages,
      ),
    };
  return { ok: true };
}

/** The second gate, at dispatch: batches that no user has a part in are counted too. */
export function mayDispatch(
  batchType: BatchType,
  settings: DispatchSettings,
  counters: GateCounters,
): boolean {
  return (
    !isTriggered(batchType) ||
    counters.agentBatches < settings.maxConsecutiveAgentBatches
  );
}

export function startedByOthers({ agentBatches }: GateCounters): string {
  return agentBatches === 1
    ? t("The last turn was started by others.")
    : t("The last {0} turns were started by others.", agentBatches);
}

export function isTriggered(batchType: BatchType): boolean {
  return batchType === "agent_to_agent" || batchType === "system_trigger";
}

/** A batch is the user's as soon as one message in it is. */
export function batchTypeOf(messages: readonly Message[]): BatchType {
  const kinds = new Set(messages.map(({ sender }) => sender.kind));
  if (kinds.has("user")) return "user_request";
  return kinds.has("agent") ? "agent_to_agent" : "system_trigger";
}

/**
 * What both counters stood at, from the user's last message and what came since. Copies of a retry are
 * no messages of anyone's: nobody wrote them.
 */
export function countersSince(rows: readonly Message[]): GateCounters {
  const submitted = rows.filter(({ body }) => body.kind === "user");
  const last = submitted
    .filter(({ sender, retryOf }) => sender.kind === "user" && retryOf === null)
    .reduce((latest, { arrived }) => (arrived > latest ? arrived : latest), "");
  return {
    agentMessages: submitted.filter(
      ({ sender, arrived, retryOf }) =>
        sender.kind !== "user" && retryOf === null && arrived > last,
    ).length,
    agentBatches: rows.filter(
      (row) =>
        row.body.kind === "turnStart" &&
        (row.position ?? "") > last &&
        isTriggered(typeOfTurn(row, rows)),
    ).length,
  };
}

/** By those who were sent with it; one that began before the rows do is what its batch is. */
function typeOfTurn(start: Message, rows: readonly Message[]): BatchType {
  const before = rows.filter(
    ({ batch, position }) =>
      batch === start.batch && (position ?? "") < (start.position ?? ""),
  );
  const previous = before.findLastIndex(({ body }) => body.kind !== "user");
  const sent = before.slice(previous + 1);
  return sent.length === 0
    ? (start.batchType ?? "user_request")
    : batchTypeOf(sent);
}

function closed(detail: string): Admission {
  return { ok: false, reason: "gateClosed", detail };
}
