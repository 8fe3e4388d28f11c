import type { CreateElicitationResponse } from "@agentclientprotocol/sdk/unstable";
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../core/agentFeatures.ts";
import type { AgentEvents } from "../core/agentPort.ts";
import { elicitationFields } from "./elicitationFields.ts";
import { defined, fields, text } from "./parse.ts";
import { Questions } from "./questions.ts";

type Asked =
  | Omit<Extract<ElicitationRequest, { mode: "form" }>, "id">
  | (Omit<Extract<ElicitationRequest, { mode: "url" }>, "id"> & {
      readonly page: string;
    });

/** The forms and pages an agent asks the user to fill or visit. */
export class Elicitations {
  readonly questions: Questions<Asked, CreateElicitationResponse>;
  /** The agent's id of a page → ours: it tells by its own when the visit is over. */
  readonly #pages = new Map<string, string>();

  constructor(events: AgentEvents) {
    this.questions = new Questions<Asked, CreateElicitationResponse>({
      read: (params) =>
        events.elicitation === undefined
          ? undefined
          : elicitationRequest(params),
      sessionOf: ({ sessionId }) => sessionId,
      tell: (id, asked) => {
        if (asked.mode === "form") {
          events.elicitation?.({ id, ...asked });
          return;
        }
        const { page, ...request } = asked;
        this.#pages.set(page, id);
        events.elicitation?.({ id, ...request });
      },
      gone: (id) => events.elicitationGone?.(id),
      cancelled: { action: "cancel" },
    });
  }

  answer(id: string, answer: ElicitationAnswer): void {
    this.questions.answer(
      id,
      answer.action === "accept"
        ? { action: "accept", content: { ...answer.values } as Content }
        : { action: answer.action },
    );
  }

  /** The agent's own `elicitation/complete`. */
  completed(params: unknown): void {
    const page = text(fields(params)?.["elicitationId"]) ?? "";
    const id = this.#pages.get(page);
    this.#pages.delete(page);
    if (id !== undefined) this.questions.withdraw(id);
  }
}

type Content = Record<string, string | number | boolean | string[]>;

function elicitationRequest(params: unknown): Asked | undefined {
  const given = fields(params);
  if (given === undefined) return undefined;
  const base = defined({
    message: text(given["message"]) ?? "",
    sessionId: text(given["sessionId"]),
    toolCallId: text(given["toolCallId"]),
  });
  if (given["mode"] === "url") {
    const url = text(given["url"]);
    const page = text(given["elicitationId"]);
    if (url === undefined || page === undefined) return undefined;
    return { ...base, mode: "url", url, page };
  }
  const schema = fields(given["requestedSchema"]);
  if (given["mode"] !== "form" || schema === undefined) return undefined;
  return defined({
    ...base,
    mode: "form" as const,
    title: text(schema["title"]),
    description: text(schema["description"]),
    fields: elicitationFields(schema),
  });
}
