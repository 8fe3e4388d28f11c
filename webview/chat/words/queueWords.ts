import type { QueueFacts } from "../../../src/protocol/viewState.ts";
import { t } from "../../../src/util/l10n.ts";
import { commandEnter } from "../keyNames.ts";
import { messages } from "./counts.ts";

type HoldReason = NonNullable<QueueFacts["held"]>;

/** The queue. */
export const queueWords = {
  queue: {
    label: t("Queue"),
    next: t("Next turn"),
    full: t("full"),
    then: (n: number): string =>
      n === 1 ? t("Then, on its own") : t("Then, {0} messages", n),
    waits: t("Waits for room"),
    eachAlone: t("Each in its own turn"),
    goes: t("Goes when this turn ends"),
    goesNow: t("Goes now"),
    gated: t("Waits for a message of yours"),
    elsewhere: t("The other window sends these"),
    goesWhenReady: (agent: string): string =>
      t("Goes when {0} is ready", agent),
    goesWhenBack: (agent: string): string => t("Goes when {0} is back", agent),
    goesIn: (left: string): string => t("Collecting, goes in {0}", left),
    editing: t("Waits here, with what follows, while you edit."),
    editingElsewhere: t("Being edited in another view"),
    preview: t("Preview what will be sent"),
    hold: t("Hold"),
    resume: t("Resume"),
    sendNow: t("Send now"),
    endCollecting: t("Sends without waiting for more"),
    sendNowWhy: t("Stops this turn, then sends ({0})", commandEnter),
    cancelAll: t("Stop and clear"),
    cancelAllWhy: t("Stops this turn and empties the queue"),
    clear: t("Clear queue"),
    more: t("More"),
    drag: t("Drag, or Alt+Up and Alt+Down"),
    edit: t("Edit"),
    editKey: t("Edit (Enter)"),
    remove: t("Remove"),
    removeKey: t("Remove (Delete)"),
    separate: t("Make it a separate turn"),
    together: t("Send it with the others"),
    itemNow: t("Send this one now"),
    merge: t("Merge with the next"),
    split: t("Split at cursor"),
    save: t("Save"),
    cancel: t("Cancel"),
    editLabel: (n: number): string => t("Edit queued message {0}", n),
    itemLabel: (n: number, all: number, text: string): string =>
      t("{0} of {1}: {2}", n, all, text),
    removed: t("Removed."),
    removedMany: (n: number): string => t("Removed {0}.", messages(n)),
    unsent: (n: number): string =>
      n === 1
        ? t("Stopped before it was sent.")
        : t("Stopped before {0} were sent.", messages(n)),
    undo: t("Undo"),
    restore: t("Restore"),
    command: t("A command goes alone, in its own turn."),
    held: {
      user: t("On hold"),
      restored: t("On hold until you decide"),
      cancelled: t("On hold since you stopped the turn"),
      signIn: t("On hold until you are signed in"),
      notInstalled: t("On hold, the agent is not installed"),
      startFailed: t("On hold, the agent did not start"),
      failing: t("On hold after two failed turns"),
      notSaved: t("On hold, the last turn is not saved"),
    } satisfies Record<HoldReason, string>,
  },
} as const;
