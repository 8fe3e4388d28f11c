import { t } from "../../../src/util/l10n.ts";
import { messages } from "./counts.ts";

/** Turns of the transcript, what can be done about them, and what became of messages. */
export const turnWords = {
  transcript: {
    label: t("Transcript"),
    latest: t("Latest"),
    earlierSteps: (n: number): string =>
      n === 1 ? t("1 earlier step") : t("{0} earlier steps", n),
    turn: (n: number | undefined, count: number, status: string): string =>
      n === undefined
        ? t("Turn, {0}, {1}", messages(count), status)
        : t("Turn {0}, {1}, {2}", n, messages(count), status),
    oneTurn: (n: number): string => t("{0} messages, one turn", n),
    started: (time: string): string => t("Started {0}", time),
    late: t("Arrived after the turn had ended"),
    cut: (size: string): string => t("Shortened. The whole is {0}.", size),
    from: (name: string): string => t("From {0}", name),
    restore: t("Restore"),
  },

  batchStatus: {
    collecting: t("collecting"),
    processing: t("running"),
    completed: t("done"),
    cancelled: t("stopped"),
    failed: t("failed"),
    interrupted: t("interrupted"),
  },

  batchType: {
    user_request: "",
    agent_to_agent: t("From another agent"),
    system_trigger: t("Triggered"),
    continuation: t("Continued"),
  },

  foot: {
    collecting: (elapsed: string): string => t("Collecting {0}", elapsed),
    starting: (agent: string, elapsed: string): string =>
      t("Starting {0} {1}", agent, elapsed),
    working: (elapsed: string): string => t("Working {0}", elapsed),
    done: (duration: string): string => t("Done in {0}", duration),
    doneAtOnce: t("Done"),
    stopped: (duration: string): string => t("Stopped after {0}", duration),
    failed: (duration: string): string => t("Failed after {0}", duration),
    interrupted: (duration: string): string =>
      t("Interrupted after {0}", duration),
    interruptedUnread: t("Interrupted before an answer"),
    silent: (seconds: number): string => t("Silent for {0} s", seconds),
    alive: t("the agent is alive"),
    aliveTool: (tool: string): string =>
      t("the agent is alive, {0} still runs", tool),
    notAnswering: t("the agent does not answer"),
    tokens: (n: string): string => t("{0} tokens", n),
    delta: t("delta"),
    full: t("full context"),
    deltaWhy: t("Only what this session had not seen was sent."),
    fullWhy: t("The whole context was sent."),
    sent: (size: string): string => t("{0} sent", size),
    plan: (done: number, all: number): string =>
      t("plan {0} of {1}", done, all),
    rebuilt: t("memory rebuilt"),
    notSaved: t("not saved"),
    unsaved: t("Not saved"),
    keepsTrying: t("Turnline keeps trying"),
    notSavedWhy: t(
      "This answer could not be written to disk. Copy it to keep it.",
    ),
    maxTokens: t("token limit reached"),
    maxRequests: t("step limit reached"),
    refusal: t("refused by the agent"),
    stuck: t("the agent stopped answering"),
    showOutput: t("Show output"),
    stopTurn: t("Stop turn"),
    actions: t("Turn actions"),
    copyAnswer: t("Copy answer"),
    showSent: t("Show what was sent"),
    fork: t("Fork from here"),
  },

  unknown: t(
    "Unknown whether the agent saw this. Turnline does not send it again by itself.",
  ),

  batchAction: {
    retry: t("Retry"),
    continue: t("Continue"),
    discard: t("Discard"),
  },

  batchActionWhy: {
    retry: (n: number): string =>
      n > 1
        ? t("Sends all {0} again in a new turn", n)
        : t("Sends it again in a new turn"),
    continue: t("Lets the agent go on from here"),
    discard: t("Keeps it as it is and asks no more"),
  },

  receipt: {
    queued: (time: string): string => t("Queued {0}, saved", time),
    queuedAlone: (time: string): string => t("Queued {0}, separate turn", time),
    waiting: t("Saved. Joins the queue when there is room."),
    restored: t("Never sent"),
    claimed: t("Saved. Going out now."),
    sent: (time: string): string =>
      t("Sent {0}. The agent is working on it.", time),
    delivered: (time: string): string => t("Delivered {0}", time),
    seenAborted: (time: string): string =>
      t("Sent {0}. The agent saw this, then it was interrupted.", time),
    uncertain: (time: string): string =>
      t("Sent {0}, but no answer came. Unknown whether it was read.", time),
    superseded: t("Sent again in a later turn"),
    discarded: t("Discarded"),
  },
} as const;
