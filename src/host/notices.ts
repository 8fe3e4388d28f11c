import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Notice as CoreNotice } from "../core/dispatch/events.ts";
import type { Restart } from "../core/dispatch/status.ts";
import type { HoldReason } from "../core/thread.ts";
import type { Notice } from "../protocol/viewState.ts";
import type { HomeNews, HomeWay } from "./homeNews.ts";
import { missingSecret } from "./readyAgents.ts";
import { t } from "../util/l10n.ts";

/** What a notice's button means. */
export type NoticeAction =
  | "retry"
  | "restartNow"
  | "goOn"
  | "review"
  | "stop"
  | "letRun"
  | "chooseAgent"
  | "showLog"
  | "manageTrust"
  | HomeWay
  | "signIn"
  | "setSecret"
  | "checkSetup"
  | "endLeft"
  | "undoCompaction";

const labels: Readonly<Record<NoticeAction, string>> = {
  retry: t("Retry"),
  restartNow: t("Restart now"),
  goOn: t("Go on"),
  review: t("Review"),
  stop: t("Stop"),
  letRun: t("Let it go on"),
  chooseAgent: t("Use another agent"),
  showLog: t("Show log"),
  manageTrust: t("Manage trust"),
  reload: t("Reload window"),
  openAgain: t("Try again"),
  keepElsewhere: t("Keep new threads elsewhere"),
  signIn: t("Sign in"),
  setSecret: t("Set secret"),
  checkSetup: t("Check setup"),
  endLeft: t("End it"),
  undoCompaction: t("Undo"),
};

/** What stands in the way of a thread right now, each with a way out. */
export function standingNotices(
  snapshot: ThreadSnapshot,
  trusted: boolean,
  agent: string,
): readonly Notice[] {
  const { queue, unsaved, turn, status, left } = snapshot;
  const notices: Notice[] = [];
  if (unsaved !== null)
    notices.push({
      id: "unsaved",
      level: "error",
      title: t("The last turn could not be saved."),
      text: t(
        "Nothing more is sent until it is. Turnline keeps trying. {0}",
        unsaved.detail,
      ),
      actions: actions("showLog"),
      dismissible: false,
    });
  if (status.restart !== null && queue.held === null)
    notices.push(restarting(status.restart, status.text, agent));
  if (queue.held === "restored" && queue.items.length > 0)
    notices.push({
      id: "restored",
      level: "info",
      title: t("Restored {0}. Nothing was sent.", counted(queue.items.length)),
      actions: actions("goOn", "review"),
      dismissible: false,
    });
  else if (queue.held !== null && queue.cause !== null)
    notices.push({
      id: "held",
      level: "error",
      title: queue.cause,
      text: whatWaits[queue.held],
      actions: waysOut(queue.held, queue.cause, trusted),
      dismissible: false,
    });
  const over = turn?.cancelling === false ? turn.overMinutes : null;
  if (turn !== null && over !== null)
    notices.push({
      id: `ceiling-${turn.batch}`,
      level: "warning",
      title:
        over === 1
          ? t("This turn has been running for a minute.")
          : t("This turn has been running for {0} minutes.", over),
      text: t("Stop it, or let it go on. Nothing is stopped by itself."),
      actions: actions("stop", "letRun"),
      dismissible: true,
    });
  if (left.length > 0)
    notices.push({
      id: leftNotice(left),
      level: "warning",
      title:
        left.length === 1
          ? t("A command still runs.")
          : t("{0} commands still run.", left.length),
      text: t(
        "The agent left it running when the turn was stopped: {0}",
        left.map(({ command }) => command).join(", "),
      ),
      actions: actions("endLeft"),
      dismissible: true,
    });
  return notices;
}

/** Another command left running is another notice. */
function leftNotice(left: ThreadSnapshot["left"]): string {
  return `left ${left.map(({ pid }) => pid).join(" ")}`;
}

const notStarted = t(
  "The turn did not start. Your message is first in the queue.",
);

/** What the hold means for what is queued; why, the cause has said. */
const whatWaits: Readonly<Record<HoldReason, string>> = {
  user: t("You hold the queue. Nothing is sent until you resume."),
  restored: t("Nothing was sent."),
  cancelled: t("You stopped the turn. The queue waits until you resume."),
  signIn: t("What waits is sent once you have signed in."),
  notInstalled: notStarted,
  startFailed: notStarted,
  failing: t("The last turns failed. What is queued waits until you retry."),
  notSaved: t("Nothing is sent until the last turn is saved."),
};

/** The exit of a process that the system has killed. */
const killed = /\b(?:137|SIGKILL)\b/u;

function restarting(
  { attempt, most }: Restart,
  why: string | null,
  agent: string,
): Notice {
  const memory =
    why !== null && killed.test(why)
      ? [t("That is often a lack of memory.")]
      : [];
  return {
    id: "restarting",
    level: "busy",
    title: t("{0} stopped. Restarting, try {1} of {2}.", agent, attempt, most),
    text: [why ?? "", ...memory, t("Your queue is kept.")]
      .filter((part) => part !== "")
      .join(" "),
    actions: [
      { id: "restartNow", label: labels.restartNow },
      { id: "showLog", label: labels.showLog },
    ],
    dismissible: false,
  };
}

function waysOut(
  held: HoldReason,
  cause: string,
  trusted: boolean,
): Notice["actions"] {
  if (missingSecret(cause) !== undefined)
    return actions("setSecret", "retry", "chooseAgent");
  if (!trusted) return actions("manageTrust", "retry", "showLog");
  if (held === "signIn")
    return actions("signIn", "retry", "chooseAgent", "showLog");
  return held === "notInstalled"
    ? actions("retry", "checkSetup", "chooseAgent", "showLog")
    : actions("retry", "chooseAgent", "showLog");
}

/** What there is to say about the record itself. */
export function homeNotices(news: readonly HomeNews[]): readonly Notice[] {
  return news.map(({ level, title, text, ways = [] }, n) => ({
    id: `home-${n}`,
    ...{ level, title, text },
    actions: level === "info" ? actions(...ways) : actions(...ways, "showLog"),
    dismissible: true,
  }));
}

/** Agents need a folder to work in, and the user should know which. */
export const noFolderNotice: Notice = {
  id: "noFolder",
  level: "info",
  title: t("No folder is open."),
  text: t("The agent works in an empty folder of Turnline's own."),
  actions: [],
  dismissible: true,
};

/** Told by `standingNotices` while it lasts. */
export function isStanding({ code }: CoreNotice): boolean {
  return code === "held" || code === "notSaved" || code === "ceiling";
}

/** Something that happened; the user may send it away. */
export function passingNotice(
  id: string,
  { level, code, text }: CoreNotice,
): Notice {
  const usual = level === "info" ? [] : actions("showLog");
  return {
    id,
    level,
    title: text,
    actions:
      code === "compacted"
        ? actions("undoCompaction")
        : code === "signIn"
          ? actions("signIn", "showLog")
          : usual,
    dismissible: true,
  };
}

/** The first is the next step. */
function actions(...names: readonly NoticeAction[]): Notice["actions"] {
  return names.map((id, n) => ({
    id,
    label: labels[id],
    ...(n === 0 ? { primary: true } : {}),
  }));
}

export function isNoticeAction(id: string): id is NoticeAction {
  return Object.hasOwn(labels, id);
}

function counted(messages: number): string {
  return messages === 1 ? t("1 message") : t("{0} messages", messages);
}
