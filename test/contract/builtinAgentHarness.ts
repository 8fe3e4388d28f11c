import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type ContentBlock,
  type InitializeResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { processTable } from "../../src/agent/processTable.ts";

const entry = path.resolve(
  import.meta.dirname,
  "../../src/builtinAgent/main.ts",
);

/** A folder of its own for a test, with files in it. */
export function makeFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): string {
  const folder = fs.realpathSync(
    fs.mkdtempSync(path.join(os.tmpdir(), "turnline-builtin-")),
  );
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return folder;
}

/** The real agent in a real process, and a real client at the other end of its pipes. */
export class BuiltinAgent {
  readonly process: ChildProcess;
  readonly connection: ClientConnection;
  readonly updates: SessionUpdate[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  /** How permissions are answered; by default by nobody. */
  decide: (
    request: RequestPermissionRequest,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse> = () =>
    new Promise(() => undefined);
  /** What the editor has open, unsaved. */
  readonly buffers = new Map<string, string>();
  stderr = "";
  readonly #news = new EventEmitter();

  constructor(home: string, env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [entry], {
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        TURNLINE_BUILTIN_HOME: home,
        TURNLINE_BUILTIN_PACE_MS: "0",
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    running.add(this);
    const { stdin, stdout, stderr } = this.process;
    assert.ok(stdin !== null && stdout !== null && stderr !== null);
    stdin.on("error", () => undefined);
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.connection = client({ name: "test" })
      .onNotification("session/update", ({ params }) => {
        this.updates.push(params.update);
        this.#news.emit("update");
      })
      .onRequest("session/request_permission", ({ params }) => {
        this.permissions.push(params);
        this.#news.emit("update");
        return this.decide(params);
      })
      .onRequest("fs/read_text_file", ({ params }) => ({
        content:
          this.buffers.get(params.path) ?? fs.readFileSync(params.path, "utf8"),
      }))
      .onRequest("fs/write_text_file", ({ params }) => {
        this.buffers.set(params.path, params.content);
        return {};
      })
      .connect(
        ndJsonStream(
          Writable.toWeb(stdin),
          Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
        ),
      );
  }

  get agent(): ClientConnection["agent"] {
    return this.connection.agent;
  }

  async initialize(
    clientCapabilities: ClientCapabilities = {},
  ): Promise<InitializeResponse> {
    return this.agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities,
    });
  }

  /** Initialised, with a new session. */
  async open(
    cwd: string,
    additionalDirectories: string[] = [],
    capabilities: ClientCapabilities = {},
  ): Promise<string> {
    await this.initialize(capabilities);
    const { sessionId } = await this.agent.request("session/new", {
      cwd,
      mcpServers: [],
      additionalDirectories,
    });
    return sessionId;
  }

  /** One turn, and what was said in it. */
  async ask(
    sessionId: string,
    prompt: string | ContentBlock[],
  ): Promise<Answer> {
    const from = this.updates.length;
    const { stopReason } = await this.agent.request("session/prompt", {
      sessionId,
      prompt:
        typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt,
    });
    await new Promise((resolve) => setImmediate(resolve));
    return { stopReason, ...readAnswer(this.updates.slice(from)) };
  }

  /** Settles as soon as the condition holds, checked with every update. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.#news, "update");
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const gone = this.gone();
    this.process.kill(signal);
    await gone;
  }

  async gone(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null)
      await once(this.process, "exit");
  }
}

export interface Answer {
  readonly stopReason: string;
  readonly text: string;
  readonly updates: readonly SessionUpdate[];
  readonly tools: readonly Tool[];
}

export interface Tool {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly status: string;
  readonly places: readonly { path: string; line?: number | null }[];
  readonly content: readonly unknown[];
  readonly output: unknown;
}

export function readAnswer(
  updates: readonly SessionUpdate[],
): Omit<Answer, "stopReason"> {
  const tools = new Map<string, Tool>();
  let text = "";
  for (const update of updates) {
    if (
      update.sessionUpdate === "agent_message_chunk" &&
      update.content.type === "text"
    )
      text += update.content.text;
    if (
      update.sessionUpdate !== "tool_call" &&
      update.sessionUpdate !== "tool_call_update"
    )
      continue;
    const old = tools.get(update.toolCallId);
    tools.set(update.toolCallId, {
      id: update.toolCallId,
      title: update.title ?? old?.title ?? "",
      kind: update.kind ?? old?.kind ?? "",
      status: update.status ?? old?.status ?? "",
      places: update.locations ?? old?.places ?? [],
      content: update.content ?? old?.content ?? [],
      output: update.rawOutput ?? old?.output,
    });
  }
  return { text, updates, tools: [...tools.values()] };
}

/** A dead process that nobody has collected yet is dead. */
export async function isAlive(pid: number): Promise<boolean> {
  const table = await processTable("");
  return table.some((row) => row.pid === pid && !row.zombie);
}

/** Call after each test: no process and no folder is left. */
export async function cleanUp(): Promise<void> {
  for (const agent of running) {
    agent.connection.close();
    await agent.kill();
  }
  running.clear();
  for (const folder of folders.splice(0))
    fs.rmSync(folder, { recursive: true, force: true });
}

const running = new Set<BuiltinAgent>();
const folders: string[] = [];
