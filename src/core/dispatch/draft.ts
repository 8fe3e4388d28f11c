import type { Body, Message, MessageState } from "../message.ts";
import type { Session, Thread } from "../thread.ts";
import { appended, type Durability, type Write } from "../writes.ts";
import type {
  Effect,
  Notice,
  PromptRequest,
  RefusalReason,
  Reply,
  StepContext,
  Stepped,
} from "./events.ts";
import type { Counters, ThreadState } from "./state.ts";

const keptDiscarded = 200;

/** One step in the making. Lives only within `step`, so that rules can be written as small procedures. */
export class Draft {
  readonly before: ThreadState;
  readonly at: number;
  readonly context: StepContext;
  readonly effects: Effect[] = [];
  state: ThreadState;
  prompt: PromptRequest | null = null;
  reply: Reply = { ok: true };
  durability: Durability = "full";
  flush = false;
  /** The next batch is claimed in a step of its own, from what this one commits. */
  dispatchLater = false;
  readonly #writes: Write[] = [];
  readonly #touched = new Map<string, Message>();

  constructor(state: ThreadState, at: number, context: StepContext) {
    this.before = state;
    this.state = state;
    this.at = at;
    this.context = context;
  }

  set(patch: Partial<ThreadState>): void {
    this.state = { ...this.state, ...patch };
  }

  count(patch: Partial<Counters>): void {
    this.set({ counters: { ...this.state.counters, ...patch } });
  }

  thread(patch: Partial<Thread>): void {
    this.set({ thread: { ...this.state.thread, ...patch } });
  }

  session(session: Session): void {
    const others = this.state.sessions.filter(
      ({ generation }) => generation !== session.generation,
    );
    this.set({ sessions: [...others, session] });
  }

  write(...writes: readonly Write[]): void {
    this.#writes.push(...writes);
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  notice(level: Notice["level"], code: Notice["code"], text: string): void {
    this.effect({ kind: "notice", notice: { level, code, text } });
  }

  refuse(reason: RefusalReason, detail: string): void {
    this.reply = { ok: false, reason, detail };
  }

  touch(...messages: readonly Message[]): void {
    for (const message of messages) this.#touched.set(message.id, message);
  }

  /** Changes the state of messages that stay where they are. */
  become(
    messages: readonly Message[],
    to: Exclude<MessageState, "queued" | "claimed">,
  ): readonly Message[] {
    if (messages.length === 0) return [];
    this.write({ kind: "state", ids: messages.map(({ id }) => id), to });
    const changed = messages.map((message) => ({ ...message, state: to }));
    this.touch(...changed);
    return changed;
  }

  /** Adds a record of ours to a batch. */
  append(batch: string, body: Body): Message {
    const record = {
      position: this.context.mint(),
      id: this.context.uuid(),
      thread: this.state.thread.id,
      batch,
      sender: turnline,
      marks: {},
      body,
    };
    this.write({ kind: "append", record });
    const message = appended(record);
    this.touch(message);
    return message;
  }

  discardable(messages: readonly Message[]): void {
    this.set({
      discarded: [...this.state.discarded, ...messages].slice(-keptDiscarded),
    });
  }

  finish(): Stepped {
    const { before, state } = this;
    const writes: Write[] = [...this.#writes];
    if (state.thread !== before.thread)
      writes.unshift({ kind: "thread", thread: state.thread });
    for (const session of state.sessions)
      if (!before.sessions.includes(session))
        writes.push({ kind: "session", session });
    if (this.dispatchLater) this.effect({ kind: "dispatch" });
    return {
      state,
      writes,
      durability: this.durability,
      flush: this.flush,
      prompt: this.prompt,
      effects: this.effects,
      touched: [...this.#touched.values()],
      reply: this.reply,
    };
  }
}

/** Records of the host itself are a trigger's, never the user's. */
const turnline = { kind: "trigger", id: "turnline", name: "Turnline" } as const;
