import { t } from "../../../src/util/l10n.ts";
import { commandEnter } from "../keyNames.ts";

/** The composer. */
export const composerWords = {
  composer: {
    label: t("Message"),
    ask: (agent: string): string => t("Ask {0}", agent),
    addNext: t("Add to the next turn"),
    addLater: t("Add to a later turn"),
    readOnly: t("Read-only in this window"),
    send: t("Send"),
    sendKey: (label: string, key: string): string => `${label} (${key})`,
    stop: t("Stop this turn"),
    stopKey: t("Stop this turn (Esc Esc)"),
    commands: t("Commands"),
    commandsKey: t("Commands (/)"),
    context: t("Add context"),
    contextKey: t("Add context (@)"),
    hintContext: t("@ adds context"),
    attach: t("Attach"),
    attachHow: t(
      "Attach files. You can also paste or drop them here; hold Shift to drop from the editor.",
    ),
    attachment: (name: string): string => t("Remove {0}", name),
    pasted: t("Pasted file"),
    drop: t("Drop to attach"),
    tooLarge: (name: string, megabytes: number): string =>
      t("{0} was not attached. It is larger than {1} MB.", name, megabytes),
    unreadable: (name: string): string =>
      t("{0} was not attached. It could not be read.", name),
    contextGroup: { files: t("Files"), symbols: t("Symbols"), more: t("More") },
    hintSend: (key: string): string => t("{0} sends", key),
    hintLine: (key: string): string => t("{0} adds a line", key),
    hintAdd: (key: string): string => t("{0} adds to the next turn", key),
    hintNow: t("{0} sends now", commandEnter),
    hintFull: (cap: number): string =>
      t(
        "The next turn is full ({0}). New messages are saved and go after it.",
        cap,
      ),
    notSent: (why: string): string =>
      t("Not sent. {0} Your text is kept.", why),
    usage: (percent: number): string => t("Context {0} percent used", percent),
    usageTitle: (used: string, size: string, cost?: string): string =>
      cost === undefined
        ? t("{0} of {1} tokens", used, size)
        : t("{0} of {1} tokens, {2} so far", used, size, cost),
    optionsLater: t("Its options come with the first message."),
    once: t("Press Esc again to stop this turn."),
    attaching: t("Attaching"),
    waits: t("Goes when all of it is attached"),
  },
} as const;
