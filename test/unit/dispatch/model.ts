import assert from "node:assert/strict";
import type {
  Effect,
  LifeEvent,
  Request,
  StepContext,
  Stepped,
  ThreadEvent,
} from "../../../src/core/dispatch/events.ts";
import { recover } from "../../../src/core/dispatch/recover.ts";
import { sendTurn } from "../../../src/core/dispatch/sendTurn.ts";
import {
  defaultDispatchSettings,
  type DispatchSettings,
} from "../../../src/core/dispatch/settings.ts";
import type { ThreadState } from "../../../src/core/dispatch/state.ts";
import { step } from "../../../src/core/dispatch/step.ts";
import { group, flaws } from "../../../src/core/batch.ts";
import type { Message } from "../../../src/core/message.ts";
import { applyWrites } from "../../../src/core/recordApply.ts";
import { SnowflakeGenerator } from "../../../src/core/snowflake.ts";
import type { Write } from "../../../src/core/writes.ts";
import { capable, failure } from "../../fakes/agent.ts";
import { MemoryTables } from "../../fakes/memoryTables.ts";
import { sinceUser } from "../../fakes/sinceUser.ts";
import { threadOf } from "../../fakes/recordBuilder.ts";
import { joined } from "../../fakes/world.ts";
import { checkClaims } from "./claimRules.ts";
import { Rules } from "./rules.ts";

/** A process of the model's world: what the effects asked for, and what has become of it. */
export interface Process {
  readonly life: number;
  stage: "starting" | "started" | "opening" | "live" | "ending" | "gone";
  sessionId: string | null;
  resume: string | null;
  /** The batch whose prompt waits for its response. */
  prompt: string | null;
  seen: boolean;
}

type Plain<E> = E extends unknown ? Omit<E, "at"> : never;

/**
 * The dispatcher on the record's own rules, without anything asynchronous: events go in, writes are applied to tables,
 * effects go to a world that a test drives. What must always hold is checked at every step.
 */
export class Model {
  readonly tables = new MemoryTables();
  readonly processes = new Map<number, Process>();
  readonly claims: (readonly string[])[] = [];
  readonly accepted = new Set<string>();
  readonly notices: string[] = [];
  /** How turns ended, and what else is worth having happened. */
  readonly seen: string[] = [];
  settings: DispatchSettings;
  state: ThreadState;
  at = 0;
  lastSign = -1;
  failCommits = 0;
  #ids = 0;
  readonly #rules = new Rules();
  readonly #snowflakes = new SnowflakeGenerator(() => 1_000_000 + this.at);

  constructor(settings: Partial<DispatchSettings> = {}) {
    this.settings = { ...defaultDispatchSettings, ...settings };
    this.commit([{ kind: "thread", thread: threadOf("t", { agent: "a" }) }]);
    this.state = this.#recovered().state;
  }

  uuid(): string {
    this.#ids += 1;
    return `id${this.#ids}`;
  }

  get process(): Process | undefined {
    return [...this.processes.values()].find(({ stage }) => stage !== "gone");
  }

  request(request: Request): Stepped {
    return this.feed(request, true);
  }

  tell(event: Plain<ThreadEvent>): Stepped {
    return this.feed(event, false);
  }

  /** As the runner does: step, commit, adopt, carry out; what failed to commit is stepped from the old state. */
  feed(event: Plain<ThreadEvent>, asked: boolean): Stepped {
    const at = { ...event, at: this.at } as ThreadEvent;
    const before = this.state;
    const context = this.#context();
    let stepped = step(before, at, context);
    if (stepped.prompt !== null) stepped = this.#withIntent(stepped, at);
    if (!this.#committed(stepped.writes)) {
      if (!asked)
        this.#adopt(
          step(
            before,
            { kind: "commitFailed", failed: at, detail: "disk", at: this.at },
            this.#context(),
          ),
        );
      return {
        ...stepped,
        reply: { ok: false, reason: "failed", detail: "disk" },
      };
    }
    this.claims.push(...checkClaims(before, at, stepped, this.settings));
    this.#rules.check(before, at, stepped, context, (id) => this.message(id));
    this.#note(before, stepped);
    this.#adopt(stepped);
    if (stepped.prompt !== null) this.#prompted(stepped);
    const follow = stepped.effects.flatMap((effect) => this.#carryOut(effect));
    this.check();
    for (const next of follow) this.feed(next, false);
    return stepped;
  }

  /** The host dies; a new one reads the record. Processes live on until they are found and ended. */
  crash(): void {
    const stepped = this.#recovered(this.state.nextLife);
    if (!this.#committed(stepped.writes)) return;
    this.lastSign = -1;
    this.#rules.forget();
    const left = this.process;
    this.#adopt(stepped);
    const ends = stepped.effects.some(({ kind }) => kind === "endLeftovers");
    if (left !== undefined) {
      this.processes.delete(left.life);
      if (ends && this.state.agent.kind === "ending")
        this.processes.set(this.state.agent.life, {
          ...left,
          life: this.state.agent.life,
          stage: "ending",
          prompt: null,
        });
      // A process that was never recorded dies with its pipe.
    } else if (this.state.agent.kind === "ending")
      this.processes.set(
        this.state.agent.life,
        newProcess(this.state.agent.life, "ending"),
      );
    this.check();
    this.tell({ kind: "dispatch" });
  }

  message(id: string): Message {
    const found = this.tables.messages.get(id)?.message;
    assert.ok(found, `message ${id}`);
    return found;
  }

  messages(): readonly Message[] {
    return [...this.tables.messages.values()].map(({ message }) => message);
  }

  commit(writes: readonly Write[]): void {
    const answer = this.tables.attempt(() => applyWrites(this.tables, writes));
    assert.deepEqual(answer, { ok: true });
  }

  /** What must hold between any two events. */
  check(): void {
    const { state } = this;
    const stored = this.messages();
    const queued = stored
      .filter((message) => message.state === "queued")
      .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
    assert.deepEqual(
      state.queue.map(({ id }) => id),
      queued.map(({ id }) => id),
      "the queue in memory is the stored one",
    );
    const active = stored.filter(
      (message) => message.state === "claimed" || message.state === "sent",
    );
    assert.deepEqual(
      (state.turn?.messages ?? []).map(({ id }) => id).sort(),
      active.map(({ id }) => id).sort(),
      "the turn in memory is the stored one",
    );
    for (const id of this.accepted)
      assert.ok(this.tables.messages.has(id), `${id} was accepted and is lost`);
    for (const batch of group(stored)) assert.deepEqual(flaws(batch), []);
    keepsBatches(state, stored);
    if (state.turn === null && state.queue.length === 0)
      assert.ok(
        state.thread.held === null || state.thread.held === "user",
        `held (${state.thread.held}) with nothing to hold`,
      );
    const living = [...this.processes.values()].filter(
      ({ stage }) => stage !== "gone",
    );
    assert.ok(living.length <= 1, "two processes at once");
    const prompt = living[0]?.prompt ?? null;
    if (
      state.turn?.phase === "sent" &&
      living[0]?.stage !== "ending" &&
      state.stalled === null &&
      prompt !== null
    )
      assert.equal(prompt, state.turn.batch);
  }

  #note(before: ThreadState, { writes, state }: Stepped): void {
    for (const write of writes)
      if (write.kind === "append" && write.record.body.kind === "turnEnd")
        this.seen.push(`end ${write.record.body.stop}`);
    if (state.gated === true && before.gated !== true) this.seen.push("gated");
    if (state.thread.held !== null && before.thread.held === null)
      this.seen.push(`held ${state.thread.held}`);
    if (state.agent.kind === "backoff" && before.agent.kind !== "backoff")
      this.seen.push("backoff");
  }

  #context(): StepContext {
    return {
      settings: this.settings,
      now: 1_000_000 + this.at,
      lastSign: this.lastSign,
      seen: this.process?.seen ?? false,
      mint: () => this.#snowflakes.next(),
      uuid: () => this.uuid(),
    };
  }

  #withIntent(stepped: Stepped, { at }: ThreadEvent): Stepped {
    const { turn, agent } = stepped.state;
    assert.ok(turn?.phase === "claimed" && agent.kind === "live");
    const compiled = joined({
      batch: turn.messages,
      history: [],
      truncated: false,
      memory: { kind: "none", why: "test" },
      agent: { id: "a", label: "a" },
      capabilities: capable,
      fragments: [],
      packing: "tagged",
      budgetTokens: 1,
      commands: null,
      sha256: () => "0",
    });
    return sendTurn(stepped, compiled, at, this.#context());
  }

  /** A prompt goes only to a live session with no other in flight. */
  #prompted(stepped: Stepped): void {
    const { turn } = stepped.state;
    assert.ok(turn?.phase === "sent");
    const process = this.processes.get(turn.life);
    assert.equal(process?.stage, "live");
    assert.equal(process.prompt, null, "two prompts in flight");
    process.prompt = turn.batch;
    process.seen = false;
    assert.equal(
      stepped.writes.some(
        (write) =>
          write.kind === "append" && write.record.body.kind === "turnStart",
      ),
      true,
    );
  }

  #committed(writes: readonly Write[]): boolean {
    if (writes.length === 0) return true;
    if (this.failCommits > 0) {
      this.failCommits -= 1;
      return false;
    }
    this.commit(writes);
    for (const write of writes)
      if (write.kind === "accept") this.accepted.add(write.message.id);
    return true;
  }

  #adopt(stepped: Stepped): void {
    this.state = stepped.state;
  }

  #carryOut(effect: Effect): Plain<ThreadEvent>[] {
    switch (effect.kind) {
      case "startAgent":
        assert.equal(
          this.process,
          undefined,
          "started while another process lives",
        );
        this.processes.set(effect.life, newProcess(effect.life, "starting"));
        return [];
      case "openSession": {
        const process = this.processes.get(effect.life);
        assert.ok(process);
        process.stage = "opening";
        process.resume = effect.resume;
        return [];
      }
      case "endAgent": {
        const process = this.processes.get(effect.life);
        if (process !== undefined) process.stage = "ending";
        return process === undefined
          ? [{ kind: "agentGone", life: effect.life }]
          : [];
      }
      case "dispatch":
        return [{ kind: "dispatch" }];
      case "retry":
        return effect.events.map((event) => ({ ...event }));
      case "notice":
        this.notices.push(effect.notice.code);
        return [];
      case "endLeftovers":
      case "cancelPrompt":
      case "probe":
      case "answerPermission":
      case "answerElicitation":
      case "tellTitle":
      case "closePermissions":
        return [];
    }
  }

  #recovered(nextLife = 1): Stepped {
    const rows = this.messages();
    const open = new Set(
      rows
        .filter(({ state }) => state === "claimed" || state === "sent")
        .map(({ batch }) => batch),
    );
    const queue = rows
      .filter(({ state }) => state === "queued")
      .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
    const last = rows
      .filter(({ position, state }) => position !== null && state !== "claimed")
      .sort((one, other) =>
        (one.position ?? "") < (other.position ?? "") ? -1 : 1,
      )
      .at(-1);
    const thread = this.tables.threads.get("t")?.thread;
    assert.ok(thread);
    const batch = last?.batch ?? null;
    return recover(
      {
        thread,
        sessions: [...this.tables.sessions.values()],
        queue,
        unsettled: rows.filter(
          (row) => row.batch !== null && open.has(row.batch),
        ),
        newest:
          batch === null
            ? null
            : {
                batch,
                batchType: last?.batchType ?? "user_request",
                parentBatch: last?.parentBatch ?? null,
              },
        sinceUser: sinceUser(rows, 1_000),
        originals: rows
          .filter(({ state }) => state === "queued" || state === "claimed")
          .flatMap(({ retryOf }) =>
            retryOf === null ? [] : [this.message(retryOf)],
          ),
      },
      this.at,
      nextLife,
      this.#context(),
    );
  }
}

export function life(event: Plain<LifeEvent>): Plain<ThreadEvent> {
  return event;
}

export { failure };

/** I12 I14: the batch that runs is one, only it runs, and nothing waits to be sent twice. */
function keepsBatches(
  { turn, newest }: ThreadState,
  stored: readonly Message[],
): void {
  for (const { id } of turn?.messages ?? [])
    assert.equal(
      stored.find((message) => message.id === id)?.batch,
      turn?.batch,
      "the stored batch is the turn's",
    );
  for (const { id, turns } of group(stored))
    if (turns.some(({ end }) => end === null))
      assert.equal(id, turn?.batch, "a batch that nobody ends");
  if (newest !== null)
    assert.ok(
      stored.some(({ batch }) => batch === newest.batch),
      "the newest batch is stored",
    );
  const copied = stored
    .filter(({ state }) => state === "queued" || state === "claimed")
    .flatMap(({ retryOf }) => retryOf ?? []);
  assert.equal(new Set(copied).size, copied.length, "two copies of one");
}

function newProcess(life: number, stage: Process["stage"]): Process {
  return {
    life,
    stage,
    sessionId: null,
    resume: null,
    prompt: null,
    seen: false,
  };
}
