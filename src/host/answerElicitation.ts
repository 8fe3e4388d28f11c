import type { ElicitationRequest } from "../core/agentFeatures.ts";
import type { Reply } from "../core/dispatch/events.ts";
import { misfits } from "../protocol/elicitation.ts";
import type { ToHost } from "../protocol/toHost.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Hands the user's answer on, if it fits what is asked; a page is opened before the agent is told that it was. */
export async function answerElicitation(
  { engine, desk }: Pick<Services, "engine" | "desk">,
  asked: Extract<ToHost, { type: "answerElicitation" }>,
): Promise<Reply> {
  const { thread, elicitation, answer } = asked;
  const open = engine
    .snapshot(thread)
    ?.elicitations.find(({ request }) => request.id === elicitation);
  if (open === undefined)
    return refused("nothingToDo", t("The question is no longer open."));
  if (answer.action !== "accept")
    return engine.answerElicitation(thread, elicitation, answer);
  const problem = misfit(open.request, answer.values);
  if (problem !== undefined) return refused("failed", problem);
  if (open.request.mode === "url" && !(await visited(desk, open.request.url)))
    return refused("failed", t("The page was not opened."));
  return engine.answerElicitation(thread, elicitation, answer);
}

/** A page, and nothing else that a link can be. */
async function visited(
  desk: Pick<Services["desk"], "openLink">,
  url: string,
): Promise<boolean> {
  return /^https?:/iu.test(url) && (await desk.openLink(url));
}

function misfit(
  request: ElicitationRequest,
  values: Extract<
    Extract<ToHost, { type: "answerElicitation" }>["answer"],
    { action: "accept" }
  >["values"],
): string | undefined {
  const wrong = misfits(request.mode === "form" ? request.fields : [], values);
  return wrong.length === 0
    ? undefined
    : t("The answer does not fit: {0}.", wrong.join(", "));
}

function refused(
  reason: Extract<Reply, { ok: false }>["reason"],
  detail: string,
): Reply {
  return { ok: false, reason, detail };
}
