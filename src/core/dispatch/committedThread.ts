import type { Store } from "../ports.ts";
import type { Thread } from "../thread.ts";
import { AgentSide, type AgentSidePorts } from "./agentSide.ts";
import { Alarm } from "./alarm.ts";
import type { ThreadSnapshot } from "./changes.ts";
import { failing, inner, type Job } from "./entry.ts";
import type {
  Effect,
  Notice,
  StepContext,
  Stepped,
  ThreadEvent,
} from "./events.ts";
import { LeftBehind } from "./leftBehind.ts";
import { nextDeadline } from "./liveness.ts";
import type { OpenAgent } from "./lives.ts";
import { storedRows } from "./load.ts";
import type { Mailbox } from "./mailbox.ts";
import { asStored, atRest } from "./recover.ts";
import { Reporter } from "./reporter.ts";
import type { DispatchSettings } from "./settings.ts";
import { isIdle, lifeOf, type ThreadState } from "./state.ts";

export interface CommittedPorts extends AgentSidePorts {
  readonly store: Store;
}

/** A thread as it is committed, with its agent: tells views what changes in it, and carries out what follows. */
export class CommittedThread {
  readonly id: string;
  readonly agentSide: AgentSide;
  readonly #ports: CommittedPorts;
  readonly #mailbox: Mailbox<Job>;
  readonly #reporter: Reporter;
  readonly #alarm: Alarm;
  readonly #left: LeftBehind;
  #state: ThreadState | null = null;
  #disposed = false;

  constructor(id: string, ports: CommittedPorts, mailbox: Mailbox<Job>) {
    this.id = id;
    this.#ports = ports;
    this.#mailbox = mailbox;
    this.agentSide = new AgentSide(id, ports, {
      thread: () => this.loaded().thread,
      life: () => lifeOf(this.#state),
      happened: (event) => this.tell({ ...event, at: 0 }),
      flush: () => this.tell({ kind: "flush", at: 0 }),
      failed: (error) => mailbox.post(failing(error)),
      heard: (update) => this.#reporter.heard(update),
      newest: () => storedRows(ports.store, this.loaded()),
      session: (change) => this.#reporter.session(change),
      elicitation: (opened) => this.#reporter.elicitation(opened),
      elicitationGone: (form) => this.#reporter.elicitationGone(form),
    });
    this.#reporter = new Reporter(id, ports);
    this.#left = new LeftBehind(ports.clock, (left) =>
      ports.emit({ thread: id, kind: "left", left }),
    );
    this.#alarm = new Alarm(ports.clock, () =>
      this.tell({ kind: "wake", at: 0 }),
    );
  }

  get state(): ThreadState | null {
    return this.#state;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** The open session and its process, for what only some agents can do. */
  get openAgent(): OpenAgent | undefined {
    const life = lifeOf(this.#state);
    return life === null ? undefined : this.agentSide.opened(life);
  }

  loaded(): ThreadState {
    if (this.#state === null)
      throw new Error(`The thread ${this.id} is not loaded.`);
    return this.#state;
  }

  snapshot(): ThreadSnapshot {
    const { scribe, lastSign } = this.agentSide;
    const told = this.#reporter.snapshot(this.loaded(), scribe, lastSign);
    return { ...told, left: this.#left.left };
  }

  /** What a step may know besides the state. */
  context(): StepContext {
    const { clock, mint, uuid } = this.#ports;
    return {
      settings: this.#ports.settings(),
      now: clock.now(),
      lastSign: this.agentSide.lastSign,
      seen: this.agentSide.scribe.seen,
      mint,
      uuid,
    };
  }

  /** As it was listed, with nothing on its way. */
  rest(thread: Thread): void {
    this.#state = asStored(atRest(thread), 1).state;
  }

  /** What was stepped is committed; `wokenAt` is when it was a `wake`. */
  adopt(stepped: Stepped, wokenAt?: number): void {
    const before = this.#state;
    this.#state = stepped.state;
    this.#reporter.report(before, stepped, this.agentSide.lastSign);
    this.#left.changed(
      before,
      stepped.state,
      (life) => this.agentSide.opened(life)?.agent.features,
    );
    this.#setAlarm(wokenAt);
    if (isIdle(stepped.state)) this.#ports.pool.look();
  }

  /** What is to be stepped next comes in the order of the effects. */
  carryOut(effects: readonly Effect[]): void {
    const next: ThreadEvent[] = [];
    for (const effect of effects)
      if (effect.kind === "dispatch") next.push({ kind: "dispatch", at: 0 });
      else if (effect.kind === "retry") next.push(...effect.events);
      else if (effect.kind === "notice") this.notice(effect.notice);
      else this.agentSide.carryOut(effect);
    if (next.length > 0) this.#mailbox.postFirst(...next.map(inner));
  }

  tell(event: ThreadEvent): void {
    this.#mailbox.post(inner(event));
  }

  notice(notice: Notice): void {
    this.#reporter.notice(notice);
  }

  /** Settings have changed; these were there before. */
  configured(before: DispatchSettings): void {
    if (this.#state !== null) this.#reporter.configured(this.#state, before);
  }

  /** Ends what a cancelled turn left running. */
  endLeft(): Promise<void> {
    return this.#left.end();
  }

  /** Ends turn and process in order; settles when no process is left and what happened is stored. */
  async shutdown(): Promise<void> {
    if (!this.#disposed) this.tell({ kind: "shutdown", at: 0 });
    this.#disposed = true;
    await this.#mailbox.drained();
    await this.agentSide.endAll();
    await this.#mailbox.drained();
    this.#alarm.set(undefined);
    this.#left.forget();
    this.agentSide.dispose();
  }

  /** What was due when a `wake` was stepped and still is, waits for something else to happen, not for time to pass. */
  #setAlarm(wokenAt: number | undefined): void {
    const { settings } = this.#ports;
    const due = nextDeadline(this.loaded(), settings(), wokenAt);
    if (!this.#disposed) this.#alarm.set(due);
  }
}
