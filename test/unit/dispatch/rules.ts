import assert from "node:assert/strict";
import type {
  StepContext,
  Stepped,
  ThreadEvent,
} from "../../../src/core/dispatch/events.ts";
import type { ThreadState } from "../../../src/core/dispatch/state.ts";
import type { Message, MessageState } from "../../../src/core/message.ts";
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
    stored: (id: string) => Message,
  ): void {
    this.#cancelIsRecorded(before, event, stepped);
    sentBecomes(before, event, stepped, seen);
    failedStartGoesBack(before, event, stepped);
    cancelPrevents(before, event, stepped);
    cancelAllEmpties(before, event, stepped);
    copiesSupersede(stepped.writes, stored);
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

/** I14: what is superseded is so with the sending of its own copy, and nothing is sent again beside it. */
function copiesSupersede(
  writes: readonly Write[],
  stored: (id: string) => Message,
): void {
  const moved = (to: string) =>
    writes.flatMap((write) =>
      write.kind === "state" && write.to === to ? write.ids : [],
    );
  const repeated = moved("sent").flatMap((id) => stored(id).retryOf ?? []);
  for (const id of moved("superseded"))
    assert.ok(repeated.includes(id), `${id}: superseded by no copy of it`);
  for (const id of repeated)
    assert.ok(
      !["seenAborted", "uncertain"].includes(stored(id).state ?? ""),
      `${id} could be sent again, though its copy was`,
    );
}

/** I53 */
function onlyIdleIsSuspended(
  before: ThreadState,
  { kind }: ThreadEvent,
  { effects }: Stepped,
): void {
  const ends = effects.some((effect) => effect.kind === "endAgent");
  if (kind !== "suspend" || !ends) return;
  assert.deepEqual(before.queue, [], "suspended with a queue");
  assert.equal(before.turn, null, "suspended in a turn");
  assert.deepEqual(before.permissions, [], "suspended while it asks");
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
