import * as z from "zod/mini";
import { openElicitation } from "./elicitation.ts";
import { newAttachments } from "./newAttachment.ts";
import {
  attachment,
  location,
  permissionOption,
  toolContent,
  viewBatch,
  viewMessage,
} from "./transcript.ts";
import { batchStatus, count, holdReason, id, time, toolKind } from "./words.ts";

export const viewThread = z.object({
  id,
  title: z.string(),
  agent: z.object({ id, label: z.string() }),
  folder: z.string(),
  /** The folder as shown; says so when none is open. */
  folderLabel: z.string(),
  held: z.nullable(holdReason),
});
export type ViewThread = z.infer<typeof viewThread>;

export const threadMark = z.enum([
  "none",
  "needsYou",
  "working",
  "unread",
  "held",
  "interrupted",
  "failed",
]);
export type ThreadMark = z.infer<typeof threadMark>;

export const threadSummary = z.object({
  id,
  title: z.string(),
  agent: z.string(),
  mark: threadMark,
  unread: z.boolean(),
  queued: count,
  /** When the running turn started. */
  since: z.optional(time),
  /** How the last turn went, and how long it ran. */
  last: z.optional(z.object({ status: batchStatus, ms: z.number() })),
  /** What is asked, or what is in the way. */
  detail: z.optional(z.string()),
  updatedAt: time,
  archived: z.boolean(),
});
export type ThreadSummary = z.infer<typeof threadSummary>;

/** A queued message. `waiting` is saved but past the cap: it joins when there is room. */
export const queueItem = z.object({
  id,
  text: z.string(),
  attachments: z.readonly(z.array(attachment)),
  at: time,
  sender: z.object({
    kind: z.enum(["user", "agent", "trigger"]),
    name: z.string(),
  }),
  separate: z.boolean(),
  /** A command of the agent: always goes alone. */
  command: z.boolean(),
  waiting: z.boolean(),
  /** A lease is held; `here` is true for the view that holds it. */
  editing: z.nullable(z.object({ here: z.boolean() })),
  retryOf: z.optional(id),
});
export type QueueItem = z.infer<typeof queueItem>;

export const queueFacts = z.object({
  mode: z.enum(["batched", "per-lane", "per-message"]),
  cap: count,
  full: z.boolean(),
  held: z.nullable(holdReason),
  /** What is due waits for a message of the user's. */
  gated: z.boolean(),
  /** Ids of the turns to come, each as it would be sent; what only waits for room is in none. */
  plan: z.readonly(z.array(z.readonly(z.array(id)))),
  /** End of the open collect window. */
  collectingUntil: z.nullable(time),
});
export type QueueFacts = z.infer<typeof queueFacts>;

export const agentState = z.enum([
  "none",
  "starting",
  "ready",
  "busy",
  "waiting",
  "stuck",
  "restarting",
  "failed",
]);
export type AgentState = z.infer<typeof agentState>;

/** `none`: no process runs; `waiting`: for the user, or for a free place among the live agents (`text` says). */
export const agentStatus = z.object({
  state: agentState,
  since: time,
  /** Any traffic or an answered probe. */
  signAt: z.optional(time),
  /** The last thing the agent itself had to say. */
  updateAt: z.optional(time),
  /** False: it answers no probes, so only its death counts. */
  probed: z.optional(z.boolean()),
  text: z.optional(z.string()),
});
export type AgentStatus = z.infer<typeof agentStatus>;

export const openPermission = z.object({
  id,
  batch: z.nullable(id),
  toolCallId: z.string(),
  /** The record of the call it asks for; absent where there is none. */
  message: z.optional(id),
  title: z.string(),
  toolKind,
  content: z.readonly(z.array(toolContent)),
  locations: z.readonly(z.array(location)),
  input: z.optional(z.string()),
  options: z.readonly(z.array(permissionOption)),
  askedAt: time,
});
export type OpenPermission = z.infer<typeof openPermission>;

export const agentCommand = z.object({
  name: z.string(),
  description: z.string(),
  hint: z.optional(z.string()),
});
export type ViewCommand = z.infer<typeof agentCommand>;

export const contextUsage = z.object({
  used: z.number(),
  size: z.number(),
  cost: z.optional(z.object({ amount: z.number(), currency: z.string() })),
});

export const noticeAction = z.object({
  id,
  label: z.string(),
  primary: z.optional(z.boolean()),
});

/** A sentence with a way out. The host knows what an action's id means; the view only names it. */
export const notice = z.object({
  id,
  level: z.enum(["info", "warning", "error", "busy"]),
  title: z.string(),
  text: z.optional(z.string()),
  actions: z.readonly(z.array(noticeAction)),
  dismissible: z.boolean(),
});
export type Notice = z.infer<typeof notice>;

export const agentChoice = z.object({
  id,
  label: z.string(),
  availability: z.enum(["ready", "unknown", "notInstalled", "signIn"]),
  /** One line: what it is, or what is missing. */
  detail: z.string(),
});
export type AgentChoice = z.infer<typeof agentChoice>;

export const viewSettings = z.object({
  /** What Enter does; the other needs Ctrl (or Cmd). */
  enter: z.enum(["send", "newline"]),
  userName: z.string(),
});
export type ViewSettings = z.infer<typeof viewSettings>;

const optionBase = {
  id,
  name: z.string(),
  description: z.optional(z.string()),
  /** What it is about, in the words of the protocol: mode, model, thought_level. */
  category: z.optional(z.string()),
};
const choice = z.object({ value: z.string(), name: z.string() });

/** What the agent lets its user choose for a session. */
export const sessionOption = z.discriminatedUnion("type", [
  z.object({
    ...optionBase,
    type: z.literal("select"),
    value: z.string(),
    groups: z.readonly(
      z.array(
        z.object({
          name: z.optional(z.string()),
          choices: z.readonly(z.array(choice)),
        }),
      ),
    ),
  }),
  z.object({ ...optionBase, type: z.literal("boolean"), value: z.boolean() }),
]);
export type SessionOption = z.infer<typeof sessionOption>;

/** Where the user was in a thread: kept by the host too, since a lost window takes its views' own memory along. */
export const viewMemory = z.object({
  scroll: z.nullable(z.object({ key: id, offset: z.number() })),
  folds: z.record(z.string(), z.boolean()),
});
export type ViewMemory = z.infer<typeof viewMemory>;

/** What was typed but not sent, and when by the view's clock. */
export const keptDraft = z.object({
  text: z.string(),
  at: z.number(),
  attachments: z.optional(newAttachments),
});
export type KeptDraft = z.infer<typeof keptDraft>;

/** All that a view shows, and the only thing it knows. */
export const viewState = z.object({
  thread: z.nullable(viewThread),
  threads: z.readonly(z.array(threadSummary)),
  messages: z.readonly(z.array(viewMessage)),
  batches: z.readonly(z.array(viewBatch)),
  /** Whether the thread goes on beyond either end of the window. */
  more: z.object({ before: z.boolean(), after: z.boolean() }),
  queue: z.readonly(z.array(queueItem)),
  facts: queueFacts,
  status: agentStatus,
  permissions: z.readonly(z.array(openPermission)),
  elicitations: z.readonly(z.array(openElicitation)),
  commands: z.readonly(z.array(agentCommand)),
  usage: z.nullable(contextUsage),
  notices: z.readonly(z.array(notice)),
  readOnly: z.nullable(z.string()),
  settings: viewSettings,
  agents: z.readonly(z.array(agentChoice)),
  /** The draft the host keeps for this thread. */
  draft: keptDraft,
  memory: z.optional(viewMemory),
  options: z.optional(z.readonly(z.array(sessionOption))),
});
export type ViewState = z.infer<typeof viewState>;
