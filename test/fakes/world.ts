import { createHash, randomUUID } from "node:crypto";
import type {
  Compiled,
  CompileInput,
  Fragment,
} from "../../src/core/compile/types.ts";
import type { ThreadChange } from "../../src/core/dispatch/changes.ts";
import type { NewMessage, Reply } from "../../src/core/dispatch/events.ts";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../../src/core/dispatch/settings.ts";
import { Engine, type EngineOptions } from "../../src/core/engine.ts";
import type { Message, Sender } from "../../src/core/message.ts";
import { FakeAgents, type FakeAgentOptions } from "./agent.ts";
import { ManualClock, settled } from "./clock.ts";
import { MemoryLog } from "./log.ts";
import { MemoryStore } from "./memoryStore.ts";

export const alice: Sender = { kind: "user", name: "alice" };

export interface WorldOptions {
  readonly agent?: FakeAgentOptions;
  readonly settings?: Partial<DispatchSettings>;
  readonly compile?: EngineOptions["compile"];
  readonly store?: MemoryStore;
  readonly agents?: FakeAgents;
  readonly clock?: ManualClock;
  readonly thread?: string;
  readonly capabilities?: EngineOptions["capabilities"];
  /** What agents are told besides the conversation, asked for anew each time. */
  readonly fragments?: () => readonly Fragment[] | Promise<readonly Fragment[]>;
}

/** An engine on fakes: one thread to talk in, and everything that happened to look at. */
export class World {
  readonly store: MemoryStore;
  readonly agents: FakeAgents;
  readonly clock: ManualClock;
  readonly log = new MemoryLog();
  readonly changes: ThreadChange[] = [];
  readonly engine: Engine;
  readonly thread: string;

  private constructor(
    parts: Pick<
      World,
      "store" | "agents" | "clock" | "engine" | "thread" | "log"
    >,
  ) {
    this.store = parts.store;
    this.agents = parts.agents;
    this.clock = parts.clock;
    this.engine = parts.engine;
    this.thread = parts.thread;
    this.log = parts.log;
    this.engine.onChange((change) => this.changes.push(change));
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    const store = options.store ?? new MemoryStore();
    const agents = options.agents ?? new FakeAgents(options.agent);
    const clock = options.clock ?? new ManualClock();
    const log = new MemoryLog();
    const engine = await Engine.start({
      store,
      agents,
      clock,
      log,
      settings: { ...defaultDispatchSettings, ...options.settings },
      compile: options.compile ?? joined,
      sha256,
      uuid: () => randomUUID(),
      resolveAgent: (id) =>
        Promise.resolve(
          id === "unknown"
            ? {
                ok: false,
                failure: {
                  kind: "notFound",
                  message: "There is no such agent.",
                },
              }
            : {
                ok: true,
                value: {
                  id,
                  label: `Agent ${id}`,
                  command: id,
                  args: [],
                  env: {},
                },
              },
        ),
      surroundings: async () => ({
        fragments: (await options.fragments?.()) ?? [],
        additionalFolders: [],
      }),
      archives: (of) => store.archives(of),
      ...(options.capabilities === undefined
        ? {}
        : { capabilities: options.capabilities }),
    });
    const thread = options.thread ?? (await newThread(engine));
    return new World({ store, agents, clock, engine, thread, log });
  }

  /** The host dies without a word, and a new one opens the same record. */
  async crash(options: WorldOptions = {}): Promise<World> {
    const { store, agents, thread, clock } = this;
    const next = await World.create({
      store,
      agents,
      clock,
      thread,
      ...options,
    });
    await settled();
    return next;
  }

  newThread(agent = "a"): Promise<string> {
    return newThread(this.engine, agent);
  }

  /** Submits without waiting for what follows; the id is the text. */
  submit(
    text: string,
    more: Partial<NewMessage> = {},
    thread = this.thread,
  ): Promise<Reply> {
    return this.engine.submit(thread, {
      id: text,
      sender: alice,
      blocks: [{ type: "text", text }],
      ...more,
    });
  }

  /** Submits, and lets everything follow. */
  async say(text: string, more: Partial<NewMessage> = {}): Promise<Reply> {
    const reply = await this.submit(text, more);
    await settled();
    return reply;
  }

  async endTurn(stop = "end_turn"): Promise<void> {
    this.agents.turn.end(stop);
    await settled();
  }

  queue(thread = this.thread): readonly string[] {
    return (this.engine.snapshot(thread)?.queue.items ?? []).map(
      ({ message }) => message.id,
    );
  }

  get snapshot(): NonNullable<ReturnType<Engine["snapshot"]>> {
    const found = this.engine.snapshot(this.thread);
    if (found === undefined) throw new Error("The thread is gone.");
    return found;
  }

  get status(): string {
    return this.snapshot.status.state;
  }

  async message(id: string): Promise<Message> {
    const found = await this.store.message(id);
    if (found === undefined) throw new Error(`There is no message ${id}.`);
    return found;
  }

  async states(...ids: readonly string[]): Promise<readonly string[]> {
    return Promise.all(
      ids.map(async (id) => (await this.message(id)).state ?? "none"),
    );
  }

  /** The record of the thread, a word or two per row. */
  async transcript(thread = this.thread): Promise<readonly string[]> {
    const { messages } = await this.store.page(thread, { limit: 1000 });
    return messages.map(described);
  }
}

export function described({ id, body, marks }: Message): string {
  const late = marks.late === true ? " late" : "";
  switch (body.kind) {
    case "user":
      return `user ${id}`;
    case "agent":
    case "thought":
      return `${body.kind}${late} ${body.text}`;
    case "toolCall":
      return `call${late} ${body.toolCallId} ${body.status}`;
    case "toolResult":
      return `result${late} ${body.toolCallId} ${body.status}`;
    case "plan":
      return `plan ${body.entries.length}`;
    case "permission":
      return `permission ${body.toolCallId} ${String(body.chosen)}`;
    case "turnStart":
      return `start ${body.recipe.kind}`;
    case "turnEnd":
      return `end ${body.stop}`;
    case "notice":
      return `notice ${body.code}`;
  }
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** A stand-in that shows what was compiled: the texts of the batch, joined. */
export function joined(input: CompileInput): Compiled {
  const texts = input.batch.map(({ body }) =>
    body.kind === "user"
      ? body.blocks
          .map((block) => (block.type === "text" ? block.text : ""))
          .join("")
      : "",
  );
  const kind =
    input.memory.kind === "session" && input.memory.session.cursor !== null
      ? "delta"
      : "full";
  const text = texts.join(" + ");
  const positions = input.batch.flatMap(({ position }) => position ?? []);
  return {
    kind,
    blocks: [{ type: "text", text }],
    through: positions.at(-1) ?? null,
    ledger: {},
    recipe: {
      kind,
      packer: "joined",
      positions,
      fragments: [],
      reason: "test",
      bytes: text.length,
      hash: sha256(text),
    },
    rebuilt: false,
    parts: [],
    notes: [],
    keep: [],
  };
}

async function newThread(engine: Engine, agent = "a"): Promise<string> {
  const made = await engine.createThread({ folder: "/work", agent });
  if (!("id" in made)) throw new Error("No thread could be made.");
  return made.id;
}
