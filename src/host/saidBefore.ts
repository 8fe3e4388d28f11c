import type { Store } from "../core/ports.ts";
import type { Reply } from "../protocol/reply.ts";
import { textOf } from "./projectMessage.ts";

/** Texts answered at once, and pages read for them. */
const enough = 30;
const pages = 20;

/** What the user said before a position, newest first. */
export async function saidBefore(
  store: Pick<Store, "page">,
  thread: string,
  before: string,
): Promise<Reply> {
  const texts: string[] = [];
  let from: string | null = before;
  for (let read = 0; read < pages && texts.length < enough; read++) {
    if (from === null) break;
    const page = await store.page(thread, { before: from, limit: 200 });
    for (const { body, sender, state } of page.messages.toReversed()) {
      if (body.kind !== "user" || sender.kind !== "user") continue;
      const text = textOf(body.blocks);
      if (state !== "superseded" && text !== "") texts.push(text);
    }
    from = page.more ? (page.messages[0]?.position ?? null) : null;
  }
  return { kind: "said", texts, before: from };
}
