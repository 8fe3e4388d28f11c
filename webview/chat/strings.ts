import type { Problem } from "../../src/protocol/elicitation.ts";
import { assertNever } from "../../src/util/assertNever.ts";
import { commandEnter } from "./keyNames.ts";
import type { AgentState, QueueFacts } from "../../src/protocol/viewState.ts";
import { t } from "../../src/util/l10n.ts";

type HoldReason = NonNullable<QueueFacts["held"]>;

const messages = (n: number): string =>
  n === 1 ? t("1 message") : t("{0} messages", n);
const characters = (n: number): string =>
  n === 1 ? t("1 character") : t("{0} characters", n);

/** Every word the chat shows or says. */
export const words = {
  messages,

  head: {
    switchThread: t("Switch thread"),
    untitled: t("New thread"),
    timeline: t("Show timeline"),
    newThread: t("New thread"),
    more: t("More"),
    find: t("Find in chat"),
    rename: t("Rename"),
    archive: t("Archive"),
    unarchive: t("Unarchive"),
    delete: t("Delete"),
    showLog: t("Show log"),
    checkSetup: t("Check setup"),
    useAgent: (label: string): string => t("Use {0}", label),
    folder: (folder: string): string => t("Folder: {0}", folder),
    turn: (elapsed: string): string => t("turn {0}", elapsed),
    toQuestion: t("Go to the question (Alt+P)"),
  },

  status: {
    none: t("Not running"),
    starting: t("Starting"),
    ready: t("Ready"),
    busy: t("Working"),
    waiting: t("Needs you"),
    stuck: t("Not answering"),
    restarting: t("Restarting"),
    failed: t("Stopped"),
  } satisfies Record<AgentState, string>,
  sign: (ago: string): string => t("Last sign of life {0} ago", ago),
  unprobed: t("This agent answers no probes. Only its end would be noticed."),

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

  thought: {
    thinking: t("Thinking"),
    thought: t("Thought"),
    thoughtFor: (duration: string): string => t("Thought for {0}", duration),
  },
  tool: {
    status: {
      pending: t("Waiting"),
      in_progress: t("Running"),
      completed: t("Done"),
      failed: t("Failed"),
      interrupted: t("Interrupted"),
    },
    doneIn: (duration: string): string => t("Done in {0}", duration),
    exit: (code: number): string => t("Exit code {0}", code),
    change: (path: string): string => t("Change in {0}", path),
    output: t("Output"),
    input: t("Input"),
    raw: t("Raw input and output"),
    openDiff: t("Open diff"),
    openFile: (path: string): string => t("Open {0}", path),
    noPreview: t("The change is too large to preview."),
    cut: (size: string): string =>
      t("Shortened. The whole output is {0}.", size),
    hiddenLines: (n: number): string =>
      n === 1 ? t("1 more line.") : t("{0} more lines.", n),
    beginningHidden: t("The beginning is left out here."),
    openWhole: t("Open all of it"),
  },
  plan: (done: number, all: number): string =>
    t("Plan, {0} of {1} done", done, all),
  decision: {
    allow_once: t("Allowed"),
    allow_always: t("Always allowed"),
    reject_once: t("Rejected"),
    reject_always: t("Always rejected"),
    none: t("Not answered"),
  },
  answered: {
    allow_once: t("Answered"),
    allow_always: t("Answered"),
    reject_once: t("Declined"),
    reject_always: t("Declined"),
    none: t("Not answered"),
  },

  permission: {
    execute: t("Run this command?"),
    edit: t("Make this change?"),
    delete: t("Delete this?"),
    move: t("Move this?"),
    fetch: t("Fetch this?"),
    read: t("Read this?"),
    other: t("Allow this?"),
    note: t("Queued messages do not answer this."),
    label: (what: string): string => t("Permission: {0}", what),
    places: t("Files"),
  },

  elicitation: {
    label: (what: string): string => t("Question: {0}", what),
    asks: t("The agent asks"),
    visit: t("Visit this page?"),
    noPage: t("This is not the address of a page."),
    submit: t("Submit"),
    open: t("Open page"),
    decline: t("Decline"),
    declineWhy: t("Tells the agent that you do not want to answer"),
    cancel: t("Cancel"),
    cancelWhy: t("Closes the question without an answer"),
    optional: t("optional"),
    choose: t("Choose"),
    between: (least: number, most: number): string =>
      t("{0} to {1}", least, most),
    problem: {
      missing: t("Needs an answer."),
      type: t("Does not fit."),
      number: t("Needs a number."),
      integer: t("Needs a whole number."),
      atLeast: (n: number): string => t("At least {0}.", n),
      atMost: (n: number): string => t("At most {0}.", n),
      shorter: (n: number): string => t("At least {0}.", characters(n)),
      longer: (n: number): string => t("At most {0}.", characters(n)),
      fewer: (n: number): string => t("Choose at least {0}.", n),
      more: (n: number): string => t("Choose at most {0}.", n),
      pattern: (pattern: string): string => t("Must match {0}", pattern),
      format: {
        email: t("Needs an e-mail address."),
        uri: t("Needs a whole address, such as https://example.org."),
        date: t("Needs a date, such as 2026-05-31."),
        "date-time": t("Needs a date and time, such as 2026-05-31T12:00:00Z."),
      },
    },
  },

  code: {
    copy: t("Copy"),
    copied: t("Copied"),
    insert: t("Insert at cursor"),
    open: t("Open as file"),
    plain: t("text"),
  },

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
    editing: t("The turn waits while you edit."),
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

  threads: {
    label: t("Threads"),
    search: t("Search threads"),
    archived: t("Archived"),
    unread: t("Unread"),
    queued: (n: number): string => t("{0} queued", n),
    held: (n: number): string =>
      n === 0 ? t("on hold") : t("on hold, {0} queued", n),
    working: (elapsed: string): string => t("working {0}", elapsed),
    needsYou: t("Needs you"),
    done: (duration: string): string => t("done in {0}", duration),
    stopped: t("stopped"),
    interrupted: t("interrupted"),
    failed: t("failed"),
    none: t("No threads yet."),
    said: t("In messages"),
    noMatch: t("No thread has that in its title or its messages."),
    renameLabel: t("Thread title"),
    deleted: (title: string): string => t('Deleted "{0}".', title),
  },

  find: {
    label: t("Find in chat"),
    placeholder: t("Find"),
    matchCase: t("Match case (Alt+C)"),
    count: (n: number, all: number, more: boolean): string =>
      t("{0} of {1}{2}", n === 0 ? "?" : n, all, more ? "+" : ""),
    none: t("No results"),
    previous: t("Previous match (Shift+Enter)"),
    next: t("Next match (Enter)"),
    close: t("Close (Escape)"),
  },

  hello: {
    title: t("Keep typing while it works"),
    text: t(
      "What you send while the agent is busy waits above the composer. Edit it, reorder it, hold it. It goes as one turn when the agent is ready.",
    ),
    choose: t("Choose an agent"),
    start: (label: string): string => t("Start with {0}", label),
  },

  readOnly: t("This window is read-only"),
  dismiss: t("Dismiss"),

  say: {
    started: t("Turn started."),
    ended: (duration: string): string => t("Turn ended after {0}.", duration),
    stopped: t("Turn stopped."),
    failed: (why: string): string => t("Turn failed. {0}", why),
    interrupted: t("Turn interrupted."),
    queued: (n: number): string => t("{0} in the next turn.", n),
    queuedLater: t("Queued for a later turn."),
    restoredQueue: (n: number): string =>
      t("Restored {0}. Nothing was sent.", messages(n)),
    held: t("Queue on hold."),
    resumed: t("Queue resumed."),
    moved: (n: number, all: number): string => t("Now {0} of {1}.", n, all),
    removed: t("Removed."),
    restored: t("Restored."),
    threadDeleted: t("Thread deleted."),
    archived: t("Thread archived."),
    unarchived: t("Thread taken out of the archive."),
    restarting: t("Restarting the agent."),
    silent: t("Silent for 30 seconds."),
    permission: (title: string): string => t("Permission asked: {0}", title),
    elicitation: (title: string): string => t("The agent asks: {0}", title),
    claimedAlready: t("It has been sent already."),
  },
} as const;

/** What is wrong with an answer, and what would be right. */
export function fieldProblem(problem: Problem): string {
  const say = words.elicitation.problem;
  switch (problem.kind) {
    case "missing":
    case "type":
    case "number":
    case "integer":
      return say[problem.kind];
    case "atLeast":
    case "atMost":
    case "shorter":
    case "longer":
    case "fewer":
    case "more":
      return say[problem.kind](problem.limit);
    case "pattern":
      return say.pattern(problem.pattern);
    case "format":
      return say.format[problem.format];
    default:
      return assertNever(problem);
  }
}
