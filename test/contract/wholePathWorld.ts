import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { runMembers } from "../../src/agent/endTree.ts";
import { compile } from "../../src/core/compile/compile.ts";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../../src/core/dispatch/settings.ts";
import type { ThreadChange } from "../../src/core/dispatch/changes.ts";
import { Engine } from "../../src/core/engine.ts";
import type { Reply } from "../../src/core/dispatch/events.ts";
import type { ProcessIdentity, Sender } from "../../src/core/message.ts";
import type { Clock, Store } from "../../src/core/ports.ts";
import { hastyClock } from "../fakes/hastyClock.ts";
import { MemoryLog } from "../fakes/log.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { alice, described, sha256 } from "../fakes/world.ts";
import { faultSpec } from "./agentHarness.ts";

export interface Options {
  readonly flags?: readonly string[];
  readonly settings?: Partial<DispatchSettings>;
  /** How many times faster than outside the engine's time passes. */
  readonly haste?: number;
  /** Instead of time that passes by itself. */
  readonly clock?: Clock;
}

/** The engine between a real store and a real process. */
export class Path {
  readonly engine: Engine;
  readonly thread: string;
  readonly store: Store & { close(): Promise<void> };
  readonly changes: ThreadChange[] = [];
  readonly folder: string;
  readonly log: MemoryLog;
  readonly #work: string;
  readonly #identities = new Map<string, ProcessIdentity>();
  #waiting: (() => void)[] = [];

  private constructor(
    parts: Pick<Path, "engine" | "thread" | "store" | "folder" | "log">,
    work: string,
  ) {
    this.engine = parts.engine;
    this.thread = parts.thread;
    this.store = parts.store;
    this.folder = parts.folder;
    this.log = parts.log;
    this.#work = work;
    this.engine.onChange((change) => {
      this.changes.push(change);
      if (
        change.kind === "message" &&
        change.message.body.kind === "turnStart"
      ) {
        const { process } = change.message.body;
        this.#identities.set(process.nonce, process);
      }
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    });
  }

  static async open(
    options: Options = {},
    folder?: string,
    thread?: string,
    work?: string,
  ): Promise<Path> {
    const at = folder ?? (await newFolder());
    const own = work ?? mkdtempSync(path.join(os.tmpdir(), "turnline-path-"));
    const store = await mustOpen(at);
    const log = new MemoryLog();
    const spec = faultSpec(...(options.flags ?? []));
    const engine = await Engine.start({
      store,
      log,
      agents: createAgentPort({ log, graceMs: 300 }),
      clock: options.clock ?? hastyClock(options.haste ?? 1),
      settings: { ...defaultDispatchSettings, ...options.settings },
      compile,
      sha256,
      uuid: () => randomUUID(),
      resolveAgent: () =>
        Promise.resolve({
          ok: true,
          value: {
            ...spec,
            env: { FAULT_RECORD: path.join(own, "heard"), FAULT_SESSIONS: own },
          },
        }),
      surroundings: () =>
        Promise.resolve({ fragments: [], additionalFolders: [] }),
    });
    const made = thread ?? (await newThread(engine, own));
    return new Path({ engine, thread: made, store, folder: at, log }, own);
  }

  /** The same record and the same sessions under a new host. */
  async reopen(options: Options = {}): Promise<Path> {
    await this.engine.dispose();
    await this.store.close();
    return Path.open(options, this.folder, this.thread, this.#work);
  }

  async say(text: string, sender: Sender = alice): Promise<void> {
    assert.equal((await this.submit(text, sender)).ok, true);
  }

  submit(
    text: string,
    sender: Sender,
    mentions: readonly string[] = [],
  ): Promise<Reply> {
    return this.engine.submit(this.thread, {
      ...{ id: text, sender, mentions },
      blocks: [{ type: "text", text }],
    });
  }

  /** A file in a folder of its own: nothing is there until a test makes it. */
  file(name: string): string {
    return path.join(this.#work, name);
  }

  /** The notices that were shown, by code. */
  notices(code: string): readonly string[] {
    return this.changes.flatMap((change) =>
      change.kind === "notice" && change.notice.code === code
        ? [change.notice.text]
        : [],
    );
  }

  /** Waits for something to hold, looking again after every change. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  status(state: string): Promise<void> {
    return this.until(
      () => this.engine.snapshot(this.thread)?.status.state === state,
    );
  }

  async shown(text: string): Promise<void> {
    const said = () =>
      this.changes
        .map((change) =>
          change.kind === "text"
            ? change.text
            : change.kind === "message" && change.message.body.kind === "agent"
              ? change.message.body.text
              : "",
        )
        .join("");
    await this.until(() => said().includes(text));
  }

  async transcript(): Promise<readonly string[]> {
    const { messages } = await this.store.page(this.thread, { limit: 200 });
    return messages.map(described);
  }

  async state(id: string): Promise<string> {
    return (await this.store.message(id))?.state ?? "none";
  }

  /** What the agent was told, by method. */
  heard(
    method: string,
  ): readonly { readonly params: Readonly<Record<string, unknown>> }[] {
    const file = path.join(this.#work, "heard");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map(
        (line) =>
          JSON.parse(line) as {
            method?: string;
            params: Record<string, unknown>;
          },
      )
      .filter((line) => line.method === method);
  }

  prompts(): readonly string[] {
    return this.heard("session/prompt").map(({ params }) =>
      (params["prompt"] as readonly { text?: string }[])
        .map(({ text }) => text ?? "")
        .join("|"),
    );
  }

  /** Ends everything, and makes sure that no process of any turn is left. */
  async close(): Promise<void> {
    await this.engine.dispose();
    await this.store.close();
    for (const identity of this.#identities.values())
      assert.deepEqual(await runMembers(identity, true), []);
    rmSync(this.#work, { recursive: true });
    await fs.rm(this.folder, { recursive: true });
  }
}

async function newThread(engine: Engine, folder: string): Promise<string> {
  const made = await engine.createThread({ folder, agent: "fault" });
  assert.ok("id" in made);
  return made.id;
}
