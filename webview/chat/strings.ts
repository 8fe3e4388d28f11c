import type { Problem } from "../../src/protocol/elicitation.ts";
import { assertNever } from "../../src/util/assertNever.ts";
import { commandEnter } from "./keyNames.ts";
import type { AgentState, QueueFacts } from "../../src/protocol/viewState.ts";

type HoldReason = NonNullable<QueueFacts["held"]>;

const plural = (n: number, one: string, many: string): string =>
  `${n} ${n === 1 ? one : many}`;

/** Every word the chat shows or says. */
export const words = {
  messages: (n: number): string => plural(n, "message", "messages"),

  head: {
    switchThread: "Switch thread",
    untitled: "New thread",
    timeline: "Show timeline",
    newThread: "New thread",
    more: "More",
    find: "Find in chat",
    rename: "Rename",
    archive: "Archive",
    unarchive: "Unarchive",
    delete: "Delete",
    showLog: "Show log",
    checkSetup: "Check setup",
    useAgent: (label: string): string => `Use ${label}`,
    folder: (folder: string): string => `Folder: ${folder}`,
    turn: (elapsed: string): string => `turn ${elapsed}`,
    toQuestion: "Go to the question (Alt+P)",
  },

  status: {
    none: "Not running",
    starting: "Starting",
    ready: "Ready",
    busy: "Working",
    waiting: "Needs you",
    stuck: "Not answering",
    restarting: "Restarting",
    failed: "Stopped",
  } satisfies Record<AgentState, string>,
  sign: (ago: string): string => `Last sign of life ${ago} ago`,
  unprobed: "This agent answers no probes. Only its end would be noticed.",

  transcript: {
    label: "Transcript",
    latest: "Latest",
    earlierSteps: (n: number): string =>
      n === 1 ? "1 earlier step" : `${n} earlier steps`,
    turn: (n: number | undefined, messages: number, status: string): string =>
      `${n === undefined ? "Turn" : `Turn ${n}`}, ${plural(messages, "message", "messages")}, ${status}`,
    oneTurn: (n: number): string => `${n} messages, one turn`,
    started: (time: string): string => `Started ${time}`,
    late: "Arrived after the turn had ended",
    cut: (size: string): string => `Shortened. The whole is ${size}.`,
    from: (name: string): string => `From ${name}`,
    restore: "Restore",
  },

  batchStatus: {
    collecting: "collecting",
    processing: "running",
    completed: "done",
    cancelled: "stopped",
    failed: "failed",
    interrupted: "interrupted",
  },
  batchType: {
    user_request: "",
    agent_to_agent: "From another agent",
    system_trigger: "Triggered",
    continuation: "Continued",
  },

  foot: {
    collecting: "Collecting",
    starting: (agent: string): string => `Starting ${agent}`,
    working: (elapsed: string): string => `Working ${elapsed}`,
    done: (duration: string): string => `Done in ${duration}`,
    doneAtOnce: "Done",
    stopped: (duration: string): string => `Stopped after ${duration}`,
    failed: (duration: string): string => `Failed after ${duration}`,
    interrupted: (duration: string): string => `Interrupted after ${duration}`,
    interruptedUnread: "Interrupted before an answer",
    silent: (seconds: number): string => `Silent for ${seconds} s`,
    alive: "the agent is alive",
    aliveTool: (tool: string): string =>
      `the agent is alive, ${tool} still runs`,
    notAnswering: "the agent does not answer",
    tokens: (n: string): string => `${n} tokens`,
    delta: "delta",
    full: "full context",
    deltaWhy: "Only what this session had not seen was sent.",
    fullWhy: "The whole context was sent.",
    sent: (size: string): string => `${size} sent`,
    plan: (done: number, all: number): string => `plan ${done} of ${all}`,
    rebuilt: "memory rebuilt",
    notSaved: "not saved",
    unsaved: "Not saved",
    keepsTrying: "Turnline keeps trying",
    notSavedWhy:
      "This answer could not be written to disk. Copy it to keep it.",
    maxTokens: "token limit reached",
    maxRequests: "step limit reached",
    refusal: "refused by the agent",
    stuck: "the agent stopped answering",
    showOutput: "Show output",
    stopTurn: "Stop turn",
    actions: "Turn actions",
    copyAnswer: "Copy answer",
    showSent: "Show what was sent",
    fork: "Fork from here",
  },
  unknown:
    "Unknown whether the agent saw this. Turnline does not send it again by itself.",
  batchAction: {
    retry: "Retry",
    continue: "Continue",
    discard: "Discard",
  },
  batchActionWhy: {
    retry: (n: number): string =>
      n > 1
        ? `Sends all ${n} again in a new turn`
        : "Sends it again in a new turn",
    continue: "Lets the agent go on from here",
    discard: "Keeps it as it is and asks no more",
  },

  receipt: {
    queued: (time: string): string => `Queued ${time}, saved`,
    queuedAlone: (time: string): string => `Queued ${time}, separate turn`,
    waiting: "Saved. Joins the queue when there is room.",
    restored: "Never sent",
    claimed: "Saved. Going out now.",
    sent: (time: string): string => `Sent ${time}. The agent is working on it.`,
    delivered: (time: string): string => `Delivered ${time}`,
    seenAborted: "The agent saw this, then it was interrupted.",
    uncertain:
      "Sent, no answer before the interruption. Unknown whether it was read.",
    superseded: "Sent again in a later turn",
    discarded: "Discarded",
  },

  thought: {
    thinking: "Thinking",
    thought: "Thought",
    thoughtFor: (duration: string): string => `Thought for ${duration}`,
  },
  tool: {
    status: {
      pending: "Waiting",
      in_progress: "Running",
      completed: "Done",
      failed: "Failed",
      interrupted: "Interrupted",
    },
    doneIn: (duration: string): string => `Done in ${duration}`,
    exit: (code: number): string => `Exit code ${code}`,
    change: (path: string): string => `Change in ${path}`,
    output: "Output",
    input: "Input",
    raw: "Raw input and output",
    openDiff: "Open diff",
    openFile: (path: string): string => `Open ${path}`,
    noPreview: "The change is too large to preview.",
    cut: (size: string): string => `Shortened. The whole output is ${size}.`,
    hiddenLines: (n: number): string =>
      `${plural(n, "more line", "more lines")}.`,
    beginningHidden: "The beginning is left out here.",
    openWhole: "Open all of it",
  },
  plan: (done: number, all: number): string => `Plan, ${done} of ${all} done`,
  decision: {
    allow_once: "Allowed",
    allow_always: "Always allowed",
    reject_once: "Rejected",
    reject_always: "Always rejected",
    none: "Not answered",
  },
  answered: {
    allow_once: "Answered",
    allow_always: "Answered",
    reject_once: "Declined",
    reject_always: "Declined",
    none: "Not answered",
  },

  permission: {
    execute: "Run this command?",
    edit: "Make this change?",
    delete: "Delete this?",
    move: "Move this?",
    fetch: "Fetch this?",
    read: "Read this?",
    other: "Allow this?",
    note: "Queued messages do not answer this.",
    label: (what: string): string => `Permission: ${what}`,
    places: "Files",
  },

  elicitation: {
    label: (what: string): string => `Question: ${what}`,
    asks: "The agent asks",
    visit: "Visit this page?",
    noPage: "This is not the address of a page.",
    submit: "Submit",
    open: "Open page",
    decline: "Decline",
    declineWhy: "Tells the agent that you do not want to answer",
    cancel: "Cancel",
    cancelWhy: "Closes the question without an answer",
    optional: "optional",
    choose: "Choose",
    between: (least: number, most: number): string => `${least} to ${most}`,
    problem: {
      missing: "Needs an answer.",
      type: "Does not fit.",
      number: "Needs a number.",
      integer: "Needs a whole number.",
      atLeast: (n: number): string => `At least ${n}.`,
      atMost: (n: number): string => `At most ${n}.`,
      shorter: (n: number): string =>
        `At least ${plural(n, "character", "characters")}.`,
      longer: (n: number): string =>
        `At most ${plural(n, "character", "characters")}.`,
      fewer: (n: number): string => `Choose at least ${n}.`,
      more: (n: number): string => `Choose at most ${n}.`,
      pattern: (pattern: string): string => `Must match ${pattern}`,
      format: {
        email: "Needs an e-mail address.",
        uri: "Needs a whole address, such as https://example.org.",
        date: "Needs a date, such as 2026-05-31.",
        "date-time": "Needs a date and time, such as 2026-05-31T12:00:00Z.",
      },
    },
  },

  code: {
    copy: "Copy",
    copied: "Copied",
    insert: "Insert at cursor",
    open: "Open as file",
    plain: "text",
  },

  queue: {
    label: "Queue",
    next: "Next turn",
    full: "full",
    then: (n: number): string =>
      n === 1 ? "Then, on its own" : `Then, ${n} messages`,
    waits: "Waits for room",
    eachAlone: "Each in its own turn",
    goes: "Goes when this turn ends",
    goesNow: "Goes now",
    gated: "Waits for a message of yours",
    elsewhere: "The other window sends these",
    goesWhenBack: (agent: string): string => `Goes when ${agent} is back`,
    goesIn: (left: string): string => `Collecting, goes in ${left}`,
    editing: "The turn waits while you edit.",
    editingElsewhere: "Being edited in another view",
    preview: "Preview what will be sent",
    hold: "Hold",
    resume: "Resume",
    sendNow: "Send now",
    sendNowWhy: `Stops this turn, then sends (${commandEnter})`,
    cancelAll: "Stop and clear",
    cancelAllWhy: "Stops this turn and empties the queue",
    clear: "Clear queue",
    more: "More",
    drag: "Drag, or Alt+Up and Alt+Down",
    edit: "Edit",
    editKey: "Edit (Enter)",
    remove: "Remove",
    removeKey: "Remove (Delete)",
    separate: "Make it a separate turn",
    together: "Send it with the others",
    itemNow: "Send this one now",
    merge: "Merge with the next",
    split: "Split at cursor",
    save: "Save",
    cancel: "Cancel",
    editLabel: (n: number): string => `Edit queued message ${n}`,
    itemLabel: (n: number, all: number, text: string): string =>
      `${n} of ${all}: ${text}`,
    removed: "Removed.",
    removedMany: (n: number): string =>
      `Removed ${plural(n, "message", "messages")}.`,
    undo: "Undo",
    restore: "Restore",
    command: "A command goes alone, in its own turn.",
    held: {
      user: "On hold",
      restored: "On hold until you decide",
      cancelled: "On hold since you stopped the turn",
      signIn: "On hold until you are signed in",
      notInstalled: "On hold, the agent is not installed",
      startFailed: "On hold, the agent did not start",
      failing: "On hold after two failed turns",
      notSaved: "On hold, the last turn is not saved",
    } satisfies Record<HoldReason, string>,
  },

  composer: {
    label: "Message",
    ask: (agent: string): string => `Ask ${agent}`,
    addNext: "Add to the next turn",
    addLater: "Add to a later turn",
    readOnly: "Read-only in this window",
    send: "Send",
    sendKey: (label: string, key: string): string => `${label} (${key})`,
    stop: "Stop this turn",
    stopKey: "Stop this turn (Esc Esc)",
    commands: "Commands",
    commandsKey: "Commands (/)",
    context: "Add context",
    contextKey: "Add context (@)",
    hintContext: "@ adds context",
    attach: "Attach",
    attachHow:
      "Attach files. You can also paste or drop them here; hold Shift to drop from the editor.",
    attachment: (name: string): string => `Remove ${name}`,
    pasted: "Pasted file",
    drop: "Drop to attach",
    tooLarge: (name: string, megabytes: number): string =>
      `${name} was not attached. It is larger than ${megabytes} MB.`,
    unreadable: (name: string): string =>
      `${name} was not attached. It could not be read.`,
    contextGroup: { files: "Files", symbols: "Symbols", more: "More" },
    hintSend: (key: string): string => `${key} sends`,
    hintLine: (key: string): string => `${key} adds a line`,
    hintAdd: (key: string): string => `${key} adds to the next turn`,
    hintNow: `${commandEnter} sends now`,
    hintFull: (cap: number): string =>
      `The next turn is full (${cap}). New messages are saved and go after it.`,
    notSent: (why: string): string => `Not sent. ${why} Your text is kept.`,
    usage: (percent: number): string => `Context ${percent} percent used`,
    usageTitle: (used: string, size: string, cost?: string): string =>
      `${used} of ${size} tokens${cost === undefined ? "" : `, ${cost} so far`}`,
    optionsLater: "Its options come with the first message.",
    once: "Press Esc again to stop this turn.",
  },

  threads: {
    label: "Threads",
    search: "Search threads",
    archived: "Archived",
    unread: "Unread",
    queued: (n: number): string => `${n} queued`,
    held: (n: number): string => (n === 0 ? "on hold" : `on hold, ${n} queued`),
    working: (elapsed: string): string => `working ${elapsed}`,
    needsYou: "Needs you",
    done: (duration: string): string => `done in ${duration}`,
    stopped: "stopped",
    interrupted: "interrupted",
    failed: "failed",
    none: "No threads yet.",
    said: "In messages",
    noMatch: "No thread has that in its title or its messages.",
    renameLabel: "Thread title",
    deleted: (title: string): string => `Deleted "${title}".`,
  },

  find: {
    label: "Find in chat",
    placeholder: "Find",
    matchCase: "Match case (Alt+C)",
    count: (n: number, all: number, more: boolean): string =>
      `${n === 0 ? "?" : n} of ${all}${more ? "+" : ""}`,
    none: "No results",
    previous: "Previous match (Shift+Enter)",
    next: "Next match (Enter)",
    close: "Close (Escape)",
  },

  hello: {
    title: "Keep typing while it works",
    text: "What you send while the agent is busy waits above the composer. Edit it, reorder it, hold it. It goes as one turn when the agent is ready.",
    choose: "Choose an agent",
    start: (label: string): string => `Start with ${label}`,
  },

  readOnly: "This window is read-only",
  dismiss: "Dismiss",

  say: {
    started: "Turn started.",
    ended: (duration: string): string => `Turn ended after ${duration}.`,
    stopped: "Turn stopped.",
    failed: (why: string): string => `Turn failed. ${why}`,
    interrupted: "Turn interrupted.",
    queued: (n: number): string => `${n} in the next turn.`,
    queuedLater: "Queued for a later turn.",
    restoredQueue: (n: number): string =>
      `Restored ${plural(n, "message", "messages")}. Nothing was sent.`,
    held: "Queue on hold.",
    resumed: "Queue resumed.",
    moved: (n: number, all: number): string => `Now ${n} of ${all}.`,
    removed: "Removed.",
    restored: "Restored.",
    threadDeleted: "Thread deleted.",
    archived: "Thread archived.",
    unarchived: "Thread taken out of the archive.",
    restarting: "Restarting the agent.",
    silent: "Silent for 30 seconds.",
    permission: (title: string): string => `Permission asked: ${title}`,
    elicitation: (title: string): string => `The agent asks: ${title}`,
    claimedAlready: "It has been sent already.",
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
