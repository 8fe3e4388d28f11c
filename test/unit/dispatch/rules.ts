import assert from "node:assert/strict";
import type {
  StepContext,
  Stepped,
  ThreadEvent,
} from "../../../src/core/dispatch/events.ts";
import { isIdle, type ThreadState } from "../../../src/core/dispatch/state.ts";
import type { MessageState } from "../../../src/core/message.ts";
import type { Write } from "../../../src/core/writes.ts";

/** Rules about a single step that was committed: what it came from, what it gave. */
export class Rules {
  /** Batches whose running turn the user cancelled. */
  readonly #cancelled = new Set<string>();

  check(
    before: ThreadState,
    event: ThreadEvent,
    stepped: Stepped,
    { settings, seen }: StepContext,
  ): void {
    this.#cancelIsRecorded(before, event, stepped);
    sentBecomes(before, event, stepped, seen);
    failedStartGoesBack(before, event, stepped);
    cancelPrevents(before, event, stepped);
    cancelAllEmpties(before, event, stepped);
    copiesSupersede(stepped.writes);
    onlyIdleIsSuspended(before, event, stepped);
    onlyTheUserAnswers(event, stepped);
    fullIsTold(event, stepped, settings.maxBufferedMessages);
  }

  /** After a crash nobody is left to hear the answer. */
  forget(): void {
    this.#cancelled.clear();
  }

  /** I29 */
  #cancelIsRecorded(
    { turn }: ThreadState,
    { kind }: ThreadEvent,
    { writes, state }: Stepped,
  ): void {
    for (const write of writes) {
      if (write.kind !== "append" || write.record.body.kind !== "turnEnd")
        continue;
      const { batch, body } = write.record;
      if (this.#cancelled.delete(batch))
        assert.equal(body.stop, "cancelled", "a cancelled turn says so");
    }
    const asked = kind === "cancel" || kind === "cancelAll" || kind === "reset";
    if (asked && turn?.phase === "sent" && state.turn?.batch === turn.batch)
      this.#cancelled.add(turn.batch);
  }
}

/** The rows of the state table that begin with `sent`, told from how the turn ended alone. */
function sentBecomes(
  { turn, stalled }: ThreadState,
  event: ThreadEvent,
  { writes, state }: Stepped,
  seen: boolean,
): void {
  if (turn?.phase !== "sent" || state.turn?.batch === turn.batch) return;
  if (stalled !== null) return;
  const byUser = turn.cancel !== null && turn.cancel.by !== "stuck";
  const expected = ((): MessageState => {
    if (event.kind === "turnEnded" && event.result.ok) return "delivered";
    if (event.kind === "turnEnded" && !event.result.ok) {
      const { kind } = event.result.failure;
      const unread = kind === "signIn" || kind === "noSession";
      if (unread && !seen && !byUser) return "queued";
    }
    if (!seen) return "uncertain";
    return byUser ? "delivered" : "seenAborted";
  })();
  for (const { id } of turn.messages)
    assert.equal(becomes(writes, id), expected, `${event.kind} of ${id}`);
}

function becomes(
  writes: readonly Write[],
  id: string,
): MessageState | undefined {
  const states = writes.flatMap((write): readonly MessageState[] => {
    if (write.kind === "state") return write.ids.includes(id) ? [write.to] : [];
    if (write.kind !== "requeue") return [];
    return write.messages.some((message) => message.id === id)
      ? ["queued"]
      : [];
  });
  return states.at(-1);
}

/** I25 */
function failedStartGoesBack(
  { turn, agent }: ThreadState,
  { kind }: ThreadEvent,
  { state }: Stepped,
): void {
  const failed =
    kind === "agentFailed" || kind === "sessionFailed" || kind === "agentEnded";
  if (!failed || turn?.phase !== "claimed" || state.turn !== null) return;
  assert.deepEqual(
    state.queue.slice(0, turn.messages.length).map(({ id }) => id),
    turn.messages.map(({ id }) => id),
    "what was claimed is at the head again",
  );
  const restarts = "restart" in agent && agent.restart;
  if (!restarts) assert.notEqual(state.thread.held, null, "and held");
}

/** I27 */
function cancelPrevents(
  { turn }: ThreadState,
  { kind }: ThreadEvent,
  { state, touched }: Stepped,
): void {
  if (kind !== "cancel" || turn?.phase !== "claimed") return;
  for (const { id } of turn.messages) {
    assert.equal(
      touched.find((message) => message.id === id)?.state,
      "discarded",
    );
    assert.ok(state.discarded.some((message) => message.id === id));
  }
}

/** I26 */
function cancelAllEmpties(
  { queue }: ThreadState,
  { kind }: ThreadEvent,
  { state }: Stepped,
): void {
  if (kind !== "cancelAll") return;
  assert.deepEqual(state.queue, []);
  for (const { id } of queue)
    assert.ok(state.discarded.some((message) => message.id === id));
}

/** I14 */
function copiesSupersede(writes: readonly Write[]): void {
  const moved = (to: string) =>
    writes.some((write) => write.kind === "state" && write.to === to);
  if (moved("superseded"))
    assert.ok(moved("sent"), "superseded before its copy was sent");
}

/** I53 */
function onlyIdleIsSuspended(
  before: ThreadState,
  { kind }: ThreadEvent,
  { effects }: Stepped,
): void {
  const ends = effects.some((effect) => effect.kind === "endAgent");
  if (kind === "suspend" && ends) assert.ok(isIdle(before));
}

/** I31 */
function onlyTheUserAnswers({ kind }: ThreadEvent, { effects }: Stepped): void {
  const answers = effects.some((effect) => effect.kind === "answerPermission");
  if (answers) assert.equal(kind, "answerPermission");
}

/** I22 */
function fullIsTold(
  event: ThreadEvent,
  { reply, state }: Stepped,
  cap: number,
): void {
  if (event.kind !== "submit" || !reply.ok || reply.note === "duplicate")
    return;
  const place = state.queue.findIndex(({ id }) => id === event.message.id);
  assert.equal(reply.note === "waiting", place >= cap);
}
