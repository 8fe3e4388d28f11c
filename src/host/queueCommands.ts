import * as vscode from "vscode";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Reply } from "../core/dispatch/events.ts";
import type { BatchAction } from "../protocol/transcript.ts";
import { actOnBatch, lastBatchFor } from "./batchActions.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import { pickDiscarded, pickQueued } from "./pickMessage.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

type Commands = Readonly<Record<string, () => unknown>>;
/** What a command says when it is done; nothing where the chat shows it. */
type Said = string | undefined;
type Act = (
  thread: string,
  snapshot: ThreadSnapshot,
) => Promise<Said> | Promise<undefined>;

/** Everything the queue and its turns can do, for those who would rather type than click. */
export function queueCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Commands {
  const { engine, store } = services;
  /** Acts on the thread in front; without one, says so. */
  const about = (act: Act) => async (): Promise<void> => {
    const thread = currentThread(surfaces, services);
    const snapshot = thread === undefined ? undefined : engine.snapshot(thread);
    if (thread === undefined || snapshot === undefined) {
      void offerChat(surfaces);
      return;
    }
    const said = await act(thread, snapshot);
    if (said !== undefined) void vscode.window.showInformationMessage(said);
  };
  const onItem = (
    title: string,
    act: (thread: string, id: string, ids: readonly string[]) => Promise<Said>,
  ): (() => Promise<void>) =>
    about(async (thread, { queue }) => {
      if (queue.items.length === 0) return words.empty;
      const picked = await pickQueued(title, queue.items);
      if (picked === undefined) return undefined;
      // The queue may have gone on while the list was open.
      const ids = engine
        .snapshot(thread)
        ?.queue.items.map(({ message }) => message.id);
      return act(thread, picked, ids ?? []);
    });
  const onLastTurn = (
    action: BatchAction,
    none: string,
  ): (() => Promise<void>) =>
    about(async (thread) => {
      const batch = await lastBatchFor(services, thread, action);
      return batch === undefined
        ? none
        : refusal(await actOnBatch(services, thread, batch.id, action));
    });

  return {
    hold: about(async (thread, { queue }) =>
      queue.held === "user" ? words.held : refusal(await engine.hold(thread)),
    ),
    resume: about(async (thread, { queue }) =>
      queue.held === null && !queue.gated
        ? words.notHeld
        : refusal(await engine.resume(thread)),
    ),
    cancel: about(async (thread, { turn }) =>
      turn === null ? words.noTurn : refusal(await engine.cancel(thread)),
    ),
    cancelAll: about(async (thread, { turn, queue }) => {
      if (turn === null && queue.items.length === 0) return words.nothing;
      const gone = [
        ...(turn?.phase === "claimed" ? turn.messages : []),
        ...queue.items.map(({ message }) => message.id),
      ];
      const why = refusal(await engine.cancelAll(thread));
      if (why === undefined && gone.length > 0)
        void offerRestore(gone.length, () => engine.restore(thread, gone));
      return why;
    }),
    restoreRemoved: about(async (thread) => {
      const ids = await pickDiscarded(await store.discarded(thread, 100));
      if (ids === "none") return words.noRemoved;
      return ids.length === 0
        ? undefined
        : refusal(await engine.restore(thread, ids));
    }),
    sendNow: about(async (thread, { queue }) =>
      queue.items.length === 0
        ? words.empty
        : refusal(await engine.sendNow(thread)),
    ),
    sendQueuedNow: onItem(t("Send which message now?"), async (thread, id) =>
      refusal(await engine.sendNow(thread, id)),
    ),
    // The chat's own editor: it keeps the lease for as long as it is open.
    editQueued: onItem(t("Edit which message?"), async (thread, id) => {
      await surfaces.reveal(thread, { kind: "queue", edit: id });
      return undefined;
    }),
    removeQueued: onItem(t("Remove which message?"), async (thread, id) => {
      const why = refusal(await engine.remove(thread, [id]));
      if (why === undefined)
        void offerRestore(1, () => engine.restore(thread, [id]));
      return why;
    }),
    moveQueuedUp: onItem(
      t("Move which message up?"),
      async (thread, id, ids) => {
        const at = ids.indexOf(id);
        if (at === 0) return words.first;
        return refusal(await engine.reorder(thread, id, ids[at - 1] ?? null));
      },
    ),
    moveQueuedDown: onItem(
      t("Move which message down?"),
      async (thread, id, ids) => {
        const at = ids.indexOf(id);
        if (at >= 0 && at === ids.length - 1) return words.last;
        return refusal(await engine.reorder(thread, id, ids[at + 2] ?? null));
      },
    ),
    toggleSeparate: onItem(
      t("Which message goes in a turn of its own?"),
      async (thread, id) => {
        const item = engine
          .snapshot(thread)
          ?.queue.items.find(({ message }) => message.id === id);
        if (item?.command === true) return words.command;
        const on = item?.message.marks.separate !== true;
        return refusal(await engine.setSeparate(thread, id, on));
      },
    ),
    resetSession: about(async (thread) => {
      const why = refusal(await engine.reset(thread));
      return why ?? words.reset;
    }),
    retryTurn: onLastTurn("retry", words.noRetry),
    continueTurn: onLastTurn("continue", words.noContinue),
    discardTurn: onLastTurn("discard", words.noRetry),
  };
}

const words = {
  empty: t("The queue is empty."),
  held: t("The queue is on hold already."),
  notHeld: t("The queue is not on hold."),
  noTurn: t("No turn is running."),
  nothing: t("No turn is running, and the queue is empty."),
  noRemoved: t("There is nothing to restore."),
  first: t("It is the first already."),
  last: t("It is the last already."),
  command: t("A command of the agent always goes in a turn of its own."),
  reset: t("The agent begins anew with your next message. The history stays."),
  noRetry: t("No turn of this thread was interrupted."),
  noContinue: t("No turn of this thread stopped short."),
} as const;

function refusal(reply: Reply): Said {
  return reply.ok ? undefined : reply.detail;
}

async function offerChat(surfaces: ChatSurfaces): Promise<void> {
  const open = t("Open Chat");
  const chosen = await vscode.window.showInformationMessage(
    t("There is no thread yet. It begins with your first message."),
    open,
  );
  if (chosen === open) await surfaces.show();
}

async function offerRestore(
  count: number,
  restore: () => Promise<Reply>,
): Promise<void> {
  const back = t("Restore");
  const chosen = await vscode.window.showInformationMessage(
    count === 1 ? t("Removed 1 message.") : t("Removed {0} messages.", count),
    back,
  );
  if (chosen !== back) return;
  const why = refusal(await restore());
  if (why !== undefined) void vscode.window.showInformationMessage(why);
}
