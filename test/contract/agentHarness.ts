import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type {
  ElicitationRequest,
  SessionChange,
} from "../../src/core/agentFeatures.ts";
import type { ProcessIdentity, ToolContent } from "../../src/core/message.ts";
import type {
  AgentBlock,
  AgentEvents,
  AgentFailure,
  AgentPort,
  AgentSpec,
  AgentUpdate,
  Answer,
  LiveAgent,
  PermissionRequest,
} from "../../src/core/agentPort.ts";
import type { Log } from "../../src/core/ports.ts";

/** What the suite needs of an agent port: a way to make the agent behave, and to see what it left. */
export interface AgentWorld {
  readonly port: AgentPort;
  /** An agent whose behaviour is told by the flags and words of `test/fixtures/faultAgent`. */
  spec(...flags: readonly string[]): AgentSpec;
  /** Pids of a run that still live. */
  left(identity: ProcessIdentity): Promise<readonly number[]>;
}

const faultAgent = path.join(
  import.meta.dirname,
  "../fixtures/faultAgent/faultAgent.mjs",
);

/** The fault agent as a real process. */
export function faultSpec(...flags: readonly string[]): AgentSpec {
  return {
    id: "fault",
    label: "Fault Agent",
    command: process.execPath,
    args: [faultAgent, ...flags],
    env: {},
  };
}

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export type Heard =
  | {
      readonly on: "update";
      readonly session: string;
      readonly update: AgentUpdate;
    }
  | { readonly on: "permission"; readonly request: PermissionRequest }
  | { readonly on: "permissionGone"; readonly id: string }
  | { readonly on: "ended"; readonly failure: AgentFailure };

/** A listener that keeps all it hears and can wait for more. */
export class Listener implements AgentEvents {
  readonly heard: Heard[] = [];
  signs = 0;
  #waiting: (() => void)[] = [];

  update(session: string, update: AgentUpdate): void {
    this.#push({ on: "update", session, update });
  }
  permission(request: PermissionRequest): void {
    this.#push({ on: "permission", request });
  }
  permissionGone(id: string): void {
    this.#push({ on: "permissionGone", id });
  }
  ended(failure: AgentFailure): void {
    this.#push({ on: "ended", failure });
  }
  alive(): void {
    this.signs += 1;
  }

  /** The first thing heard that fits, now or later. */
  async until<T>(pick: (heard: Heard) => T | undefined): Promise<T> {
    for (;;) {
      for (const heard of this.heard) {
        const found = pick(heard);
        if (found !== undefined) return found;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  untilText(text: string): Promise<true> {
    return this.until(() => (this.text().includes(text) ? true : undefined));
  }

  untilAsked(): Promise<PermissionRequest> {
    return this.until((heard) =>
      heard.on === "permission" ? heard.request : undefined,
    );
  }

  untilEnded(): Promise<AgentFailure> {
    return this.until((heard) =>
      heard.on === "ended" ? heard.failure : undefined,
    );
  }

  updates(): readonly AgentUpdate[] {
    return this.heard.flatMap((heard) =>
      heard.on === "update" ? [heard.update] : [],
    );
  }

  /** The terminals tool calls showed, as they changed. */
  terminals(): readonly Extract<ToolContent, { type: "terminal" }>[] {
    return this.updates()
      .flatMap((update) =>
        update.kind === "tool" ? (update.content ?? []) : [],
      )
      .filter((content) => content.type === "terminal");
  }

  text(): string {
    return this.updates()
      .map((update) => (update.kind === "text" ? update.text : ""))
      .join("");
  }

  #push(heard: Heard): void {
    this.heard.push(heard);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** A listener that also hears what is said beside the conversation. */
export class AllEars extends Listener {
  readonly changes: SessionChange[] = [];
  readonly asked: ElicitationRequest[] = [];
  readonly gone: string[] = [];
  #wake: () => void = () => undefined;

  session(_: string, change: SessionChange): void {
    this.changes.push(change);
  }
  elicitation(request: ElicitationRequest): void {
    this.asked.push(request);
    this.#wake();
  }
  elicitationGone(id: string): void {
    this.gone.push(id);
  }
  async untilElicited(): Promise<ElicitationRequest> {
    for (;;) {
      const [request] = this.asked;
      if (request !== undefined) return request;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** One test's agents: started in a folder of its own, ended after it, and nothing may be left. */
export class Bench {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), "turnline-agent-"));
  readonly record = path.join(this.folder, "record.jsonl");
  readonly #world: AgentWorld;
  readonly #live: LiveAgent[] = [];

  constructor(world: AgentWorld) {
    this.#world = world;
  }

  spec(...flags: readonly string[]): AgentSpec {
    const spec = this.#world.spec(...flags);
    return {
      ...spec,
      env: {
        ...spec.env,
        FAULT_RECORD: this.record,
        FAULT_SESSIONS: path.join(this.folder, "sessions"),
      },
    };
  }

  start(...flags: readonly string[]): Promise<Started> {
    return this.startWith(new Listener(), ...flags);
  }

  async startWith(
    heard: Listener,
    ...flags: readonly string[]
  ): Promise<Started> {
    const agent = value(
      await this.#world.port.start(this.spec(...flags), this.folder, heard),
    );
    this.#live.push(agent);
    return { agent, heard };
  }

  /** A start that is stopped as soon as it has begun. */
  startStopped(...flags: readonly string[]): Promise<Answer<LiveAgent>> {
    const { port } = this.#world;
    const stopped = new Promise<void>((resolve) => setImmediate(resolve));
    const heard = new Listener();
    return port.start(this.spec(...flags), this.folder, heard, stopped);
  }

  /** A started agent with a new session. */
  async open(...flags: readonly string[]): Promise<Opened> {
    const started = await this.start(...flags);
    const { sessionId } = value(await started.agent.newSession(this.options()));
    return { ...started, sessionId };
  }

  options(): Parameters<LiveAgent["newSession"]>[0] {
    return { folder: this.folder, additionalFolders: [] };
  }

  /** What the agent received, by method. */
  received(method: string): readonly Record<string, unknown>[] {
    if (!existsSync(this.record)) return [];
    return readFileSync(this.record, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((entry) => entry["method"] === method);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#live.map((agent) => agent.end()));
    for (const { identity } of this.#live)
      assert.deepEqual(await this.#world.left(identity), []);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface Started {
  readonly agent: LiveAgent;
  readonly heard: Listener;
}

export interface Opened extends Started {
  readonly sessionId: string;
}

export function value<T>(answer: Answer<T>): T {
  assert.ok(answer.ok, answer.ok ? "" : JSON.stringify(answer.failure));
  return answer.value;
}

export function failure<T>(answer: Answer<T>): AgentFailure {
  assert.ok(!answer.ok, "expected a failure");
  return answer.failure;
}

export function say(text: string): readonly AgentBlock[] {
  return [{ type: "text", text }];
}
