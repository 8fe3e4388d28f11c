import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { runMembers } from "../../src/agent/endTree.ts";
import type {
  AgentSpec,
  LiveAgent,
  SessionOptions,
} from "../../src/core/agentPort.ts";
import { AgentLoan } from "../../src/host/agentLoan.ts";
import { inspectAgent, type Inspection } from "../../src/host/inspectAgent.ts";
import { Listener, silentLog, value } from "../contract/agentHarness.ts";
import { installAgents } from "../lab/agents/install.ts";
import { ScriptedModel } from "../lab/model/scriptedModel.ts";

/** A PNG of one pixel, in base64. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type MakeSpec = (
  labFolder: string,
  modelUrl: string,
  home: string,
) => Pick<AgentSpec, "command" | "args" | "env">;

/** A pinned real agent, a scripted model and an empty workspace; all of it gone after `dispose`. */
export class RealAgent {
  readonly model: ScriptedModel;
  readonly folder: string;
  readonly #root: string;
  readonly #spec: AgentSpec;
  readonly #live: LiveAgent[] = [];

  private constructor(model: ScriptedModel, root: string, spec: AgentSpec) {
    this.model = model;
    this.folder = path.join(root, "workspace");
    this.#root = root;
    this.#spec = spec;
  }

  static async make(label: string, make: MakeSpec): Promise<RealAgent> {
    const lab = await installAgents(() => undefined);
    const model = await ScriptedModel.start();
    const root = mkdtempSync(path.join(os.tmpdir(), "turnline-real-"));
    mkdirSync(path.join(root, "workspace"));
    const run = make(lab, model.url, path.join(root, "home"));
    return new RealAgent(model, root, { id: label, label, ...run });
  }

  /** As Check Setup looks at it. */
  inspect(without: readonly string[] = []): Promise<Inspection> {
    const port = createAgentPort({ log: silentLog });
    const kept = Object.entries(this.#spec.env).filter(
      ([name]) => !without.includes(name),
    );
    const spec = { ...this.#spec, env: Object.fromEntries(kept) };
    return inspectAgent(spec, new AgentLoan(port, this.folder));
  }

  /** Another `config.toml` than the lab's. */
  configure(text: string): void {
    const codex = path.join(this.#root, "home", ".codex");
    writeFileSync(path.join(codex, "config.toml"), text);
  }

  async start(
    heard: Listener = new Listener(),
  ): Promise<{ agent: LiveAgent; heard: Listener }> {
    const port = createAgentPort({ log: silentLog });
    const agent = value(await port.start(this.#spec, this.folder, heard));
    this.#live.push(agent);
    return { agent, heard };
  }

  async open(): Promise<{
    agent: LiveAgent;
    heard: Listener;
    sessionId: string;
  }> {
    const started = await this.start();
    const { sessionId } = value(await started.agent.newSession(this.options()));
    return { ...started, sessionId };
  }

  options(): SessionOptions {
    return { folder: this.folder, additionalFolders: [] };
  }

  /** A request's whole body as text, to look for words in it. */
  sent(call: number): string {
    return JSON.stringify(this.model.conversation().at(call)?.body);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#live.map((agent) => agent.end()));
    for (const { identity } of this.#live)
      assert.deepEqual(await runMembers(identity, true), []);
    await this.model.close();
    // It talks to the model it was given, and asks nothing else of anybody.
    assert.deepEqual(this.model.others, []);
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}
