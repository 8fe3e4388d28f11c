import * as vscode from "vscode";
import * as z from "zod";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../core/dispatch/settings.ts";
import type { McpServer } from "../core/agentFeatures.ts";
import type { AgentSpec } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { type Entries, readEntries } from "./settingEntries.ts";
import type { NotifySetting } from "./worthTelling.ts";

/** Every setting of Turnline, parsed: the only place that reads them. */
export interface Settings {
  readonly defaultAgent: string;
  readonly agents: readonly AgentSpec[];
  /** Entries that are no agent, by id, with what is wrong with them. */
  readonly wrongAgents: ReadonlyMap<string, string>;
  /** Told to every agent as a session opens. */
  readonly mcpServers: readonly McpServer[];
  /** Empty when the user has not set one. */
  readonly userName: string;
  readonly enter: "send" | "newline";
  readonly notifications: NotifySetting;
  readonly dispatch: DispatchSettings;
  readonly context: ContextSettings;
  /** What history is kept; 0 keeps all. */
  readonly history: {
    readonly maxAgeDays: number;
    readonly maxMegabytes: number;
  };
  /** What is asked about a selection. */
  readonly prompts: Readonly<
    Record<"explain" | "fix" | "test" | "document", string>
  >;
  /** How long an agent may take to answer its first question. */
  readonly startTimeoutMs: number;
}

/** What agents are told besides the conversation. */
export interface ContextSettings {
  /** Folders, languages and package files of the workspace. */
  readonly workspace: boolean;
  readonly instructions: string;
  readonly nudges: readonly string[];
  /** What of the editor; empty tells nothing. */
  readonly editor: readonly EditorPart[];
  /** Older turns are summarised when a thread has grown beyond this; 0 never does it by itself. */
  readonly compactAtTokens: number;
}

export type EditorPart = "file" | "selection" | "diagnostics";

export function readSettings(log: Log): Settings {
  const settings = vscode.workspace.getConfiguration("turnline");
  /** What does not fit counts as not set: a typing error in settings must not stop the chat. */
  const read = <T>(name: string, schema: z.ZodType<T>, otherwise: T): T => {
    const parsed = schema.safeParse(settings.get(name));
    if (parsed.success) return parsed.data;
    log.warn("settings.ignored", { name, why: z.prettifyError(parsed.error) });
    return otherwise;
  };
  const entries = <T>(setting: string, schema: z.ZodType<T>): Entries<T> => {
    const found = readEntries(settings.get(setting), schema);
    for (const [name, why] of found.bad)
      log.warn("settings.entry.ignored", { setting, name, why });
    return found;
  };
  const agents = entries("agents", agentEntry);
  const usual = defaultDispatchSettings;
  return {
    defaultAgent: read("defaultAgent", z.string().min(1), "auto"),
    agents: agents.good.map(([id, { label, ...run }]) => ({
      ...{ id, label: label ?? id },
      ...run,
    })),
    wrongAgents: new Map(agents.bad),
    mcpServers: entries("mcpServers", mcpEntry).good.map(([name, entry]) => ({
      name,
      ...entry,
    })),
    userName: read("userName", z.string(), ""),
    enter: read("chat.enter", z.enum(["send", "newline"]), "send"),
    notifications: read(
      "notifications",
      z.enum(["all", "needsYou", "off"]),
      "all",
    ),
    history: {
      maxAgeDays: read("history.maxAgeDays", atLeast(0), 0),
      maxMegabytes: read("history.maxMegabytes", atLeast(0), 0),
    },
    prompts: {
      explain: read("prompts.explain", z.string(), "Explain this code."),
      fix: read("prompts.fix", z.string(), "Find and fix what is wrong here."),
      test: read("prompts.test", z.string(), "Write tests for this code."),
      document: read("prompts.document", z.string(), "Document this code."),
    },
    startTimeoutMs: 1_000 * read("agent.startTimeoutSeconds", atLeast(1), 30),
    context: {
      workspace: read("context.workspace", z.boolean(), true),
      instructions: read("context.instructions", z.string(), ""),
      nudges: read("context.nudges", z.array(z.string()), []),
      editor: read(
        "context.editor",
        z.array(z.enum(["file", "selection", "diagnostics"])),
        [],
      ),
      compactAtTokens: read("context.compactAtTokens", atLeast(0), 200_000),
    },
    dispatch: {
      ...usual,
      mode: read(
        "dispatch.mode",
        z.enum(["batched", "per-lane", "per-message"]),
        usual.mode,
      ),
      packing: read(
        "dispatch.packing",
        z.enum(["tagged", "blocks"]),
        usual.packing,
      ),
      maxBufferedMessages: read(
        "dispatch.maxBufferedMessages",
        atLeast(1),
        usual.maxBufferedMessages,
      ),
      maxBatchTokens: read(
        "dispatch.maxBatchTokens",
        atLeast(1),
        usual.maxBatchTokens,
      ),
      collectWindowMs: read(
        "dispatch.collectWindowMs",
        atLeast(0),
        usual.collectWindowMs,
      ),
      maxCollectWindowMs: read(
        "dispatch.maxCollectWindowMs",
        atLeast(0),
        usual.maxCollectWindowMs,
      ),
      afterCancel: read(
        "dispatch.afterCancel",
        z.enum(["continue", "hold"]),
        usual.afterCancel,
      ),
      restoreQueue: read(
        "dispatch.restoreQueue",
        z.enum(["hold", "resume"]),
        usual.restoreQueue,
      ),
      idleMinutes: read("agent.idleMinutes", atLeast(1), usual.idleMinutes),
      maxLiveAgents: read(
        "agent.maxLiveAgents",
        atLeast(1),
        usual.maxLiveAgents,
      ),
      ceilingMinutes: read(
        "agent.ceilingMinutes",
        atLeast(0),
        usual.ceilingMinutes,
      ),
      contextBudgetTokens: read(
        "context.budgetTokens",
        atLeast(1_000),
        usual.contextBudgetTokens,
      ),
      allowAgentMessages: read(
        "gates.allowAgentMessages",
        z.enum(["off", "mentions", "all"]),
        usual.allowAgentMessages,
      ),
      trustedAgents: read(
        "gates.trustedAgents",
        z.array(z.string()),
        usual.trustedAgents,
      ),
    },
  };
}

/** Calls back when a setting of ours changed. */
export function onSettingsChanged(run: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("turnline")) run();
  });
}

const agentEntry = z.object({
  label: z.string().optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});

const mcpEntry = z.union([
  z.object({
    type: z.literal("stdio").default("stdio"),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
  }),
  z.object({
    type: z.enum(["http", "sse"]),
    url: z.url(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
]);

const atLeast = (least: number): z.ZodType<number> => z.int().min(least);
