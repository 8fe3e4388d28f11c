import { createHash } from "node:crypto";
import type { Store } from "../core/ports.ts";
import type { NewAttachment } from "../protocol/newAttachment.ts";
import type { Reply } from "../protocol/reply.ts";
import { t } from "../util/l10n.ts";
import { refused } from "./replies.ts";

export interface NewBytes {
  readonly name: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
}

/** Puts bytes into the record, so that a draft that carries them survives anything a message does. */
export async function keepBytes(
  store: Pick<Store, "commit">,
  { name, mimeType, data }: NewBytes,
): Promise<Reply> {
  const kind = kindOf(mimeType, data);
  if (kind === "binary")
    return refused(
      t("{0} was not attached. It is neither text nor an image.", name),
    );
  const blob = createHash("sha256").update(data).digest("hex");
  const answer = await store.commit(
    [{ kind: "blob", hash: blob, mimeType, data }],
    "normal",
  );
  if (!answer.ok)
    return refused(
      t(
        "{0} was not attached. {1}",
        name,
        "detail" in answer ? answer.detail : "",
      ),
    );
  const bytes = data.length;
  const attachment: NewAttachment = { kind, name, mimeType, blob, bytes };
  return { kind: "attachments", attachments: [attachment] };
}

/** Bytes of drafts belong to no message yet: written once more, they count as used. */
export async function keepInUse(
  store: Pick<Store, "commit" | "blobs">,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const found = await store.blobs(hashes);
  await store.commit(
    [...found].map(([hash, data]) => ({
      ...({ kind: "blob", hash, data } as const),
      mimeType: "application/octet-stream",
    })),
    "normal",
  );
}

const pictures: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** A picture that agents take, text, or neither. */
export function kindOf(
  mimeType: string,
  data: Uint8Array,
): "image" | "text" | "binary" {
  if (pictures.has(mimeType)) return "image";
  if (data.includes(0)) return "binary";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data);
    return "text";
  } catch {
    return "binary";
  }
}
