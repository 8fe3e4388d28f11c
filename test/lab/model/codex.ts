import { pieces, type Reply } from "./reply.ts";
import type { Json, ModelApi, StreamStep } from "./scriptedModel.ts";

/** OpenAI's Responses API, streamed. */
export const codex: ModelApi = {
  path: "/v1/responses",
  kindOf(body) {
    const format = (body["text"] as Json | undefined)?.["format"] as
      Json | undefined;
    if (format?.["type"] !== "json_schema") return "conversation";
    return JSON.stringify(format).includes('"outcome"') ? "guardian" : "title";
  },
  userTurns(body) {
    const input = (body["input"] ?? []) as readonly Json[];
    return input
      .filter((item) => item["role"] === "user")
      .map((item) =>
        ((item["content"] ?? []) as readonly Json[]).flatMap((block) =>
          typeof block["text"] === "string" ? [block["text"]] : [],
        ),
      );
  },
  error: (status, message) => ({
    error: { message, type: "scripted", code: String(status) },
  }),
  *events(reply, call) {
    const id = `resp_${call}`;
    yield step("response.created", { response: { id } });
    yield* message(reply, call);
    if (reply.then !== undefined) return;
    for (const [index, tool] of (reply.tools ?? []).entries())
      yield step("response.output_item.done", {
        item:
          typeof tool.input === "string"
            ? {
                type: "custom_tool_call",
                call_id: `call_${call}_${index}`,
                name: tool.name,
                input: tool.input,
              }
            : {
                type: "function_call",
                call_id: `call_${call}_${index}`,
                name: tool.name,
                arguments: JSON.stringify(tool.input),
              },
      });
    yield step("response.completed", {
      response: {
        id,
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 120,
        },
      },
    });
  },
};

function* message(reply: Reply, call: number): Iterable<StreamStep> {
  const texts = pieces(reply);
  if (texts.length === 0) return;
  const item = { type: "message", role: "assistant", id: `msg_${call}` };
  yield step("response.output_item.added", { item: { ...item, content: [] } });
  for (const delta of texts) {
    yield step("response.output_text.delta", { item_id: item.id, delta });
    if (reply.everyMs !== undefined) yield { pauseMs: reply.everyMs };
  }
  if (reply.then !== undefined) return;
  yield step("response.output_item.done", {
    item: { ...item, content: [{ type: "output_text", text: texts.join("") }] },
  });
}

function step(event: string, data: Json): StreamStep {
  return { event, data: { type: event, ...data } };
}
