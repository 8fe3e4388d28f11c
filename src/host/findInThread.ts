import type { SearchHit } from "../core/recordPort.ts";
import { searchPages } from "./searchPages.ts";
import { countIn } from "../core/recordFind.ts";
import type { FoundMessage, Reply } from "../protocol/reply.ts";
import type { ToHost } from "../protocol/toHost.ts";
import { finder } from "../util/findText.ts";
import type { Reveal } from "./chatSurfaces.ts";
import { textOf } from "./projectMessage.ts";
import type { Services } from "./services.ts";

/** Records told of at most: more than anyone steps through. */
const most = 5_000;

/** Where a thread holds a text: its record, what streams right now, and what waits in its queue. */
export async function findInThread(
  { engine, store }: Pick<Services, "engine" | "store">,
  asked: Extract<ToHost, { type: "find" }>,
): Promise<Reply> {
  const { thread, text, matchCase } = asked;
  const snapshot = engine.snapshot(thread);
  if (snapshot === undefined) return { kind: "found", found: [], more: false };
  const newer = snapshot.tail;
  const said = await store.find({ thread, text, matchCase, newer });
  const wanted = finder(text, matchCase);
  const waiting = snapshot.queue.items.flatMap(
    ({ message }): readonly FoundMessage[] => {
      const { body, id } = message;
      const words = body.kind === "user" ? textOf(body.blocks) : "";
      const count = countIn(words, wanted);
      return count === 0 ? [] : [{ message: id, at: null, count }];
    },
  );
  const found = [
    ...said.map(({ message, at, count }) => ({ message, at, count })),
    ...waiting,
  ];
  return {
    kind: "found",
    found: found.slice(0, most),
    more: found.length > most,
  };
}

/** Records shown beside the titles that fit. */
const fewTexts = 20;

/** What was said in any thread, newest first. */
export async function searchThreads(
  { store }: Pick<Services, "store">,
  text: string,
): Promise<Reply> {
  if (text.trim() === "") return { kind: "texts", texts: [] };
  let hits: readonly SearchHit[] = [];
  for await (const page of searchPages(store, { text, limit: fewTexts }))
    hits = page.hits;
  return {
    kind: "texts",
    texts: hits.map(({ message, excerpt }) => ({
      thread: message.thread,
      message: message.id,
      at: message.batch ?? message.position,
      excerpt,
    })),
  };
}

/** Where a record stands: in a turn, or still in the queue. */
export function foundPlace(
  message: string,
  at: string | null,
  words: string,
): Reveal {
  return at === null
    ? { kind: "queue", item: message }
    : { kind: "batch", id: at, message, words };
}
