import type { ConfigOption, SessionChange } from "../agentFeatures.ts";
import type { AgentCommand, AgentUpdate, ContextUsage } from "../agentPort.ts";
import type { Clock } from "../ports.ts";
import type { OpenElicitation } from "../turn/recording.ts";
import type { QueueView, ThreadChange, ThreadSnapshot } from "./changes.ts";
import type { Notice, Stepped } from "./events.ts";
import type { Scribe } from "./scribe.ts";
import type { DispatchSettings } from "./settings.ts";
import type { RunningAgent, ThreadState } from "./state.ts";
import { statusOf, type AgentStatus, type AgentStatusState } from "./status.ts";
import { queueView, turnView, unsavedOf, wallTime } from "./views.ts";

export interface ReporterPorts {
  readonly clock: Clock;
  readonly settings: () => DispatchSettings;
  readonly emit: (change: ThreadChange) => void;
}

/** Tells views what changed in a thread's state, after it was adopted. */
export class Reporter {
  readonly #thread: string;
  readonly #ports: ReporterPorts;
  #shown: AgentStatusState = "none";
  #since: number;
  #updateAt: number | null = null;
  #commands: readonly AgentCommand[] = [];
  #usage: ContextUsage | null = null;
  #options: readonly ConfigOption[] = [];
  /** The session whose words about itself are shown. */
  #owner: Pick<RunningAgent, "agent" | "generation"> | null = null;
  readonly #elicitations = new Map<string, OpenElicitation>();

  constructor(thread: string, ports: ReporterPorts) {
    this.#thread = thread;
    this.#ports = ports;
    this.#since = ports.clock.now();
  }

  report(before: ThreadState | null, stepped: Stepped, lastSign: number): void {
    const { thread } = this.#named();
    const { emit, clock } = this.#ports;
    const { state, touched } = stepped;
    this.#ownerIs(state);
    for (const message of touched) emit({ thread, kind: "message", message });
    if (before?.thread !== state.thread)
      emit({ thread, kind: "thread", value: state.thread });
    if (queueChanged(before, state))
      emit({
        thread,
        kind: "queue",
        queue: queueView(state, this.#ports.settings(), clock),
      });
    if (before?.discarded !== state.discarded)
      emit({ thread, kind: "discarded", messages: state.discarded });
    if (before?.turn !== state.turn)
      emit({ thread, kind: "turn", turn: turnView(state, clock) });
    if (before?.stalled !== state.stalled)
      emit({ thread, kind: "unsaved", unsaved: unsavedOf(state) });
    const changed =
      before?.agent !== state.agent ||
      before.turn !== state.turn ||
      before.permissions !== state.permissions ||
      before.cause !== state.cause;
    if (changed)
      emit({ thread, kind: "status", status: this.status(state, lastSign) });
  }

  /** After a change of settings: what a full queue is, is one of them. */
  configured(state: ThreadState, before: DispatchSettings): void {
    const { clock, settings } = this.#ports;
    const queue = queueView(state, settings(), clock);
    if (!isSameView(queueView(state, before, clock), queue))
      this.#ports.emit({ ...this.#named(), kind: "queue", queue });
  }

  notice(notice: Notice): void {
    this.#ports.emit({ ...this.#named(), kind: "notice", notice });
  }

  /** What an agent says about itself rather than in the conversation. */
  heard(update: AgentUpdate): void {
    const { emit, clock } = this.#ports;
    this.#updateAt = clock.now();
    if (update.kind === "commands") {
      this.#commands = update.commands;
      emit({ ...this.#named(), kind: "commands", commands: update.commands });
    }
    if (update.kind === "usage") {
      this.#usage = update.usage;
      emit({ ...this.#named(), kind: "usage", usage: update.usage });
    }
    if (update.kind === "mode")
      emit({ ...this.#named(), kind: "mode", modeId: update.modeId });
  }

  session(change: SessionChange): void {
    if (change.kind === "options") this.#options = change.options;
    this.#ports.emit({ ...this.#named(), kind: "session", change });
  }

  elicitation(opened: OpenElicitation): void {
    this.#elicitations.set(opened.request.id, opened);
    this.#ports.emit({ ...this.#named(), kind: "elicitationOpened", opened });
  }

  elicitationGone(id: string): void {
    if (this.#elicitations.delete(id))
      this.#ports.emit({ ...this.#named(), kind: "elicitationClosed", id });
  }

  status(state: ThreadState, lastSign: number): AgentStatus {
    const { clock } = this.#ports;
    const facts = statusOf(state);
    if (facts.state !== this.#shown) {
      this.#shown = facts.state;
      this.#since = clock.now();
    }
    const { turn } = state;
    return {
      ...facts,
      since:
        turn?.phase === "sent" ? wallTime(clock, turn.startedAt) : this.#since,
      signAt: Number.isFinite(lastSign) ? wallTime(clock, lastSign) : null,
      updateAt: this.#updateAt,
    };
  }

  snapshot(
    state: ThreadState,
    scribe: Scribe,
    lastSign: number,
  ): Omit<ThreadSnapshot, "left"> {
    const { clock } = this.#ports;
    return {
      thread: state.thread,
      queue: queueView(state, this.#ports.settings(), clock),
      turn: turnView(state, clock),
      status: this.status(state, lastSign),
      permissions: scribe.permissions(),
      tail: scribe.tail(),
      openText: scribe.openText(),
      discarded: state.discarded,
      commands: this.#commands,
      usage: this.#usage,
      options: this.#options,
      elicitations: [...this.#elicitations.values()],
      unsaved: unsavedOf(state),
    };
  }

  /** What a session said of itself holds until another begins, or until it has left a thread that will not go back to it. */
  #ownerIs({ agent, thread, reset }: ThreadState): void {
    const there = "generation" in agent;
    const next = there ? agent : this.#owner;
    const leaves = !there && (next?.agent !== thread.agent || reset === true);
    if (leaves || next?.generation !== this.#owner?.generation)
      this.#forgetAgent();
    this.#owner = leaves ? null : next;
  }

  #forgetAgent(): void {
    const { emit } = this.#ports;
    if (this.#commands.length > 0)
      emit({ ...this.#named(), kind: "commands", commands: [] });
    if (this.#usage !== null)
      emit({ ...this.#named(), kind: "usage", usage: null });
    this.#commands = [];
    this.#usage = null;
    if (this.#options.length > 0)
      this.session({ kind: "options", options: [] });
    for (const id of [...this.#elicitations.keys()]) this.elicitationGone(id);
  }

  #named(): { readonly thread: string } {
    return { thread: this.#thread };
  }
}

function isSameView(one: QueueView, other: QueueView): boolean {
  return (
    one.full === other.full &&
    one.next === other.next &&
    one.gated === other.gated &&
    isSamePlan(one.plan, other.plan) &&
    one.items.every(
      ({ waiting }, index) => waiting === other.items[index]?.waiting,
    )
  );
}

function isSamePlan(one: QueueView["plan"], other: QueueView["plan"]): boolean {
  return (
    one.length === other.length &&
    one.every((batch, n) => batch.join(" ") === other[n]?.join(" "))
  );
}

function queueChanged(before: ThreadState | null, after: ThreadState): boolean {
  return (
    before?.queue !== after.queue ||
    before.leases !== after.leases ||
    before.collect !== after.collect ||
    before.commands !== after.commands ||
    before.cause !== after.cause ||
    before.stalled !== after.stalled ||
    before.counters.agentBatches !== after.counters.agentBatches ||
    before.next !== after.next ||
    before.thread.held !== after.thread.held
  );
}
