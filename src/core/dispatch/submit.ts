import { admit } from "../gates.ts";
import type { Marks } from "../message.ts";
import type { Write } from "../writes.ts";
import { sendNow, stopsAtGate } from "./cancel.ts";
import type { Draft } from "./draft.ts";
import type { Blob, NewMessage } from "./events.ts";
import { goFirst, isEmpty, place } from "./queue.ts";
import type { ThreadState } from "./state.ts";
import { t } from "../../util/l10n.ts";

const titleLength = 60;

/** Accepts a message: durable with this step's commit, whether or not there is room for it in the next turn. */
export function submit(draft: Draft, message: NewMessage): void {
  if (isKnown(draft.state, message.id)) {
    draft.reply = { ok: true, note: "duplicate" };
    return;
  }
  if (isEmpty(message.blocks)) {
    draft.refuse("nothingToDo", t("There is nothing in it to send."));
    return;
  }
  const { thread, counters, agent } = draft.state;
  const admission = admit(
    {
      thread: thread.id,
      sender: message.sender,
      mentions: message.mentions ?? [],
    },
    draft.context.settings,
    counters,
  );
  if (!admission.ok) {
    draft.refuse(admission.reason, admission.detail);
    draft.notice("warning", "gate", admission.detail);
    return;
  }
  draft.count(
    message.sender.kind === "user"
      ? { agentMessages: 0, agentBatches: 0 }
      : { agentMessages: counters.agentMessages + 1 },
  );
  if (agent.kind === "live")
    draft.set({ agent: { ...agent, idleSince: draft.at } });
  collect(draft);
  accept(draft, message, marksOf(draft.state, message));
  nameThread(draft, message);
  if (message.now === true && !stopsAtGate(draft, message.id))
    sendNow(draft, message.id);
  else if (message.continues !== undefined && message.first === true)
    goFirst(draft, [message.id]);
}

/** Past the cap a message is stored all the same; its submitter is told that it waits. */
export function isPastCap(draft: Draft, id: string): boolean {
  const place = draft.state.queue.findIndex((message) => message.id === id);
  return place >= draft.context.settings.maxBufferedMessages;
}

export function blobWrites(
  blobs: readonly Blob[] | undefined,
): readonly Write[] {
  return (blobs ?? []).map((blob) => ({ kind: "blob", ...blob }));
}

function accept(draft: Draft, message: NewMessage, marks: Marks): void {
  const { queue } = draft.state;
  const rank =
    message.first === true
      ? (queue[0]?.rank ?? 1) - 1
      : (queue.at(-1)?.rank ?? 0) + 1;
  draft.write(...blobWrites(message.blobs));
  place(draft, {
    id: message.id,
    sender: message.sender,
    blocks: message.blocks,
    marks,
    rank,
    parentBatch: message.continues ?? null,
    retryOf: null,
  });
  draft.thread({ updatedAt: draft.context.now });
}

/** Only when idle: collects for a while, from the first message on, restarted by each up to a limit. */
function collect(draft: Draft): void {
  const { state, at } = draft;
  const { mode, collectWindowMs, maxCollectWindowMs } = draft.context.settings;
  const idle = state.turn === null && state.thread.held === null;
  if (collectWindowMs <= 0 || mode === "per-message" || !idle) return;
  if (state.collect === null && state.queue.length > 0) return;
  const since = state.collect?.since ?? at;
  draft.set({
    collect: {
      since,
      until: Math.min(at + collectWindowMs, since + maxCollectWindowMs),
    },
  });
}

/** Why it will have waited, if it waits: the banner must tell the truth. */
function marksOf(state: ThreadState, message: NewMessage): Marks {
  const waited = waitedFor(state);
  return {
    ...(message.separate === true ? { separate: true } : {}),
    ...(message.from === undefined ? {} : { from: message.from }),
    ...(waited === undefined ? {} : { waited }),
  };
}

function waitedFor(state: ThreadState): Marks["waited"] | undefined {
  if (state.thread.held !== null) return "held";
  if (state.turn?.phase === "sent") return "turn";
  return state.collect === null ? undefined : "collected";
}

/** An untitled thread is named after its first message. */
function nameThread(draft: Draft, message: NewMessage): void {
  if (draft.state.thread.title !== "") return;
  const text =
    message.blocks.find((block) => block.type === "text")?.text ?? "";
  const [line = ""] = text.trim().split("\n", 1);
  const title =
    line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
  if (title === "") return;
  draft.thread({ title });
  draft.set({ ownTitle: true });
}

function isKnown({ queue, turn }: ThreadState, id: string): boolean {
  return [...queue, ...(turn?.messages ?? [])].some(
    (message) =>
      message.id === id || message.marks.merged?.includes(id) === true,
  );
}
