import { assertNever } from "../../util/assertNever.ts";
import * as ends from "./agentEnds.ts";
import * as opens from "./agentOpens.ts";
import * as cancel from "./cancel.ts";
import { commitFailed, commitsAgain, keepForLater } from "./commits.ts";
import { dispatch } from "./dispatch.ts";
import { Draft } from "./draft.ts";
import * as edit from "./edit.ts";
import type { LifeEvent, StepContext, Stepped, ThreadEvent } from "./events.ts";
import { probeAnswered, wake } from "./liveness.ts";
import * as queue from "./queue.ts";
import * as retry from "./retry.ts";
import { compacted } from "./sessionChanges.ts";
import { shutdown } from "./shutdown.ts";
import type { ThreadState } from "./state.ts";
import { isPastCap, submit } from "./submit.ts";
import { t } from "../../util/l10n.ts";

/** The dispatcher: what one event makes of a thread. Pure; nothing counts until its writes are committed. */
export function step(
  state: ThreadState,
  event: ThreadEvent,
  context: StepContext,
): Stepped {
  const draft = new Draft(state, event.at, context);
  if (event.kind === "commitFailed") {
    commitFailed(draft, event);
    return draft.finish();
  }
  if (isOfAnotherLife(state, event) || keepForLater(draft, event))
    return draft.finish();
  apply(draft, event);
  if (!draft.dispatchLater && draft.prompt === null) dispatch(draft);
  // The last item was claimed although the queue was held: nothing is left for the hold to stand for.
  if (state.queue.length > 0) queue.relax(draft);
  if (event.kind === "submit" && isPastCap(draft, event.message.id))
    draft.reply = { ok: true, note: "waiting" };
  return draft.finish();
}

function apply(
  draft: Draft,
  event: Exclude<ThreadEvent, { kind: "commitFailed" }>,
): void {
  switch (event.kind) {
    case "submit":
      submit(draft, event.message);
      return;
    case "editBegin":
      edit.editBegin(draft, event);
      return;
    case "editSave":
      edit.editSave(draft, event);
      return;
    case "editCancel":
      edit.editCancel(draft, event);
      return;
    case "reorder":
      edit.reorder(draft, event);
      return;
    case "merge":
      edit.merge(draft, event);
      return;
    case "separate":
      edit.separate(draft, event);
      return;
    case "remove":
      queue.remove(draft, event.ids);
      return;
    case "restore":
      queue.restore(draft, event);
      return;
    case "hold":
      queue.hold(draft);
      return;
    case "resume":
      queue.resume(draft);
      return;
    case "retry":
      retry.retry(draft, event.originals);
      return;
    case "discard":
      retry.discard(draft, event.messages);
      return;
    case "cancel":
      cancel.cancel(draft);
      return;
    case "cancelAll":
      cancel.cancelAll(draft);
      return;
    case "sendNow":
      cancel.sendNow(draft, event.id);
      return;
    case "reset":
      cancel.reset(draft);
      return;
    case "setAgent":
      cancel.setAgent(draft, event.agent);
      return;
    case "setFolder":
      cancel.setFolder(draft, event.folder);
      return;
    case "rename":
      rename(draft, event.title);
      return;
    case "archive":
      draft.thread({ archived: event.on });
      return;
    case "answerPermission":
      answerPermission(draft, event);
      return;
    case "answerElicitation":
      answerElicitation(draft, event);
      return;
    case "slotAwaited":
      opens.slotAwaited(draft);
      return;
    case "agentStarted":
      opens.agentStarted(draft, event);
      return;
    case "agentFailed":
      opens.agentFailed(draft, event);
      return;
    case "sessionOpened":
      opens.sessionOpened(draft, event);
      return;
    case "sessionFailed":
      opens.sessionFailed(draft, event);
      return;
    case "turnEnded":
      ends.turnEnded(draft, event);
      return;
    case "agentEnded":
      ends.agentEnded(draft, event);
      return;
    case "agentGone":
      ends.agentGone(draft);
      return;
    case "probeAnswered":
      probeAnswered(draft);
      return;
    case "commands":
      draft.set({ commands: event.names });
      return;
    case "title":
      if (draft.state.ownTitle) draft.thread({ title: event.title });
      return;
    case "compacted":
      compacted(draft);
      return;
    case "permissionOpened":
      draft.set({
        permissions: [...draft.state.permissions, event.id],
      });
      return;
    case "permissionClosed":
      closePermission(draft, event.id);
      return;
    case "wake":
      wake(draft);
      return;
    case "flush":
      draft.flush = true;
      draft.durability = "normal";
      return;
    case "dispatch":
      commitsAgain(draft);
      return;
    case "suspend":
      ends.suspend(draft);
      return;
    case "retire":
      ends.retire(draft);
      return;
    case "shutdown":
      shutdown(draft);
      return;
    default:
      assertNever(event);
  }
}

/** What an earlier process still has to say never touches the present one. */
function isOfAnotherLife(state: ThreadState, event: ThreadEvent): boolean {
  if (!isLifeEvent(event)) return false;
  const { agent } = state;
  return (
    agent.kind === "none" ||
    agent.kind === "backoff" ||
    agent.life !== event.life
  );
}

function isLifeEvent(event: ThreadEvent): event is ThreadEvent & LifeEvent {
  return "life" in event;
}

/** Only the user's own answer counts, once, and only while the question is open. */
function answerPermission(
  draft: Draft,
  { id, option }: { readonly id: string; readonly option: string },
): void {
  const { agent, permissions } = draft.state;
  if (agent.kind !== "live" || !permissions.includes(id)) {
    draft.refuse("nothingToDo", t("The question is no longer open."));
    return;
  }
  closePermission(draft, id);
  draft.effect({ kind: "answerPermission", life: agent.life, id, option });
}

function answerElicitation(
  draft: Draft,
  { id, answer }: Extract<ThreadEvent, { kind: "answerElicitation" }>,
): void {
  const { agent } = draft.state;
  if (agent.kind !== "live") {
    draft.refuse("nothingToDo", t("The question is no longer open."));
    return;
  }
  draft.effect({ kind: "answerElicitation", life: agent.life, id, answer });
}

function rename(draft: Draft, title: string): void {
  draft.thread({ title });
  draft.set({ ownTitle: false });
  const { agent } = draft.state;
  if (agent.kind === "live" && agent.capabilities.extras?.title === true)
    draft.effect({ kind: "tellTitle", life: agent.life, title });
}

function closePermission(draft: Draft, id: string): void {
  draft.set({
    permissions: draft.state.permissions.filter((open) => open !== id),
  });
}
