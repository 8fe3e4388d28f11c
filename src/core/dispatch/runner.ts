import type { Thread } from "../thread.ts";
import type { CommitAnswer } from "../writes.ts";
import type { ThreadSnapshot } from "./changes.ts";
import type {
  Effect,
  Notice,
  Reply,
  Request,
  StepContext,
  Stepped,
  ThreadEvent,
} from "./events.ts";
import { nextDeadline } from "./liveness.ts";
import type { OpenAgent } from "./lives.ts";
import { Alarm } from "./alarm.ts";
import { AgentSide, type AgentSidePorts } from "./agentSide.ts";
import { asked, inner, type Entry, type Job } from "./entry.ts";
import { keepViews, loadThread, storedRows } from "./load.ts";
import { isOnItsWay, lostAnswer } from "./lostAnswer.ts";
import { LeftBehind } from "./leftBehind.ts";
import { Mailbox } from "./mailbox.ts";
import { asStored, atRest } from "./recover.ts";
import { preparePrompt } from "./preparePrompt.ts";
import type { PromptPorts, WrittenPrompt } from "./promptWriter.ts";
import { Reporter } from "./reporter.ts";
import { sendNothing, sendTurn } from "./sendTurn.ts";
import type { DispatchSettings } from "./settings.ts";
import { isAtRest, isIdle, type ThreadState } from "./state.ts";
import { step } from "./step.ts";
import { commitStep, flush, isOurFault } from "./transaction.ts";
import { t } from "../../util/l10n.ts";
import { asError } from "../../util/asError.ts";

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
  readonly #agentSide: AgentSide;
  readonly #reporter: Reporter;
  readonly #alarm: Alarm;
  readonly #left: LeftBehind;
  #state: ThreadState | null = null;
  #disposed = false;
  /** Nothing of it was read yet: it rests, and is read before it is used. */
  #rests = false;
  /** What is known is what is stored: a commit has proved it, or it was read from a record that takes them. */
  #ours = false;

  constructor(id: string, ports: RunnerPorts) {
    this.id = id;
    this.#ports = ports;
    this.#mailbox = new Mailbox((job) => this.#take(job));
    this.#agentSide = new AgentSide(id, ports, {
      thread: () => this.#loaded().thread,
      life: () => lifeOf(this.#state),
      happened: (event) => this.#tell({ ...event, at: 0 }),
      flush: () => this.#tell({ kind: "flush", at: 0 }),
      failed: (error) => this.#fail(error),
      heard: (update) => this.#reporter.heard(update),
      newest: () => storedRows(ports.store, this.#loaded()),
      session: (change) => this.#reporter.session(change),
      elicitation: (opened) => this.#reporter.elicitation(opened),
      elicitationGone: (form) => this.#reporter.elicitationGone(form),
    });
    this.#reporter = new Reporter(id, ports);
    this.#left = new LeftBehind(ports.clock, (left) =>
      ports.emit({ thread: id, kind: "left", left }),
    );
    this.#alarm = new Alarm(ports.clock, () =>
      this.#tell({ kind: "wake", at: 0 }),
    );
  }

  /** The open session and its process, for what only some agents can do. */
  get openAgent(): OpenAgent | undefined {
    const life = lifeOf(this.#state);
    return life === null ? undefined : this.#agentSide.opened(life);
  }

  get rests(): boolean {
    return this.#rests;
  }

  get state(): ThreadState | null {
    return this.#state;
  }

  /** A thread of which it is known that nothing is on its way: looked at as it is, read when it is used. */
  rest(thread: Thread): void {
    this.#rests = true;
    this.#state = asStored(atRest(thread), 1).state;
  }

  /** Reads the thread and settles what its last host left open. */
  async load(hold = false): Promise<void> {
    const { store, clock, record } = this.#ports;
    const { writable } = record;
    const before = this.#state;
    const context = this.#context();
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
    this.#agentSide.reset(stepped.state.newest?.batch ?? null);
    this.#adopt(before === null ? stepped : keepViews(stepped, before));
    this.#carryOut(stepped.effects);
    this.tell("dispatch");
  }

  /** Looks at the record, between two events; a thread that is ours and at work knows it but for a lost answer. */
  async open(): Promise<void> {
    await this.#between(async () => {
      const state = this.#state;
      const works = state !== null && this.#ours && !isAtRest(state);
      if (this.#disposed) return;
      if (works) await this.#catchUp(state);
      else await this.load();
    });
  }

  /** Answers once the request is committed, or refused. */
  ask(make: Request | (() => Promise<Request>)): Promise<Reply> {
    if (this.#disposed) return Promise.resolve(closing);
    return new Promise((reply) => this.#mailbox.post(asked(make, reply)));
  }

  /** Settings have changed; these were there before. */
  configured(before: DispatchSettings): void {
    if (this.#state !== null) this.#reporter.configured(this.#state, before);
    this.tell("dispatch");
  }

  tell(kind: "dispatch" | "suspend" | "retire"): void {
    this.#tell({ kind, at: 0 });
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
    return new Promise((resolve, reject) => {
      const run = async (): Promise<void> => {
        const value = await read();
        resolve({ value, snapshot: this.snapshot() });
      };
      this.#mailbox.post({
        name: "read",
        run: () => run().catch((error: unknown) => reject(asError(error))),
      });
    });
  }

  snapshot(): ThreadSnapshot {
    const { scribe, lastSign } = this.#agentSide;
    const told = this.#reporter.snapshot(this.#loaded(), scribe, lastSign);
    return { ...told, left: this.#left.left };
  }

  /** Ends what a cancelled turn left running. */
  endLeft(): Promise<void> {
    return this.#left.end();
  }

  /** Ends turn and process in order; settles when no process is left and what happened is stored. */
  async shutdown(): Promise<void> {
    if (!this.#disposed) this.#tell({ kind: "shutdown", at: 0 });
    this.#disposed = true;
    await this.#mailbox.drained();
    await this.#agentSide.endAll();
    await this.#mailbox.drained();
    this.#alarm.set(undefined);
    this.#left.forget();
    this.#agentSide.dispose();
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
    const event = await entry.make(this.#ports.clock.monotonic());
    let stepped = step(this.#loaded(), event, this.#context());
    let prompt: WrittenPrompt | null = null;
    if (stepped.prompt !== null) {
      prompt = await preparePrompt(stepped, this.#agentSide, this.#ports);
      if (this.#agentSide.isDead(stepped.prompt.life)) {
        this.#defer(entry);
        return;
      }
      if (prompt.blocks.length === 0) {
        stepped = sendNothing(stepped, event.at, this.#context());
        prompt = null;
      } else
        stepped = sendTurn(stepped, prompt.sent, event.at, this.#context());
    }
    const { scribe } = this.#agentSide;
    const { store } = this.#ports;
    const more = prompt?.writes ?? [];
    const answer = await commitStep(store, scribe, stepped, more);
    if (!answer.ok) {
      await this.#refused(entry, event, answer);
      return;
    }
    if (stepped.writes.length > 0) this.#isOurs();
    this.#adopt(stepped, event.kind === "wake" ? event.at : undefined);
    if (prompt !== null) this.#agentSide.send(stepped.state, prompt);
    this.#carryOut(stepped.effects);
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
      const state = this.#loaded();
      if (!answer.ids.every((id) => isOnItsWay(state, id)))
        await this.#catchUp(state);
      entry.reply({ ok: true, note: "duplicate" });
      return;
    }
    const { reason, detail } = answer;
    entry.reply({ ok: false, reason, detail });
    if (entry.asked) return;
    if (await isOurFault(this.#ports.store, this.#loaded()))
      throw new Error(`The record refuses what is to be stored: ${detail}`);
    const at = this.#ports.clock.monotonic();
    const failed = { kind: "commitFailed", failed: event, detail, at } as const;
    const stepped = step(this.#loaded(), failed, this.#context());
    this.#adopt(stepped);
    this.#carryOut(stepped.effects);
  }

  /** Makes up for a commit that was applied though its answer got lost. */
  async #catchUp(state: ThreadState): Promise<void> {
    const found = await lostAnswer(this.#ports.store, state);
    if (found === "turn") this.#fail(new Error("A stored turn is unknown."));
    else if (found !== undefined) {
      this.#adopt(found);
      this.#carryOut(found.effects);
    }
  }

  #adopt(stepped: Stepped, wokenAt?: number): void {
    const before = this.#state;
    this.#state = stepped.state;
    this.#reporter.report(before, stepped, this.#agentSide.lastSign);
    this.#lookBehind(before, stepped.state);
    this.#setAlarm(wokenAt);
    if (isIdle(stepped.state)) this.#ports.pool.look();
  }

  /** Some agents go on with a command after its turn was cancelled. */
  #lookBehind(before: ThreadState | null, after: ThreadState): void {
    if (lifeOf(before) !== lifeOf(after)) this.#left.forget();
    const turn = before?.turn ?? null;
    const cancelled = turn?.phase === "sent" && turn.cancel !== null;
    if (!cancelled || after.turn !== null || after.agent.kind !== "live")
      return;
    const features = this.#agentSide.opened(after.agent.life)?.agent.features;
    void this.#left.cancelled(features);
  }

  /** What was due when a `wake` was stepped and still is, waits for something else to happen, not for time to pass. */
  #setAlarm(wokenAt: number | undefined): void {
    const { settings } = this.#ports;
    const due = nextDeadline(this.#loaded(), settings(), wokenAt);
    if (!this.#disposed) this.#alarm.set(due);
  }

  /** What is to be stepped next comes in the order of the effects. */
  #carryOut(effects: readonly Effect[]): void {
    const next: ThreadEvent[] = [];
    for (const effect of effects)
      if (effect.kind === "dispatch") next.push({ kind: "dispatch", at: 0 });
      else if (effect.kind === "retry") next.push(...effect.events);
      else if (effect.kind === "notice") this.#reporter.notice(effect.notice);
      else this.#agentSide.carryOut(effect);
    if (next.length > 0) this.#mailbox.postFirst(...next.map(inner));
  }

  #tell(event: ThreadEvent): void {
    this.#mailbox.post(inner(event));
  }

  #fail(error: Error): void {
    this.#mailbox.post({
      ...inner({ kind: "dispatch", at: 0 }),
      make: () => Promise.reject(error),
    });
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
      await flush(this.#ports.store, this.#agentSide.scribe);
      await this.#agentSide.endAll();
      await this.load(true);
    } catch (again) {
      this.#ours = false;
      log.error("runner.lost", { thread: this.id, error: String(again) });
    }
    emit({ thread: this.id, kind: "rebuilt" });
    this.#reporter.notice(rebuilt);
    if (entry.asked && entry.again === undefined)
      this.#mailbox.postFirst({ ...entry, again: true });
    else entry.reply(broken);
  }

  #context(): StepContext {
    const { clock, mint, uuid } = this.#ports;
    return {
      settings: this.#ports.settings(),
      now: clock.now(),
      lastSign: this.#agentSide.lastSign,
      seen: this.#agentSide.scribe.seen,
      mint,
      uuid,
    };
  }

  #loaded(): ThreadState {
    if (this.#state === null)
      throw new Error(`The thread ${this.id} is not loaded.`);
    return this.#state;
  }
}

const closing: Reply = {
  ok: false,
  reason: "closing",
  detail: t("Turnline is shutting down."),
};

const broken: Reply = {
  ok: false,
  reason: "failed",
  detail: t("It failed for an internal reason; see the log."),
};

const rebuilt: Notice = {
  level: "error",
  code: "runnerFailed",
  text: t(
    "Something went wrong in this thread. It was restored from what is saved.",
  ),
};

function lifeOf(state: ThreadState | null): number | null {
  return state !== null && "life" in state.agent ? state.agent.life : null;
}
