import type { Message } from "./message.ts";
import type { History } from "./recordPort.ts";
import type { Thread } from "./thread.ts";
import { allMessages, transferVersion } from "./transferLines.ts";
import type { TransferLine } from "./transferLines.ts";
import type { Rebuilt } from "./transferRebuild.ts";
import { refusalOf, type Write } from "./writes.ts";
import { t } from "../util/l10n.ts";

export type ImportAnswer =
  | { readonly ok: true; readonly thread: string; readonly added: number }
  | {
      readonly ok: false;
      readonly reason:
        /** Not an export, or cut off: nothing was written. */
        | "broken"
        | "newer"
        /** The store refused; repeating the import goes on where it stopped. */
        | "notStored";
      readonly detail: string;
    };

const rowsPerCommit = 200;

/** Takes an exported thread in as it was. Repeated, it adds nothing. */
export async function importThread(
  store: History,
  lines: readonly TransferLine[],
  fromBase64: (text: string) => Uint8Array,
): Promise<ImportAnswer> {
  const first = lines[0];
  const last = lines.at(-1);
  const messages = lines.flatMap((line) =>
    line.kind === "message" ? [line.message] : [],
  );
  if (first?.kind !== "thread")
    return refused(
      "broken",
      t("It is not a conversation exported by Turnline."),
    );
  if (first.turnline > transferVersion)
    return refused("newer", t("It was exported by a newer Turnline."));
  if (last?.kind !== "end" || last.messages !== messages.length)
    return refused("broken", t("It is not complete."));
  if (messages.some(({ thread }) => thread !== first.thread.id))
    return refused("broken", t("It holds messages of another conversation."));
  const others = lines.flatMap((line): readonly Write[] => {
    if (line.kind === "archive") return [line];
    if (line.kind !== "blob") return [];
    return [{ ...line, data: fromBase64(line.data) }];
  });
  return bringIn(store, first.thread, others, messages);
}

/** Takes a rebuilt history in: batches that are here already are passed over, also when the session has gone on since. */
export async function importRebuilt(
  store: History,
  thread: Thread,
  rebuilt: Rebuilt,
  /** What is in no batch: queued, or discarded unsent. */
  loose: readonly Message[] = [],
): Promise<ImportAnswer> {
  const known = await knownIds(store, thread.id);
  const fresh = rebuilt.batches.filter(
    ([first]) => first !== undefined && !known.has(first.id),
  );
  return bringIn(store, thread, rebuilt.blobs, [...fresh.flat(), ...loose]);
}

async function bringIn(
  store: History,
  thread: Thread,
  others: readonly Write[],
  messages: readonly Message[],
): Promise<ImportAnswer> {
  const known = await knownIds(store, thread.id);
  const fresh = messages.filter(({ id }) => !known.has(id));
  const begin = [...(await openThread(store, thread, fresh)), ...others];
  const commits = inWholeBatches(fresh).map((rows): readonly Write[] => [
    { kind: "import", messages: rows },
  ]);
  for (const writes of [begin, ...commits]) {
    const answer = await store.commit(writes, "full");
    if (!answer.ok) return refused("notStored", refusalOf(answer).detail);
  }
  return { ok: true, thread: thread.id, added: fresh.length };
}

/** An import that is cut off leaves whole batches, so that the next finds by a batch's first row what is there. */
function inWholeBatches(
  rows: readonly Message[],
): readonly (readonly Message[])[] {
  const parts: Message[][] = [[]];
  for (const row of rows) {
    const part = parts.at(-1) ?? [];
    const inside = row.batch !== null && row.batch === part.at(-1)?.batch;
    if (part.length < rowsPerCommit || inside) part.push(row);
    else parts.push([row]);
  }
  return parts.filter((part) => part.length > 0);
}

/** A thread that is there keeps its name; one that comes with a queue waits for its user. */
async function openThread(
  store: History,
  thread: Thread,
  fresh: readonly Message[],
): Promise<readonly Write[]> {
  if ((await store.thread(thread.id)) !== undefined) return [];
  const waits = fresh.some(({ state }) => state === "queued");
  const held = thread.held ?? (waits ? "restored" : null);
  return [
    { kind: "thread", thread: { ...thread, held } },
    { kind: "restoreThread", thread: thread.id },
  ];
}

async function knownIds(
  store: History,
  thread: string,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for await (const page of allMessages(store, thread))
    for (const { id } of page) known.add(id);
  return known;
}

function refused(
  reason: Extract<ImportAnswer, { ok: false }>["reason"],
  detail: string,
): ImportAnswer {
  return { ok: false, reason, detail };
}
