import type { Message, Snowflake } from "./message.ts";
import type { History } from "./recordPort.ts";
import { blobHashes } from "./recordText.ts";
import type { Thread } from "./thread.ts";
import type { Archive } from "./writes.ts";

/** The form of an exported thread: lines of JSON, the first and the last telling that it is whole. */
export const transferVersion = 1;

export type TransferLine =
  | {
      readonly kind: "thread";
      readonly turnline: number;
      readonly thread: Thread;
    }
  | {
      readonly kind: "blob";
      readonly hash: string;
      readonly mimeType: string;
      /** Base64. */
      readonly data: string;
    }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "archive"; readonly archive: Archive }
  | { readonly kind: "end"; readonly messages: number };

const rowsPerPage = 200;

/**
 * A thread with all it holds, each blob before the first message that needs it.
 * Sessions stay behind: they are an agent's own memory, on this machine.
 */
export async function* exportThread(
  store: History,
  thread: Thread,
  base64: (data: Uint8Array) => string,
): AsyncGenerator<TransferLine> {
  yield { kind: "thread", turnline: transferVersion, thread };
  const sent = new Set<string>();
  let messages = 0;
  for await (const page of allMessages(store, thread.id)) {
    const types = new Map(page.flatMap(typedBlobs));
    const missing = [...types.keys()].filter((hash) => !sent.has(hash));
    const blobs = await store.blobs(missing);
    for (const [hash, data] of blobs) {
      sent.add(hash);
      const mimeType = types.get(hash) ?? "text/plain";
      yield { kind: "blob", hash, mimeType, data: base64(data) };
    }
    for (const message of page) yield { kind: "message", message };
    messages += page.length;
  }
  for (const archive of await store.archives(thread.id))
    yield { kind: "archive", archive };
  yield { kind: "end", messages };
}

/** All records of a thread, page by page: the transcript, then the queue, then what was discarded unsent. */
export async function* allMessages(
  store: History,
  thread: string,
): AsyncGenerator<readonly Message[]> {
  let after: Snowflake = "";
  for (;;) {
    const { messages, more } = await store.page(thread, {
      after,
      limit: rowsPerPage,
    });
    if (messages.length > 0) yield messages;
    after = messages.at(-1)?.position ?? after;
    if (!more) break;
  }
  yield await store.queue(thread);
  const discarded = await store.discarded(thread, Number.MAX_SAFE_INTEGER);
  yield discarded.filter(({ position }) => position === null);
}

function typedBlobs({ body }: Message): readonly (readonly [string, string])[] {
  const images = body.kind === "user" ? body.blocks : [];
  const types = new Map(
    images.flatMap((block) =>
      block.type === "image" ? [[block.blob, block.mimeType] as const] : [],
    ),
  );
  return blobHashes(body).map((hash) => [
    hash,
    types.get(hash) ?? "application/octet-stream",
  ]);
}
