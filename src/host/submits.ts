import type { Reply } from "../core/dispatch/events.ts";
import type { ToHost } from "../protocol/toHost.ts";
import { contentOf } from "./messageContent.ts";
import { InOrder } from "./inOrder.ts";
import type { Services } from "./services.ts";

type Submit = Extract<ToHost, { type: "submit" }>;

/** What became of it, with the sentence for the user when it was refused. */
export type Submitted =
  | Extract<Reply, { ok: true }>
  | { readonly ok: false; readonly detail: string };

export type SubmitParts = Pick<Services, "engine" | "store" | "userName"> & {
  readonly book: Pick<Services["book"], "keep">;
  readonly drafts: Pick<Services["drafts"], "clear">;
  readonly home: Pick<Services["home"], "readOnly">;
};

/** Takes messages into their threads. One whose picture is still read is not overtaken by what was sent after it. */
export class Submits {
  readonly #parts: SubmitParts;
  readonly #order = new InOrder();

  constructor(parts: SubmitParts) {
    this.#parts = parts;
  }

  take(message: Submit): Promise<Submitted> {
    return this.#order.run(message.thread, () => this.#take(message));
  }

  async #take(message: Submit): Promise<Submitted> {
    const { engine, book, userName, drafts, home, store } = this.#parts;
    const { thread, text, attachments } = message;
    if (home.readOnly !== null) return refused(home.readOnly);
    const name = await userName(thread);
    const content = await contentOf(text, attachments, store);
    if (!content.ok) return content;
    const refusal = await book.keep(thread);
    if (refusal !== undefined) return refused(refusal);
    const answer = await engine.submit(thread, {
      id: message.requestId,
      sender: { kind: "user", name },
      blocks: content.blocks,
      ...(message.when === "now" ? { now: true } : {}),
    });
    if (answer.ok) await drafts.clear(thread);
    return answer;
  }
}

const refused = (detail: string): Submitted => ({ ok: false, detail });
