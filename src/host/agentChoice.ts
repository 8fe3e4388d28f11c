import type { Reply } from "../protocol/reply.ts";
import { t } from "../util/l10n.ts";
import { withValues } from "./optionMemory.ts";
import { refused, told } from "./replies.ts";
import type { Services } from "./services.ts";
import type { ShownThread } from "./shownThread.ts";

/** Of what the agent offers, for the session that runs or else the next one. */
export async function setOption(
  services: Services,
  shown: ShownThread,
  thread: string,
  option: string,
  value: string | boolean,
): Promise<Reply | undefined> {
  const open = services.engine.openAgent(thread);
  const features = open?.agent.features;
  if (open === undefined || features === undefined)
    return chooseOption(services, shown, thread, option, value);
  const answer = await features.setOption(open.sessionId, option, value);
  if (!answer.ok) return refused(answer.failure.message);
  shown.optionsAre(answer.value);
  return undefined;
}

/** A queue that an agent's failure holds goes on with the new one. */
export async function chooseAgent(
  services: Services,
  shown: ShownThread,
  thread: string,
  agent: string,
): Promise<Reply | undefined> {
  const { engine, book } = services;
  const before = engine.snapshot(thread);
  if (before === undefined) {
    book.chooseAgent(thread, agent);
    shown.refresh();
    return undefined;
  }
  const answer = await engine.setAgent(thread, agent);
  if (answer.ok && before.queue.cause !== null) await engine.resume(thread);
  return told(answer);
}

/** Nothing runs yet: the session begins with it. */
function chooseOption(
  services: Services,
  shown: ShownThread,
  thread: string,
  option: string,
  value: string | boolean,
): Reply | undefined {
  const { engine, book, options } = services;
  const agent = (engine.snapshot(thread)?.thread ?? book.draft(thread))?.agent;
  if (agent === undefined)
    return refused(t("The thread is not there any more."));
  options.set(agent, option, value);
  const known = engine.snapshot(thread)?.options ?? [];
  if (known.length === 0) shown.refresh();
  else shown.optionsAre(withValues(known, { [option]: value }));
  return undefined;
}
