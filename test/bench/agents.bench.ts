import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { compile } from "../../src/core/compile/compile.ts";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../../src/core/dispatch/settings.ts";
import { Engine } from "../../src/core/engine.ts";
import { systemClock } from "../../src/host/clock.ts";
import { silentLog } from "../contract/agentHarness.ts";
import { mustOpen } from "../fakes/realStore.ts";
import { alice, sha256 } from "../fakes/world.ts";
import { installAgents } from "../lab/agents/install.ts";
import { claudeCodeSpec } from "../lab/agents/specs.ts";
import { ScriptedModel } from "../lab/model/scriptedModel.ts";
import type { Figure } from "./figure.ts";

const turns = 30;

/** What Claude Code's model and its pipe are sent, in bytes. */
export async function bench(): Promise<readonly Figure[]> {
  const batched = await burst("batched");
  const single = await burst("per-message");
  const { going, resending } = await restart();
  const ratio = (name: string, value: number, limit: number): Figure => ({
    name,
    value,
    unit: "ratio",
    limit,
  });
  return [
    ratio("agent.burst.model-bytes", batched / single, 0.5),
    ratio("agent.restart.prompt-bytes", going / resending, 0.2),
  ];
}

/** Bytes of the model calls that five messages cause which were typed during a turn. */
function burst(mode: DispatchSettings["mode"]): Promise<number> {
  return withHouse(async (house) => {
    const host = await house.open({ mode });
    house.model.script({ text: ["Slow", "ly."], everyMs: 1_000 });
    await host.submit("Begin.");
    await house.model.untilCalls(1);
    for (const text of fiveTexts) await host.submit(text);
    await host.settled();
    await host.close();
    return house.model
      .conversation()
      .slice(1)
      .reduce((sum, { bytes }) => sum + bytes, 0);
  });
}

const fiveTexts = [
  "Look at the failing test first.",
  "It fails only on the second run.",
  "The log is in out/results.",
  "Do not touch the fixtures.",
  "Then run the whole suite once.",
];

/** Bytes of the prompt that goes on after a restart, and of one that tells a new session everything. */
function restart(): Promise<{ going: number; resending: number }> {
  return withHouse(async (house) => {
    const first = await house.open({});
    house.model.fallback = {
      text: "Looked at it, and it is as you say. ".repeat(8),
    };
    for (let turn = 1; turn <= turns; turn++) {
      await first.submit(`Question ${turn}: what about module ${turn}?`);
      await first.settled();
    }
    await first.close();
    const second = await house.open({});
    await second.submit("And after the restart?");
    await second.settled();
    const going = house.promptBytes();
    await second.engine.reset(second.thread);
    await second.submit("And in a new session?");
    await second.settled();
    const resending = house.promptBytes();
    await second.close();
    return { going, resending };
  });
}

interface Host {
  readonly engine: Engine;
  readonly thread: string;
  submit(text: string): Promise<void>;
  /** Settles when nothing is queued and no turn runs. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface House {
  readonly model: ScriptedModel;
  /** Of the newest prompt, as it went down the pipe. */
  promptBytes(): number;
  open(settings: Partial<DispatchSettings>): Promise<Host>;
}

/** A folder, a scripted model and a record that outlive the hosts opened on them. */
async function withHouse<T>(use: (house: House) => Promise<T>): Promise<T> {
  const root = mkdtempSync(path.join(os.tmpdir(), "turnline-bench-"));
  const folder = path.join(root, "workspace");
  const record = path.join(root, "record");
  for (const made of [folder, record]) mkdirSync(made);
  const model = await ScriptedModel.start();
  const home = path.join(root, "home");
  const run = claudeCodeSpec(
    await installAgents(() => undefined),
    model.url,
    home,
  );
  const spec = { id: "claude-code", label: "Claude Code", ...run };
  let bytes = 0;
  const agents = createAgentPort({
    log: silentLog,
    trace: (_, direction, message) => {
      const line = JSON.stringify(message);
      if (direction === "sent" && line.includes('"session/prompt"'))
        bytes = Buffer.byteLength(line);
    },
  });
  const open = async (settings: Partial<DispatchSettings>): Promise<Host> => {
    const store = await mustOpen(record);
    const engine = await Engine.start({
      ...{ store, agents, compile, sha256, log: silentLog },
      clock: systemClock,
      uuid: () => randomUUID(),
      resolveAgent: () => Promise.resolve({ ok: true, value: spec }),
      surroundings: () =>
        Promise.resolve({ fragments: [], additionalFolders: [] }),
      settings: { ...defaultDispatchSettings, ...settings },
    });
    return host(engine, folder, () => store.close());
  };
  try {
    return await use({ model, open, promptBytes: () => bytes });
  } finally {
    await model.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function host(
  engine: Engine,
  folder: string,
  closed: () => Promise<void>,
): Promise<Host> {
  const thread = engine.threads()[0]?.id ?? (await newThread(engine, folder));
  const isQuiet = (): boolean => {
    const now = engine.snapshot(thread);
    return now?.turn === null && now.queue.items.length === 0;
  };
  return {
    engine,
    thread,
    async submit(text) {
      const blocks = [{ type: "text", text }] as const;
      const message = { id: randomUUID(), sender: alice, blocks };
      const reply = await engine.submit(thread, message);
      if (!reply.ok) throw new Error(reply.detail);
    },
    settled: () =>
      new Promise((resolve) => {
        const stop = engine.onChange(() => look());
        const look = (): void => {
          if (!isQuiet()) return;
          stop();
          resolve();
        };
        look();
      }),
    async close() {
      await engine.dispose();
      await closed();
    },
  };
}

async function newThread(engine: Engine, folder: string): Promise<string> {
  const made = await engine.createThread({ folder, agent: "claude-code" });
  if (!("id" in made)) throw new Error(made.detail);
  return made.id;
}
