// An agent that says when a prompt reached its input, on the clock all processes of a machine share.
let rest = "";
let sessions = 0;

process.stdin.on("data", (piece) => {
  const at = process.hrtime.bigint();
  const lines = (rest + piece).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") take(JSON.parse(line), at);
});

function take({ id, method, params }, at) {
  switch (method) {
    case "initialize":
      return say({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          agentCapabilities: {},
          authMethods: [],
        },
      });
    case "session/new":
      return say({ id, result: { sessionId: `s${++sessions}` } });
    case "session/prompt":
      say({
        method: "session/update",
        params: {
          sessionId: params.sessionId,
          update: {
            sessionUpdate: "agent_message_chunk",
            content: { type: "text", text: String(at) },
          },
        },
      });
      return say({ id, result: { stopReason: "end_turn" } });
    default:
      if (id !== undefined)
        say({ id, error: { code: -32601, message: "Method not found" } });
  }
}

function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
