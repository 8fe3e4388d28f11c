import { methods } from "@agentclientprotocol/sdk/unstable";
import { hidden } from "../util/redact.ts";
import { elicitationFields } from "./elicitationFields.ts";
import { fields, type Fields } from "./parse.ts";
import type { TraceDirection } from "./stream.ts";

/** Leaves out of a trace what the user answered in fields that an agent's form marks as secret. */
export class SecretAnswers {
  /** The agent's request → its secret fields. */
  readonly #asked = new Map<unknown, readonly string[]>();

  hide(direction: TraceDirection, message: unknown): unknown {
    const given = fields(message) ?? {};
    if (direction === "sent") return this.#answered(given) ?? message;
    if (given["method"] === methods.client.elicitation.create)
      this.#note(given);
    return message;
  }

  #note({ id, params }: Fields): void {
    const schema = fields(fields(params)?.["requestedSchema"]) ?? {};
    const secret = elicitationFields(schema).filter((field) => field.secret);
    if (secret.length > 0)
      this.#asked.set(
        id,
        secret.map((field) => field.id),
      );
  }

  #answered(message: Fields): Fields | undefined {
    const { id, method } = message;
    const secret = method === undefined ? this.#asked.get(id) : undefined;
    if (secret === undefined) return undefined;
    this.#asked.delete(id);
    const result = fields(message["result"]);
    const content = fields(result?.["content"]);
    if (content === undefined) return undefined;
    const left = Object.entries(content).map(
      ([field, value]) =>
        [field, secret.includes(field) ? hidden : value] as const,
    );
    return {
      ...message,
      result: { ...result, content: Object.fromEntries<unknown>(left) },
    };
  }
}
