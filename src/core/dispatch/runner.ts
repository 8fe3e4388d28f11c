import { asError } from "../../util/asError.ts";
import { t } from "../../util/l10n.ts";
import type { Thread } from "../thread.ts";
import type { CommitAnswer } from "../writes.ts";
import type { AgentSidePorts } from "./agentSide.ts";
import type { ThreadSnapshot } from "./changes.ts";
import { CommittedThread } from "./committedThread.ts";
import { asked, failing, reading, type Entry, type Job } from "./entry.ts";
import type { Notice, Reply, Request, ThreadEvent } from "./events.ts";
import type { OpenAgent } from "./lives.ts";
import { keepViews, loadThread } from "./load.ts";
import { isOnItsWay, lostAnswer } from "./lostAnswer.ts";
import { Mailbox } from "./mailbox.ts";
import { preparePrompt } from "./preparePrompt.ts";
import type { PromptPorts, WrittenPrompt } from "./promptWriter.ts";
import { broken, closing } from "./replies.ts";
import { sendNothing, sendTurn } from "./sendTurn.ts";
import type { DispatchSettings } from "./settings.ts";
import { isAtRest, type ThreadState } from "./state.ts";
import { step } from "./step.ts";
import { commitStep, flush, isOurFault } from "./transaction.ts";

export interface RunnerPorts extends PromptPorts, AgentSidePorts {
  /** Shared by all threads: true once the record has taken a commit. */
  readonly record: { writable: boolean };
}

/**
 * Runs one thread: takes one event at a time, steps it, commits, and only then adopts the new state
 * and carries out the effects. So memory always equals what is committed.
 */
export class ThreadRunner {
  readonly id: string;
  readonly #ports: RunnerPorts;
  readonly #mailbox: Mailbox<Job>;
  readonly #thread: CommittedThread;
  /** Nothing of it was read yet: it rests, and is read before it is used. */
  #rests = false;
  /** What is known is what is stored: a commit has proved it, or it was read from a record that takes them. */
  #ours = false;

  constructor(id: string, ports: RunnerPorts) {
    this.id = id;
    this.#ports = ports;
    this.#mailbox = new Mailbox((job) => this.#take(job));
    this.#thread = new CommittedThread(id, ports, this.#mailbox);
  }

  /** The open session and its process, for what only some agents can do. */
  get openAgent(): OpenAgent | undefined {
    return this.#thread.openAgent;
  }

  get rests(): boolean {
    return this.#rests;
  }

  get state(): ThreadState | null {
    return this.#thread.state;
  }

  /** A thread of which it is known that nothing is on its way: looked at as it is, read when it is used. */
  rest(thread: Thread): void {
    this.#rests = true;
    this.#thread.rest(thread);
  }

  /** Reads the thread and settles what its last host left open. */
  async load(hold = false): Promise<void> {
    const { store, clock, record } = this.#ports;
    const { writable } = record;
    const before = this.#thread.state;
    const context = this.#thread.context();
    const settings = hold
      ? ({ ...context.settings, restoreQueue: "hold" } as const)
      : context.settings;
    const { stepped, settled } = await loadThread(
      store,
      this.id,
      clock.monotonic(),
      before?.nextLife ?? 1,
      { ...context, settings },
    );
    this.#rests = false;
    this.#ours = settled === "nothing" && writable;
    if (settled === "committed") this.#isOurs();
    this.#thread.agentSide.reset(stepped.state.newest?.batch ?? null);
    this.#thread.adopt(before === null ? stepped : keepViews(stepped, before));
    this.#thread.carryOut(stepped.effects);
    this.tell("dispatch");
  }

  /** Looks at the record, between two events; a thread that is ours and at work knows it but for a lost answer. */
  async open(): Promise<void> {
    await this.#between(async () => {
      const state = this.#thread.state;
      const works = state !== null && this.#ours && !isAtRest(state);
      if (this.#thread.disposed) return;
      if (works) await this.#catchUp(state);
      else await this.load();
    });
  }

  /** Answers once the request is committed, or refused. */
  ask(make: Request | (() => Promise<Request>)): Promise<Reply> {
    if (this.#thread.disposed) return Promise.resolve(closing);
    return new Promise((reply) => this.#mailbox.post(asked(make, reply)));
  }

  /** Settings have changed; these were there before. */
  configured(before: DispatchSettings): void {
    this.#thread.configured(before);
    this.tell("dispatch");
  }

  tell(kind: "dispatch" | "suspend" | "retire"): void {
    this.#thread.tell({ kind, at: 0 });
  }

  /** Reads the store between two commits of this thread, so that page and snapshot fit together. */
  read<T>(
    read: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly snapshot: ThreadSnapshot }> {
    return this.#between(async () => {
      if (this.#rests) await this.load();
      return read();
    });
  }

  #between<T>(
    read: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly snapshot: ThreadSnapshot }> {
    const { job, result } = reading(async () => {
      const value = await read();
      return { value, snapshot: this.snapshot() };
    });
    this.#mailbox.post(job);
    return result;
  }

  snapshot(): ThreadSnapshot {
    return this.#thread.snapshot();
  }

  /** Ends what a cancelled turn left running. */
  endLeft(): Promise<void> {
    return this.#thread.endLeft();
  }

  /** Ends turn and process in order; settles when no process is left and what happened is stored. */
  shutdown(): Promise<void> {
    return this.#thread.shutdown();
  }

  async #take(job: Job): Promise<void> {
    if ("run" in job) {
      await job.run();
      return;
    }
    try {
      await this.#process(job);
    } catch (error) {
      await this.#rebuild(job, error);
    }
  }

  async #process(entry: Entry): Promise<void> {
    if (this.#rests && !entry.asked) return;
    if (entry.asked && !this.#ours) await this.load();
    const thread = this.#thread;
    const { agentSide } = thread;
    const event = await entry.make(this.#ports.clock.monotonic());
    let stepped = step(thread.loaded(), event, thread.context());
    let prompt: WrittenPrompt | null = null;
    if (stepped.prompt !== null) {
      prompt = await preparePrompt(stepped, agentSide, this.#ports);
      if (agentSide.isDead(stepped.prompt.life)) {
        this.#defer(entry);
        return;
      }
      if (prompt.blocks.length === 0) {
        stepped = sendNothing(stepped, event.at, thread.context());
        prompt = null;
      } else
        stepped = sendTurn(stepped, prompt.sent, event.at, thread.context());
    }
    const answer = await commitStep(
      this.#ports.store,
      agentSide.scribe,
      stepped,
      prompt?.writes ?? [],
    );
    if (!answer.ok) {
      await this.#refused(entry, event, answer);
      return;
    }
    if (stepped.writes.length > 0) this.#isOurs();
    thread.adopt(stepped, event.kind === "wake" ? event.at : undefined);
    if (prompt !== null) agentSide.send(stepped.state, prompt);
    thread.carryOut(stepped.effects);
    entry.reply(stepped.reply);
  }

  #isOurs(): void {
    this.#ours = true;
    this.#ports.record.writable = true;
  }

  /** The process is dead: that has to be known, and is on its way, before anything is sent. */
  #defer(entry: Entry): void {
    const told = ({ name }: Job): boolean => name === "agentEnded";
    if (!this.#mailbox.postBehind(entry, told))
      throw new Error("A process is gone without a word.");
  }

  async #refused(
    entry: Entry,
    event: ThreadEvent,
    answer: Extract<CommitAnswer, { ok: false }>,
  ): Promise<void> {
    this.#ports.log.warn("commit.refused", {
      thread: this.id,
      event: event.kind,
      ...answer,
    });
    if (answer.reason === "duplicate") {
      const state = this.#thread.loaded();
      if (!answer.ids.every((id) => isOnItsWay(state, id)))
        await this.#catchUp(state);
      entry.reply({ ok: true, note: "duplicate" });
      return;
    }
    const { reason, detail } = answer;
    entry.reply({ ok: false, reason, detail });
    if (entry.asked) return;
    if (await isOurFault(this.#ports.store, this.#thread.loaded()))
      throw new Error(`The record refuses what is to be stored: ${detail}`);
    const at = this.#ports.clock.monotonic();
    const failed = { kind: "commitFailed", failed: event, detail, at } as const;
    const stepped = step(this.#thread.loaded(), failed, this.#thread.context());
    this.#thread.adopt(stepped);
    this.#thread.carryOut(stepped.effects);
  }

  /** Makes up for a commit that was applied though its answer got lost. */
  async #catchUp(state: ThreadState): Promise<void> {
    const found = await lostAnswer(this.#ports.store, state);
    if (found === "turn")
      this.#mailbox.post(failing(new Error("A stored turn is unknown.")));
    else if (found !== undefined) {
      this.#thread.adopt(found);
      this.#thread.carryOut(found.effects);
    }
  }

  /** A bug showed itself: the thread is built anew from the store, and what was asked is tried once more. */
  async #rebuild(entry: Entry, error: unknown): Promise<void> {
    const { log, emit } = this.#ports;
    log.error("runner.failed", {
      thread: this.id,
      event: entry.name,
      error: asError(error).stack ?? String(error),
    });
    try {
      await flush(this.#ports.store, this.#thread.agentSide.scribe);
      await this.#thread.agentSide.endAll();
      await this.load(true);
    } catch (again) {
      this.#ours = false;
      log.error("runner.lost", { thread: this.id, error: String(again) });
    }
    emit({ thread: this.id, kind: "rebuilt" });
    this.#thread.notice(rebuilt);
    if (entry.asked && entry.again === undefined)
      this.#mailbox.postFirst({ ...entry, again: true });
    else entry.reply(broken);
  }
}

const rebuilt: Notice = {
  level: "error",
  code: "runnerFailed",
  text: t(
    "Something went wrong in this thread. It was restored from what is saved.",
  ),
};
