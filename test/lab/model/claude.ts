import { pieces, type Reply, type ToolUse } from "./reply.ts";
import type { Json, ModelApi, StreamStep } from "./scriptedModel.ts";

interface Message {
  readonly role: string;
  readonly content: string | readonly Json[];
}

/** Anthropic's Messages API, streamed. */
export const claude: ModelApi = {
  path: "/v1/messages",
  kindOf(body) {
    const last = this.userTurns(body).at(-1)?.at(-1) ?? "";
    if (last.startsWith("[SUGGESTION MODE")) return "suggestion";
    const tools = body["tools"];
    return Array.isArray(tools) && tools.length > 0 ? "conversation" : "title";
  },
  userTurns(body) {
    const messages = body["messages"] as readonly Message[];
    return messages
      .filter(({ role }) => role === "user")
      .map(({ content }) =>
        typeof content === "string"
          ? [content]
          : content.flatMap((block) =>
              block["type"] === "text" ? [block["text"] as string] : [],
            ),
      );
  },
  error: (status, message) => ({
    type: "error",
    error: { type: errorType(status), message },
  }),
  *events(reply, call) {
    yield step("message_start", {
      message: {
        id: `msg_${call}`,
        type: "message",
        role: "assistant",
        model: "claude-scripted",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    });
    yield* content(reply, call);
    if (reply.then !== undefined) return;
    const stop =
      reply.stop ?? (reply.tools === undefined ? "end_turn" : "tool_use");
    yield step("message_delta", {
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: 20 },
    });
    yield step("message_stop", {});
  },
};

function* content(reply: Reply, call: number): Iterable<StreamStep> {
  let index = 0;
  if (reply.thinking !== undefined)
    yield* block(index++, { type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: reply.thinking },
      { type: "signature_delta", signature: "scripted" },
    ]);
  const texts = pieces(reply);
  if (texts.length > 0)
    yield* block(
      index++,
      { type: "text", text: "" },
      texts.map((text) => ({ type: "text_delta", text })),
      reply,
    );
  for (const tool of reply.tools ?? [])
    yield* block(index++, toolStart(tool, `toolu_${call}_${index}`), [
      { type: "input_json_delta", partial_json: JSON.stringify(tool.input) },
    ]);
}

function* block(
  index: number,
  start: Json,
  deltas: readonly Json[],
  { everyMs = 0, then }: Reply = {},
): Iterable<StreamStep> {
  yield step("content_block_start", { index, content_block: start });
  for (const delta of deltas) {
    yield step("content_block_delta", { index, delta });
    if (everyMs > 0) yield { pauseMs: everyMs };
  }
  if (then === undefined) yield step("content_block_stop", { index });
}

function toolStart(tool: ToolUse, id: string): Json {
  return { type: "tool_use", id, name: tool.name, input: {} };
}

function step(event: string, data: Json): StreamStep {
  return { event, data: { type: event, ...data } };
}

function errorType(status: number): string {
  switch (status) {
    case 401:
      return "authentication_error";
    case 429:
      return "rate_limit_error";
    case 529:
      return "overloaded_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}
