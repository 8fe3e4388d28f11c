import assert from "node:assert/strict";
import type {
  Stepped,
  ThreadEvent,
} from "../../../src/core/dispatch/events.ts";
import type { DispatchSettings } from "../../../src/core/dispatch/settings.ts";
import type { ThreadState } from "../../../src/core/dispatch/state.ts";
import type { Message } from "../../../src/core/message.ts";

/** Holds every claim of a step against the queue as it stood when the claim was made, told from the writes alone. */
export function checkClaims(
  before: ThreadState,
  event: ThreadEvent,
  stepped: Stepped,
  settings: DispatchSettings,
): readonly (readonly string[])[] {
  const claims: (readonly string[])[] = [];
  const known = new Map(
    [...before.queue, ...(before.turn?.messages ?? []), ...stepped.touched].map(
      (message) => [message.id, message],
    ),
  );
  const ranks = new Map(
    before.queue.map(({ id, rank }) => [id, rank ?? 0] as const),
  );
  const put = (id: string, rank: number) => ranks.set(id, rank);
  const added: string[] = [];
  for (const write of stepped.writes) {
    if (write.kind === "accept") {
      put(write.message.id, write.message.rank);
      added.push(write.message.id);
    }
    if (write.kind === "rank")
      for (const { id, rank } of write.ranks) put(id, rank);
    if (write.kind === "requeue")
      for (const { id, rank } of write.messages) put(id, rank);
    if (write.kind === "state" && write.to === "discarded")
      for (const id of write.ids) ranks.delete(id);
    if (write.kind !== "claim") continue;
    const ids = write.messages.map(({ id }) => id);
    claims.push(ids);
    const queue = [...ranks]
      .sort(([, one], [, other]) => one - other)
      .flatMap(([id]) => known.get(id) ?? []);
    checkClaim(ids, queue, {
      ...{ settings, state: stepped.state, at: event.at },
      urgent: [...before.next.flat(), ...askedFor(event, added)],
    });
    for (const id of ids) ranks.delete(id);
  }
  return claims;
}

interface Claiming {
  readonly settings: DispatchSettings;
  readonly state: ThreadState;
  readonly at: number;
  /** What may go before all others. */
  readonly urgent: readonly string[];
}

function checkClaim(
  ids: readonly string[],
  queue: readonly Message[],
  { settings, state, at, urgent }: Claiming,
): void {
  const claimed = queue.filter(({ id }) => ids.includes(id));
  assert.deepEqual(
    claimed.map(({ id }) => id),
    ids,
    "I13: claimed in the queue's order",
  );
  for (const { id } of claimed)
    assert.ok(!isEdited(state, id, at), "I21: claimed while it is edited");
  if (claimed.some(goesAlone))
    assert.equal(ids.length, 1, "I24: it goes alone");
  if (settings.mode === "per-message") assert.equal(ids.length, 1);
  assert.ok(fits(claimed, settings), "I18: within both caps, or single");
  const leased = queue.findIndex(({ id }) => isEdited(state, id, at));
  const free = leased === -1 ? queue : queue.slice(0, leased);
  const [head] = claimed;
  if (head === undefined || ids.every((id) => urgent.includes(id))) return;
  assert.equal(head.id, free[0]?.id, "I13: the head goes first");
  const lane =
    settings.mode === "per-lane"
      ? free.filter((message) => sameSender(message, head))
      : free;
  assert.deepEqual(
    lane.slice(0, ids.length).map(({ id }) => id),
    ids,
    "I13: nothing is skipped",
  );
  const left = lane[ids.length];
  if (left === undefined || settings.mode === "per-message") return;
  const stays =
    goesAlone(head) ||
    goesAlone(left) ||
    left.parentBatch !== head.parentBatch ||
    (left.retryOf === null) !== (head.retryOf === null) ||
    !fits([...claimed, left], settings);
  assert.ok(stays, `I17: ${left.id} could have gone along`);
}

/** Someone edits it, and has not taken too long. */
function isEdited({ leases }: ThreadState, id: string, at: number): boolean {
  return leases.some((lease) => lease.id === id && at < lease.until);
}

/** The generated lives know commands by one name only. */
function goesAlone({ body, marks }: Message): boolean {
  const [first] = body.kind === "user" ? body.blocks : [];
  const command = first?.type === "text" && first.text.startsWith("/go");
  return marks.separate === true || command;
}

function fits(
  messages: readonly Message[],
  { maxBufferedMessages, maxBatchTokens }: DispatchSettings,
): boolean {
  const tokens = messages.map(tokensIn).reduce((sum, one) => sum + one, 0);
  return (
    messages.length <= 1 ||
    (messages.length <= maxBufferedMessages && tokens <= maxBatchTokens)
  );
}

/** In the generated lives all is plain ASCII text: four letters a token. */
function tokensIn({ body }: Message): number {
  const letters = (body.kind === "user" ? body.blocks : [])
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("");
  return Math.ceil(letters.length / 4);
}

function sameSender({ sender: one }: Message, { sender: other }: Message) {
  if (one.kind === "user" || other.kind === "user")
    return one.kind === other.kind;
  return one.kind === other.kind && one.id === other.id;
}

function askedFor(
  event: ThreadEvent,
  added: readonly string[],
): readonly string[] {
  if (event.kind === "sendNow") return event.id === null ? [] : [event.id];
  if (event.kind === "retry") return added;
  const first =
    event.kind === "submit" &&
    (event.message.now === true || event.message.first === true);
  return first ? [event.message.id] : [];
}
