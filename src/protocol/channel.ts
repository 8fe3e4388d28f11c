import * as z from "zod/mini";
import { assertNever } from "../util/assertNever.ts";
import { done, reply } from "./reply.ts";
import type { Reply } from "./reply.ts";
import { count } from "./words.ts";
import { t } from "../util/l10n.ts";
import { errorText } from "../util/errorText.ts";

const envelope = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("post"), body: z.unknown() }),
  z.strictObject({ kind: z.literal("request"), id: count, body: z.unknown() }),
  z.strictObject({ kind: z.literal("reply"), id: count, body: z.unknown() }),
]);

export interface ChannelEnds<In> {
  /** What the other end may say. */
  readonly inbound: z.ZodMiniType<In>;
  /** Carries data to the other end. */
  readonly send: (data: unknown) => void;
  /** Answers a request; nothing returned means done. */
  readonly handle: (
    message: In,
  ) => Reply | undefined | Promise<Reply | undefined>;
  /** Told of what did not fit and of handlers that threw: for the log. */
  readonly report: (problem: ChannelProblem) => void;
}

export interface ChannelProblem {
  readonly kind: "refused" | "threw";
  readonly message: string;
}

/** One end of the line between host and view; the other end has the types swapped. */
export class Channel<In, Out> {
  readonly #ends: ChannelEnds<In>;
  readonly #waiting = new Map<number, (answer: Reply) => void>();
  #lastId = 0;
  #closed = false;

  constructor(ends: ChannelEnds<In>) {
    this.#ends = ends;
  }

  post(message: Out): void {
    if (!this.#closed) this.#ends.send({ kind: "post", body: message });
  }

  /** Never rejects: an other end that throws or goes away is an answer of kind `failed`. */
  request(message: Out): Promise<Reply> {
    if (this.#closed) return Promise.resolve(closed);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      try {
        this.#ends.send({ kind: "request", id, body: message });
      } catch (error) {
        this.#waiting.delete(id);
        resolve(this.#threw(error));
      }
    });
  }

  /** Takes what arrived. What does not fit is reported, and nothing else happens. */
  receive(data: unknown): void {
    if (this.#closed) return;
    const parsed = z.safeParse(envelope, data);
    if (!parsed.success) {
      this.#refuse(parsed.error);
      return;
    }
    const { data: letter } = parsed;
    switch (letter.kind) {
      case "post":
        void this.#take(letter.body);
        return;
      case "request":
        void this.#take(letter.body).then((answer) => {
          if (!this.#closed)
            this.#ends.send({ kind: "reply", id: letter.id, body: answer });
        });
        return;
      case "reply":
        this.#settle(letter.id, letter.body);
        return;
      default:
        assertNever(letter);
    }
  }

  /** Settles what waits; nothing is sent or taken afterwards. */
  dispose(): void {
    this.#closed = true;
    for (const resolve of this.#waiting.values()) resolve(closed);
    this.#waiting.clear();
  }

  async #take(body: unknown): Promise<Reply> {
    const parsed = z.safeParse(this.#ends.inbound, body);
    if (!parsed.success) {
      this.#refuse(parsed.error);
      return failed(t("The message does not fit the protocol."));
    }
    try {
      return (await this.#ends.handle(parsed.data)) ?? done;
    } catch (error) {
      return this.#threw(error);
    }
  }

  #threw(error: unknown): Reply {
    const message = errorText(error);
    this.#ends.report({ kind: "threw", message });
    return failed(message);
  }

  #settle(id: number, body: unknown): void {
    const resolve = this.#waiting.get(id);
    const parsed = z.safeParse(reply, body);
    if (!parsed.success) this.#refuse(parsed.error);
    if (resolve === undefined) return;
    this.#waiting.delete(id);
    resolve(
      parsed.success
        ? parsed.data
        : failed(t("The answer does not fit the protocol.")),
    );
  }

  #refuse(error: z.core.$ZodError): void {
    this.#ends.report({ kind: "refused", message: z.prettifyError(error) });
  }
}

const failed = (message: string): Reply => ({ kind: "failed", message });

const closed = failed(t("The other end is gone."));
