import type { Block } from "../core/message.ts";
import type { Store } from "../core/ports.ts";
import type { NewAttachment } from "../protocol/newAttachment.ts";
import type { KeptDraft } from "../protocol/viewState.ts";
import { t } from "../util/l10n.ts";

export type Content =
  | { readonly ok: true; readonly blocks: readonly Block[] }
  | { readonly ok: false; readonly detail: string };

/** What was typed and hung on, as a message's blocks. */
export async function contentOf(
  text: string,
  attachments: readonly NewAttachment[],
  store: Pick<Store, "blobs">,
): Promise<Content> {
  const hashes = attachments.flatMap((one) =>
    one.kind === "file" ? [] : [one.blob],
  );
  const bytes = hashes.length === 0 ? new Map() : await store.blobs(hashes);
  const blocks: Block[] = text === "" ? [] : [{ type: "text", text }];
  for (const attachment of attachments) {
    const block = blockOf(attachment, bytes);
    if (block === undefined)
      return {
        ok: false,
        detail: t(
          "{0} is not kept any more. Remove it and add it again.",
          attachment.name,
        ),
      };
    blocks.push(block);
  }
  return { ok: true, blocks };
}

/** What a draft would be sent as; something stands for it while there is nothing. */
export async function draftBlocks(
  { text, attachments = [] }: Pick<KeptDraft, "text" | "attachments">,
  store: Pick<Store, "blobs">,
): Promise<Content> {
  const empty = text.trim() === "" && attachments.length === 0;
  return contentOf(empty ? t("(your next message)") : text, attachments, store);
}

function blockOf(
  attachment: NewAttachment,
  bytes: ReadonlyMap<string, Uint8Array>,
): Block | undefined {
  const { kind, name } = attachment;
  if (kind === "file") return { type: "link", uri: attachment.uri, name };
  const { mimeType, blob } = attachment;
  const data = bytes.get(blob);
  if (data === undefined) return undefined;
  if (kind === "image")
    return { type: "image", mimeType, blob, bytes: data.length, name };
  return {
    type: "resource",
    uri: `attachment:///${encodeURIComponent(name)}`,
    mimeType,
    text: new TextDecoder().decode(data),
  };
}
